"""Ordered attributes: the likeliest tilt of a shape, whatever it is to match."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from building import close
from galileomix._model.ordered import tilted
from galileomix._model.params import Layout

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def scale(n_ranks):
    return Layout((n_ranks,), ordered=((0, n_ranks),))


def nearest(target, shape):
    """Return one distribution as the tilt of another."""
    target, shape = (np.array(column, dtype=float)[:, None] for column in (target, shape))
    return tilted(target / target.sum(), scale(len(target)), shape / shape.sum())[:, 0]


def log_likelihood(target, p):
    pairs = zip(target, p, strict=True)
    return sum(t / sum(target) * math.log(q) for t, q in pairs if t > 0)


def likeliest(target, shape):
    """Return the greatest log-likelihood per record of any tilt, by a general optimiser."""
    places = np.linspace(-1, 1, len(target))
    weight = np.array(target) / sum(target)

    def loss(tilt):
        exponent = np.log(shape) + tilt[0] * places + tilt[1] * places**2
        return np.logaddexp.reduce(exponent) - weight @ exponent

    return -minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-9}).fun


probabilities = st.lists(st.floats(0.02, 1.0), min_size=4, max_size=7)
counts = st.lists(
    st.one_of(st.just(0.0), st.floats(1e-12, 1e-3), st.floats(1e-3, 1e4)), min_size=4, max_size=8
).filter(any)


@settings(deadline=None)
@given(st.data())
def test_mean_and_mean_square_are_those_of_the_target(data):
    target = data.draw(probabilities)
    shape = data.draw(st.lists(st.floats(0.02, 1.0), min_size=len(target), max_size=len(target)))
    p = nearest(target, shape)
    places = np.arange(len(p))
    for power in (0, 1, 2):
        close(p @ places**power, np.array(target) @ places**power / sum(target), atol=1e-5)
    # The odds of adjacent ranks are those of the shape times exp of a straight line.
    odds = np.diff(np.log(p / shape))
    close(np.diff(odds, 2), np.zeros(len(odds) - 2), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_tilt_is_likelier(seed):
    rng = np.random.default_rng(seed)
    target, shape = rng.gamma(0.7, size=(2, 6)) + 1e-3
    found = log_likelihood(target, nearest(target, shape))
    assert math.isfinite(found)
    assert found == pytest.approx(likeliest(target, shape), abs=1e-8)


@settings(deadline=None)
@given(counts, st.integers(0, 2**32 - 1))
@example([1.0, 0.0, 0.0, 0.0, 0.0], 0)
@example([0.0, 0.0, 0.0, 5.0], 1)
@example([0.0, 3.0, 1.0, 0.0, 0.0], 2)
@example([1.0, 0.0, 0.0, 0.0, 9.0], 3)
@example([0.0, 0.0, 1.0, 1e-12, 0.0, 0.0], 4)
def test_whatever_is_counted_there_is_a_distribution(counts, seed):
    """On the border, too, where the likelihood has no maximum but a supremum."""
    shape = np.random.default_rng(seed).gamma(1.0, size=len(counts)) + 1e-3
    p = nearest(counts, shape)
    assert np.isfinite(p).all()
    assert (p > 0).all()
    assert p.sum() == pytest.approx(1.0)
    assert log_likelihood(counts, p) >= log_likelihood(counts, shape / shape.sum()) - 1e-12
    present = np.flatnonzero(counts)
    adjacent = len(present) <= 2 and np.ptp(present) <= 1
    if adjacent or present.tolist() == [0, len(counts) - 1]:
        free = np.array(counts) / sum(counts)
        assert log_likelihood(counts, p) == pytest.approx(log_likelihood(counts, free), abs=1e-9)


def test_a_rank_that_never_occurs_never_will():
    p = nearest([5, 0, 2, 1, 0], [0.4, 0.0, 0.3, 0.3, 0.0])
    close(p, [5 / 8, 0, 2 / 8, 1 / 8, 0])  # three ranks are left, and are free


def test_records_of_ranks_that_the_shape_does_not_know_are_left_out():
    p = nearest([5, 3, 2, 1, 4], [0.25, 0.25, 0.0, 0.25, 0.25])
    assert p[2] == 0.0
    close(p.sum(), 1.0)
    close(p, nearest([5, 3, 0, 1, 4], [0.25, 0.25, 0.0, 0.25, 0.25]))


def test_one_distribution_of_the_family_is_as_good_a_shape_as_another():
    rng = np.random.default_rng(0)
    shape, middle, target = rng.gamma(1.0, size=(3, 7))
    close(nearest(target, nearest(middle, shape)), nearest(target, shape), atol=1e-6)


def test_a_scale_turned_around_has_the_same_model():
    target, shape = np.random.default_rng(1).gamma(1.0, size=(2, 5))
    close(nearest(target[::-1], shape[::-1])[::-1], nearest(target, shape), atol=1e-6)


def test_the_missing_value_is_no_rank():
    """Its probability is free, and the ranks share the rest."""
    layout = Layout((6,), ordered=((0, 5),))
    rng = np.random.default_rng(2)
    p, shape = (part / part.sum() for part in rng.gamma(1.0, size=(2, 6, 1)))
    found = tilted(p, layout, shape)
    assert found[5, 0] == p[5, 0]
    close(found[:5, 0] / found[:5, 0].sum(), nearest(p[:5, 0], shape[:5, 0]))
    always_missing = np.array([[0.0], [0.0], [0.0], [0.0], [0.0], [1.0]])
    assert np.array_equal(tilted(always_missing, layout, shape), always_missing)


def test_attributes_and_components_do_not_know_of_one_another():
    """Two of five ranks, one of four and one without an order, side by side."""
    layout = Layout((5, 3, 4, 5), ordered=((0, 5), (2, 4), (3, 5)))
    rng = np.random.default_rng(3)
    p, G = rng.gamma(0.3, size=(17, 40)) + 1e-9, rng.gamma(1.0, size=(17, 1))
    p, G = (part / layout.per_attribute(part)[layout.attribute_of_value] for part in (p, G))
    found = tilted(p, layout, G)
    assert np.array_equal(found[5:8], p[5:8])
    for m in (0, 2, 3):
        rows = layout.rows_of(m)
        alone = [nearest(p[rows, i], G[rows, 0]) for i in range(40)]
        close(found[rows], np.stack(alone, axis=1), atol=1e-6)
