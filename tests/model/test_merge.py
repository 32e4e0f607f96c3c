"""Merges: what they cost by counts, and that they lose no record."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from building import close, flat, plain, random_mixture, seeds, shares, table_of, tables
from galileomix._model.criteria import criterion_of
from galileomix._model.em import Stop, em
from galileomix._model.merge import join, merges


def fitted(table, k, seed):
    records = table.records()
    return records, em(records, random_mixture(table.layout, k, seed), stop=Stop(max_iter=2))


@settings(deadline=None)
@given(tables(missing=True), st.integers(2, 4), seeds)
def test_the_cost_is_the_classification_log_likelihood_lost(table, k, seed):
    records, fit = fitted(table, k, seed)
    found = merges(records, fit, criterion_of("bic", records.N))
    parts = [shares(table, fit.mixture, i) for i in range(fit.k)]
    assert {(m.first, m.second) for m in found} == set(itertools.combinations(range(fit.k), 2))
    for merge in found:
        i, j = parts[merge.first], parts[merge.second]
        both = [a + b for a, b in zip(i, j, strict=True)]
        alone, other, together = (
            naive.own_log_likelihood(table.rows, part, records.N) for part in (i, j, both)
        )
        assert math.isfinite(merge.cost)
        assert merge.cost == pytest.approx(alone + other - together, abs=1e-7)


@settings(deadline=None)
@given(tables(), st.integers(2, 3), seeds)
def test_by_density_the_cost_is_the_density_lost(table, k, seed):
    records, fit = fitted(table, k, seed)
    parts = [shares(table, fit.mixture, i) for i in range(fit.k)]

    def contribution(weights):
        distributions = naive.global_distribution(table.rows, weights)
        return sum(weights) / records.N * naive.density(sum(weights), distributions)

    for merge in merges(records, fit, criterion_of("density", records.N)):
        i, j = parts[merge.first], parts[merge.second]
        both = [a + b for a, b in zip(i, j, strict=True)]
        expected = contribution(i) + contribution(j) - contribution(both)
        assert math.isfinite(merge.cost)
        assert merge.cost == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(tables(missing=True, max_numeric=1), st.integers(2, 4), seeds)
def test_the_cheapest_comes_first_and_joining_loses_no_record(table, k, seed):
    records, fit = fitted(table, k, seed)
    found = merges(records, fit, criterion_of("aic", records.N))
    assert [m.cost for m in found] == sorted(m.cost for m in found)
    for merge in found:
        joined = join(fit.stats, merge)
        assert joined.k == fit.k - 1
        close(flat(joined.merged()), flat(fit.stats.merged()))


def test_equal_components_cost_only_what_tells_them_apart():
    """Joining two components with the same distributions loses the entropy of their weights."""
    table = table_of([[0, 0], [0, 1], [1, 0], [1, 1]])
    records = table.records()
    one = random_mixture(table.layout, 1, 0)
    fit = em(records, one.keep([0, 0]), stop=Stop(max_iter=1))
    assert plain(fit.mixture)[0] == [0.5, 0.5]
    [merge] = merges(records, fit, criterion_of("bic", records.N))
    assert merge.cost == pytest.approx(-4 * math.log(2))


def test_nothing_to_merge_in_one():
    records = table_of([[0], [1]]).records()
    assert merges(records, em(records, records.everything), criterion_of("bic", 2.0)) == []
