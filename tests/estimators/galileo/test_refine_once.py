"""One sweep of the search: nearly the best model in a fraction of the passes."""

import pytest

from galileomix import Galileo, ParameterError
from galileomix.datasets import load_votes, load_zoo


@pytest.mark.parametrize("load", [load_zoo, load_votes])
def test_a_fifth_of_the_passes_for_nearly_the_best_model(load):
    table = load().data
    best = Galileo(criterion="aic", random_state=0).fit(table)
    once = Galileo(criterion="aic", random_state=0, refine="once", tol=1e-6).fit(table)
    assert 3 * once.n_passes_ < best.n_passes_
    aic = [model.path_.to_frame()["aic"].min() for model in (best, once)]
    assert aic[0] <= aic[1] + 1e-6 * aic[0] and aic[1] <= 1.005 * aic[0]


def test_it_is_saved_with_the_model(tmp_path):
    model = Galileo(refine="once", random_state=0).fit(load_zoo().data)
    model.save(tmp_path / "m.galileo")
    assert Galileo.load(tmp_path / "m.galileo").refine == "once"


def test_other_words_are_refused():
    with pytest.raises(ParameterError, match="refine='twice': it must be True, False or 'once'"):
        Galileo(refine="twice").fit(load_zoo().data)
