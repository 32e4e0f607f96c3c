"""What is noted of a search: when its best model became better."""

import numpy as np
import pytest

from galileomix import Galileo
from galileomix._fitted.search_trace import SearchTrace


def noted(points):
    trace, passes = SearchTrace(), iter([at for at, _ in points])
    note = trace.following(lambda fit: None, lambda fit: fit, lambda: next(passes))
    for _, value in points:
        note(value)
    return trace


def test_it_falls_to_the_end():
    trace = noted([(1, 9.0), (4, 7.0), (6, 2.0)])
    assert trace.improvements((9, 2.0), greatest=False) == ((1, 9.0), (4, 7.0), (6, 2.0))


def test_by_density_it_rises():
    assert noted([(1, 0.25), (4, 0.75)]).improvements((9, 0.75), greatest=True) == (
        (1, 0.25),
        (4, 0.75),
    )


def test_what_a_sample_promised_does_not_count():
    trace = noted([(1, 9.0), (2, 1.0), (3, 6.0), (8, 2.0)])
    assert trace.improvements((9, 2.0), greatest=False) == ((1, 9.0), (2, 6.0), (8, 2.0))


def test_what_is_not_finite_is_left_out():
    assert noted([(1, np.inf), (2, 3.0)]).improvements((9, 3.0), greatest=True) == ((2, 3.0),)
    assert noted([(1, 3.0)]).improvements((9, np.inf), greatest=True) == ()


def test_a_second_search_goes_on_where_the_first_ended():
    trace = noted([(5, 9.0)])
    trace.following(lambda fit: None, lambda fit: fit, lambda: 3)(4.0)
    assert trace.improvements((9, 4.0), greatest=False) == ((5, 9.0), (8, 4.0))


def test_the_last_steps_of_em_are_no_gain():
    """The best model is polished once more at the end, which nobody is told of."""
    assert noted([(1, 9.0), (4, 2.01)]).improvements((9, 2.0), greatest=False)[-1] == (4, 2.0)
    assert noted([(1, 9.0), (4, 2.50)]).improvements((9, 2.0), greatest=False)[-1] == (9, 2.0)


@pytest.mark.parametrize("criterion", ["bic", "density"])
def test_a_fit_ends_with_the_value_of_its_model(small, criterion):
    model = Galileo(criterion=criterion, max_components=4, random_state=0).fit(small)
    passes, values = zip(*model.search_.trace, strict=True)
    chosen = next(step for step in model.path_ if step.k == model.n_components_)
    assert values[-1] == pytest.approx(getattr(chosen, criterion))
    assert list(passes) == sorted(passes) and passes[-1] <= model.n_passes_
