"""Ordered attributes in a mixture: EM, its start, what they cost, cuts and merges."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import xlogy

import naive
from building import KERNELS, close, random_mixture, seeds, table_of
from galileomix._model import categorical
from galileomix._model.criteria import criterion_of
from galileomix._model.em import Stop, em
from galileomix._model.families import log_prior, maximise
from galileomix._model.merge import merges
from galileomix._model.ordered import tilted
from galileomix._model.params import Layout, layout_of
from galileomix._model.snap import snap
from galileomix._model.split import splits
from galileomix._model.start import around, draw_marginals
from galileomix._table import Categorical, Numeric, Ordered, Schema

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
kernels = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__[-9:])


@st.composite
def surveys(draw):
    """Tables of two or three scales, the last value of one a missing one, and a category."""
    lengths = draw(st.lists(st.integers(2, 6), min_size=2, max_size=3))
    cell = [st.one_of(st.integers(0, n - 1), st.none()) for n in (*lengths, 3)]
    rows = draw(st.lists(st.tuples(*cell), min_size=1, max_size=15))
    weights = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=len(rows), max_size=len(rows))
    table = table_of(rows, (*lengths, 3), weights=draw(weights))
    n_ranks = (lengths[0] - 1, *lengths[1:])
    return replace(table, ordered=tuple(enumerate(n_ranks)))


def of_one_scale(rows, n_ranks):
    table = table_of(rows, (n_ranks,) * len(rows[0]))
    return replace(table, ordered=tuple((m, n_ranks) for m in range(len(rows[0]))))


def in_family(mixture, records):
    layout = mixture.layout
    close(tilted(mixture.p, layout, records.background.G), mixture.p, atol=1e-6)


@settings(deadline=None)
@given(surveys(), st.integers(1, 4), seeds, st.sampled_from([0.0, 0.1, 4.0]))
def test_em_never_lowers_what_it_climbs(table, k, seed, s):
    records = table.records()
    mixture = random_mixture(table.layout, k, seed)
    mixture = maximise(records.expect(mixture), records.background, s)
    found = []
    for _ in range(8):
        stats = records.expect(mixture)
        found.append(stats.log_likelihood + log_prior(mixture, records.background, s))
        if (stats.weight <= 0).any():
            break
        mixture = maximise(stats, records.background, s)
    assert np.isfinite(found).all()
    for before, after in pairwise(found):
        assert after >= before - 1e-10 * max(1.0, abs(before))


@settings(deadline=None, max_examples=30)
@given(surveys(), st.integers(1, 4), seeds)
def test_a_fit_is_of_distributions_in_the_family(table, k, seed):
    records = table.records()
    fit = em(records, random_mixture(table.layout, k, seed), stop=Stop(max_iter=20))
    totals = table.layout.per_attribute(fit.mixture.p)
    known = table.layout.per_attribute(records.background.G)[:, 0] > 0
    close(totals[known], np.ones_like(totals[known]))
    in_family(fit.mixture, records)


@settings(deadline=None, max_examples=30)
@given(surveys())
def test_one_component_is_the_global_distribution(table):
    records = table.records()
    close(em(records, records.everything).mixture.p, records.background.G, atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(surveys(), st.integers(1, 4), seeds)
def test_the_start_is_in_the_family(table, k, seed):
    """Else the first step of EM could lower the likelihood, and EM would stop there."""
    records = table.records()
    rng = np.random.default_rng(seed)
    centers = draw_marginals(table.layout, records.background, k, rng)
    in_family(around(centers, table.layout, records.background), records)


@settings(deadline=None, max_examples=30)
@given(surveys(), st.integers(2, 4), seeds)
def test_joining_two_components_never_gains(table, k, seed):
    records = table.records()
    fit = em(records, random_mixture(table.layout, k, seed), stop=Stop(max_iter=3))
    held = fit.stats.weight
    for merge in merges(records, fit, criterion_of("bic", records.N)):
        pair = held[[merge.first, merge.second]]
        mixing = xlogy(pair, pair / pair.sum()).sum()  # what two weights cost, and one does not
        assert math.isfinite(merge.cost)
        assert merge.cost >= mixing - 1e-6


def test_up_to_three_ranks_an_order_changes_no_bit():
    rows = np.random.default_rng(0).integers(0, 3, (60, 4))
    plain = table_of(rows, (3,) * 4)
    ordered = of_one_scale(rows.tolist(), 3)
    mixtures = []
    for table in (plain, ordered):
        records = table.records()
        fit = em(records, random_mixture(table.layout, 3, seed=1))
        found = splits(records, fit, criterion_of("bic", records.N))
        mixtures.append((fit.mixture.p, [one.gain for one in found]))
        assert table.layout.degrees_of_freedom(3) == naive.degrees_of_freedom(3, [3] * 4)
    assert np.array_equal(mixtures[0][0], mixtures[1][0])
    assert mixtures[0][1] == mixtures[1][1]


@pytest.mark.parametrize(("n_ranks", "own", "shared"), [(2, 1, 0), (3, 2, 0), (4, 2, 1), (7, 2, 4)])
def test_degrees_of_freedom(n_ranks, own, shared):
    layout = Layout((n_ranks,), ordered=((0, n_ranks),))
    with_missing = Layout((n_ranks + 1,), ordered=((0, n_ranks),))
    for k in (1, 2, 5):
        assert layout.degrees_of_freedom(k) == (k - 1) + k * own + shared
        assert with_missing.degrees_of_freedom(k) == (k - 1) + k * (own + 1) + shared
    assert layout.degrees_of_freedom(1) == Layout((n_ranks,)).degrees_of_freedom(1)


def test_a_layout_is_read_from_a_schema():
    agree = Ordered("agree", ("no", "rather no", "rather yes", "yes", None))
    often = Ordered("often", (0, 1, 2, 3))
    schema = Schema((agree, Numeric("age", 40.0, 16.0), Categorical("sex", ("f", "m")), often))
    layout = layout_of(schema)
    assert layout.ordered == ((0, 4), (2, 4))
    [rows] = layout.scales
    assert rows.T.tolist() == [[0, 1, 2, 3], [7, 8, 9, 10]]


@kernels
def test_cuts_are_between_ranks(kernel):
    """A cut after rank v holds the records of at most v; that of a missing value these alone."""
    rows = [[0], [1], [1], [2], [3], [4], [None], [4]]
    table = replace(table_of(rows, (5,)), ordered=((0, 4),))
    records = table.records(kernel)
    fit = em(records, records.everything)
    cuts = categorical.cuts(fit.stats, 0, 10)
    has = records.count_cuts(fit.mixture, cuts)
    pairs = zip(cuts.attribute.tolist(), cuts.value.tolist(), has.weight, strict=True)
    assert list(pairs) == [
        (1, 0.0, 1.0),
        (1, 1.0, 3.0),
        (1, 2.0, 4.0),
        (1, 3.0, 5.0),
        (0, 4.0, 2.0),
    ]
    close(has.counts[:, 1], [1, 2, 0, 0, 0])


@kernels
def test_cuts_of_ranks_beside_numbers(kernel):
    rows = [[0], [1], [2], [3], [3]]
    table = table_of(rows, (4,), numbers=[[0.0], [1.0], [2.0], [3.0], [4.0]])
    records = replace(table, ordered=((0, 4),)).records(kernel)
    fit = em(records, records.everything)
    cuts = categorical.cuts(fit.stats, 0, 10)
    has = records.count_cuts(fit.mixture, cuts)
    assert cuts.attribute.tolist() == [2, 2, 2]
    close(has.weight, [1, 2, 3])
    close(has.total[0], [0, 1, 3])


@kernels
def test_two_clusters_come_apart_by_their_ranks(kernel):
    rng = np.random.default_rng(1)
    low = np.repeat([True, False], [60, 40])
    rows = np.where(low[:, None], rng.binomial(6, 0.15, (100, 5)), rng.binomial(6, 0.85, (100, 5)))
    records = of_one_scale(rows.tolist(), 7).records(kernel)
    fit = em(records, records.everything)
    [first, *_] = splits(records, fit, criterion_of("bic", records.N))
    close(sorted(first.halves.weight), [40, 60], atol=0.1)
    after = records.expect(maximise(first.halves, records.background))
    assert after.log_likelihood >= fit.log_likelihood + first.gain - 1e-6
    assert after.log_likelihood == pytest.approx(fit.log_likelihood + first.gain, abs=1.0)


def test_no_rank_is_dropped_from_a_component():
    rng = np.random.default_rng(2)
    table = of_one_scale(rng.integers(0, 5, (12, 3)).tolist(), 5)
    records = table.records()
    fit = em(records, random_mixture(table.layout, 2, seed=0))
    assert snap(records, fit, Stop()) is fit
