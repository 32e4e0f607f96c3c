"""EM never lowers what it climbs: the log-likelihood and the log-prior."""

import math
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from building import KERNELS, random_mixture, seeds, tables
from galileomix._model.em import em
from galileomix._model.families import log_prior, maximise

STEPS = 8
kernels = st.sampled_from(KERNELS)


def objectives(records, mixture, s):
    for _ in range(STEPS):
        stats = records.expect(mixture)
        yield stats.log_likelihood + log_prior(mixture, records.background, s)
        held = np.flatnonzero(stats.weight > 0)
        if len(held) < mixture.k:
            return
        mixture = maximise(stats, records.background, s)


def assert_climbs(values):
    values = list(values)
    assert np.isfinite(values).all()
    for before, after in pairwise(values):
        assert after >= before - 1e-10 * max(1.0, abs(before))


@settings(deadline=None)
@given(tables(missing=True), st.integers(1, 4), seeds, kernels)
def test_without_prior(table, k, seed, kernel):
    mixture = random_mixture(table.layout, k, seed, impossible=0.2)
    assert_climbs(objectives(table.records(kernel), mixture, 0.0))


@settings(deadline=None)
@given(tables(missing=True), st.integers(1, 4), seeds, st.sampled_from([0.1, 1.0, 4.0]))
def test_with_prior(table, k, seed, s):
    assert_climbs(objectives(table.records(), random_mixture(table.layout, k, seed), s))


@settings(deadline=None)
@given(
    tables(missing=True, max_numeric=2), st.integers(1, 3), seeds, st.sampled_from([0.0, 0.5, 4.0])
)
def test_with_numbers(table, k, seed, s):
    assert_climbs(objectives(table.records(), random_mixture(table.layout, k, seed), s))


@settings(deadline=None, max_examples=30)
@given(tables(), st.integers(1, 3), seeds)
def test_a_fit_is_no_worse_than_its_start(table, k, seed):
    records = table.records()
    mixture = random_mixture(table.layout, k, seed)
    fit = em(records, mixture)
    assert math.isfinite(fit.log_likelihood)
    assert fit.log_likelihood >= records.expect(mixture).log_likelihood - 1e-9
