"""Acceleration only ever shortens the way that EM takes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import flat, random_mixture, seeds, table_of, tables
from galileomix._model.em import Stop, em
from galileomix._model.families import log_prior, maximise
from galileomix._model.squarem import FURTHEST, extrapolate
from galileomix.datasets import make_rules


def three_steps(records, mixture):
    for _ in range(3):
        stats = records.expect(mixture)
        yield stats
        mixture = maximise(stats, records.background)


@settings(deadline=None, max_examples=50)
@given(
    tables(missing=True, max_numeric=1), st.integers(1, 3), seeds, st.sampled_from([0.0, 0.5, 4.0])
)
def test_the_objective_never_falls_from_one_budget_to_the_next(table, k, seed, s):
    records = table.records()
    start = random_mixture(table.layout, k, seed)
    before, size = -math.inf, k
    for most in range(1, 9):
        fit = em(records, start, s, Stop(0.0, most))
        objective = fit.log_likelihood + log_prior(fit.mixture, records.background, s)
        assert math.isfinite(objective)
        if fit.k == size:  # the prior of fewer components is another
            assert objective >= before - 1e-10 * max(1.0, abs(before))
        before, size = objective, fit.k


def test_where_em_is_slow_acceleration_takes_fewer_passes():
    table = make_rules(300, n_rules=3, n_attributes=6, noise=0.4, random_state=0)
    records = table_of(table.data.to_numpy()).records()
    start = random_mixture(records.layout, 2, seed=0)
    fits = [em(records, start, 1.0, Stop(1e-11, 10_000), plain=plain) for plain in (False, True)]
    assert all(fit.converged for fit in fits)
    assert fits[0].n_iter < fits[1].n_iter


@settings(deadline=None)
@given(tables(), st.integers(1, 3), seeds)
def test_no_count_becomes_negative_and_none_becomes_zero(table, k, seed):
    first, second, third = three_steps(table.records(), random_mixture(table.layout, k, seed))
    ahead = extrapolate(first, second, third)
    if ahead is not None:
        assert np.isfinite(flat(ahead)).all()
        assert (ahead.weight >= 0.1 * third.weight).all()
        assert (ahead.counts >= 0.1 * third.counts).all()


def test_a_geometric_approach_is_extrapolated_to_its_end():
    """Errors that halve each step: the extrapolation is the limit."""
    table = table_of([[0], [1]])
    limit = table.records().expect(random_mixture(table.layout, 2, 0))
    error = limit.times(0.4)
    steps = [limit - error.times(0.5**i) for i in range(3)]
    assert flat(extrapolate(*steps)) == pytest.approx(flat(limit))


def test_no_extrapolation_where_nothing_moves_or_components_went():
    table = table_of([[0], [1]])
    stats = table.records().expect(random_mixture(table.layout, 2, 0))
    assert extrapolate(stats, stats, stats) is None
    assert extrapolate(stats, stats, stats.take([0])) is None


def test_an_extrapolation_is_bounded():
    table = table_of([[0], [1]])
    stats = table.records().expect(random_mixture(table.layout, 2, 0))
    slow = [stats.times(1 + 1e-6 * (1 - 0.999999**i)) for i in range(3)]
    ahead = extrapolate(*slow)
    moved = (ahead - slow[0]).norm()
    assert 0 < moved <= 2 * FURTHEST * (slow[1] - slow[0]).norm() * 1.001
