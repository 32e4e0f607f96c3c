"""Splits: what cuts gain by counts, and where they lead."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from building import KERNELS, close, flat, plain, random_mixture, seeds, shares, table_of, tables
from galileomix._model import categorical, split
from galileomix._model.criteria import criterion_of
from galileomix._model.cuts import Cuts
from galileomix._model.em import Stop, em
from galileomix._model.families import maximise
from galileomix._model.grow import parted
from galileomix._model.merge import Merge
from galileomix._model.refine import swapped
from galileomix._model.split import Split, splits

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
kernels = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__[-9:])


def fitted(table, k, seed):
    records = table.records()
    return records, em(records, random_mixture(table.layout, k, seed), stop=Stop(max_iter=3))


def every_cut(table, k):
    """A cut of every component by every value of every attribute."""
    rules = [
        (i, m, v) for i in range(k) for m, L in enumerate(table.cardinalities) for v in range(L)
    ]
    parent, attribute, value = map(np.array, zip(*rules, strict=True))
    return Cuts(parent, attribute, value.astype(float))


def both_sides(records, fit, cuts):
    """Each cut as a split of its parent, where it leaves records on both sides."""
    has = records.count_cuts(fit.mixture, cuts)
    rest = fit.stats.take(cuts.parent).minus(has)
    for c in range(len(cuts)):
        if min(has.weight[c], rest.weight[c]) > 1e-3:
            yield c, Split(int(cuts.parent[c]), has.take([c]).beside(rest.take([c])), 0.0)


@settings(deadline=None, max_examples=60)
@given(tables(), st.integers(1, 3), seeds)
def test_a_cut_never_loses_classification_log_likelihood(table, k, seed):
    records, fit = fitted(table, k, seed)
    cuts = every_cut(table, fit.k)
    criterion = criterion_of("bic", records.N)
    whole = criterion.parts(fit.stats, maximise(fit.stats, records.background))
    for c, one in both_sides(records, fit, cuts):
        halves = criterion.parts(one.halves, maximise(one.halves, records.background))
        gain = halves.sum() - whole[one.parent]
        assert math.isfinite(gain)
        assert gain >= -1e-3  # shares of a millionth take no part in a cut
        own = shares(table, fit.mixture, one.parent)
        m, v = cuts.attribute[c], cuts.value[c]
        sides = [
            [w if (row[m] == v) == side else 0.0 for row, w in zip(table.rows, own, strict=True)]
            for side in (True, False)
        ]
        alone = [naive.own_log_likelihood(table.rows, side, records.N) for side in (*sides, own)]
        assert gain == pytest.approx(alone[0] + alone[1] - alone[2], abs=1e-3)


@settings(deadline=None, max_examples=60)
@given(tables(), st.integers(1, 3), seeds)
def test_a_cut_never_lowers_the_log_likelihood(table, k, seed):
    """What mixing two halves costs is what the cut attribute itself gains; then EM climbs."""
    records, fit = fitted(table, k, seed)
    for _, one in both_sides(records, fit, every_cut(table, fit.k)):
        once = records.expect(maximise(parted(fit.stats, [one]), records.background))
        again = records.expect(maximise(once, records.background))
        assert math.isfinite(once.log_likelihood)
        assert once.log_likelihood >= fit.log_likelihood - 1e-3
        assert again.log_likelihood >= once.log_likelihood - 1e-9


def criteria(table):
    return [criterion_of(name, sum(table.weights)) for name in ("bic", "density")]


def held(stats):
    """Return what does not depend on what a component expects of missing numbers."""
    return flat(stats)[: (stats.layout.n_values + 1) * stats.k]


@settings(deadline=None, max_examples=40)
@given(tables(missing=True, max_numeric=1), st.integers(1, 3), seeds)
def test_splits_come_best_first_and_lose_no_record(table, k, seed):
    records, fit = fitted(table, k, seed)
    for criterion in criteria(table):
        found = splits(records, fit, criterion)
        gains = [one.gain for one in found]
        assert np.isfinite(gains).all()
        assert gains == sorted(gains, reverse=True)
        for one in found:
            assert one.halves.weight.min() > 0
            own = fit.stats.take([one.parent])
            close(held(one.halves.merged()), held(own), rtol=1e-4, atol=1e-4)
            whole = parted(fit.stats, [one])
            assert whole.k == fit.k + 1
            close(held(whole.merged()), held(fit.stats.merged()), rtol=1e-4, atol=1e-4)


@settings(deadline=None, max_examples=40)
@given(tables(missing=True, max_numeric=1), seeds)
def test_a_swap_loses_no_record_and_keeps_the_size(table, seed):
    records, fit = fitted(table, 3, seed)
    if fit.k < 3:
        return
    for one in splits(records, fit, criterion_of("aic", records.N)):
        first, second = (i for i in range(3) if i != one.parent)
        whole = swapped(fit.stats, one, Merge(first, second, 0.0))
        assert whole.k == 3
        close(held(whole.merged()), held(fit.stats.merged()), rtol=1e-4, atol=1e-4)


@kernels
def test_the_gain_is_that_of_the_log_likelihood_within_the_parent(kernel):
    rng = np.random.default_rng(0)
    table = table_of(rng.integers(0, 3, (40, 4)))
    records = table.records(kernel)
    fit = em(records, records.everything)
    [first, *_] = splits(records, fit, criterion_of("bic", records.N))
    # Of one component the parent is everything: the gain is the whole gain, up to the last step.
    after = records.expect(maximise(first.halves, records.background)).log_likelihood
    assert math.isfinite(after)
    assert first.gain > 0
    assert after >= fit.log_likelihood + first.gain - 1e-9
    assert after == pytest.approx(fit.log_likelihood + first.gain, abs=1.0)
    alpha, p = plain(maximise(first.halves, records.background))
    assert after == pytest.approx(naive.log_likelihood(table.rows, alpha, p))


@kernels
def test_two_clusters_come_apart(kernel):
    rng = np.random.default_rng(1)
    cluster = np.repeat([0, 1], [30, 12])
    rows = rng.integers(0, 2, (42, 6)) + 2 * cluster[:, None]
    records = table_of(rows).records(kernel)
    fit = em(records, records.everything)
    [first, *_] = splits(records, fit, criterion_of("bic", records.N))
    close(sorted(first.halves.weight), [12, 30])


@kernels
def test_two_clusters_come_apart_by_a_number(kernel):
    rng = np.random.default_rng(2)
    cluster = np.repeat([-1.0, 1.0], [30, 20])
    numbers = cluster + rng.normal(scale=0.1, size=50)
    table = table_of(rng.integers(0, 2, (50, 2)), numbers=numbers[:, None])
    records = table.records(kernel)
    fit = em(records, records.everything)
    [first, *_] = splits(records, fit, criterion_of("bic", records.N))
    close(sorted(first.halves.weight), [20, 30], atol=1e-3)


def test_a_table_of_numbers_only_comes_apart():
    numbers = np.repeat([-1.0, 1.0], 20) + np.tile([-0.1, 0.0, 0.1, 0.05], 10)
    table = table_of([[]] * 40, (), numbers[:, None])
    records = table.records()
    [first, *_] = splits(records, em(records, records.everything), criterion_of("bic", records.N))
    close(first.halves.weight, [20, 20], atol=1e-3)


def test_fewer_cuts_are_counted_where_numbers_are_many(monkeypatch):
    table = table_of([[]] * 60, (), np.random.default_rng(0).normal(size=(60, 12)))
    records = table.records()
    fit = em(records, records.everything)
    [every] = split._proposals(fit)
    monkeypatch.setattr(split, "MOST_PRODUCTS", 60 * 12**2 * 20)
    [few] = split._proposals(fit)
    assert len(few) <= 20 < len(every)


def test_equal_rows_do_not_come_apart():
    records = table_of([[0, 0]] * 5, (2, 2)).records()
    assert splits(records, em(records, records.everything), criterion_of("bic", 5.0)) == []


def proposed(table):
    """The cuts followed up in the whole table, best first."""
    records = table.records()
    fit = em(records, records.everything)
    [cuts] = split._proposals(fit)
    best = split._best_cuts(records, fit, cuts, split.CUTS_EACH).cuts
    return list(zip(best.attribute.tolist(), best.value.tolist(), strict=True))


@pytest.mark.parametrize("fewest", [16, 2])
def test_cuts_are_counted_in_parts_where_memory_is_short(fewest, monkeypatch):
    table = table_of(np.random.default_rng(0).integers(0, 3, (60, 4)))
    records, fit = fitted(table, 3, 0)
    criterion = criterion_of("bic", records.N)
    whole = splits(records, fit, criterion)
    monkeypatch.setattr(split, "ROOM", 1)
    monkeypatch.setattr(split, "FEWEST_COUNTED", fewest)
    parts = splits(records, fit, criterion)
    assert [one.parent for one in parts] == [one.parent for one in whole]
    close([one.gain for one in parts], [one.gain for one in whole])


def test_wide_attributes_do_not_change_which_cuts_are_proposed(monkeypatch):
    """They take no part in the choice of cuts, so they must not favour even cuts either."""
    monkeypatch.setattr(categorical, "WIDE", 8)
    rng = np.random.default_rng(3)
    cluster = (np.arange(60) < 8).astype(int)
    parting = np.stack([cluster] * 3, axis=1) ^ (rng.random((60, 3)) < 0.03)
    narrow = np.hstack([parting, rng.integers(0, 2, (60, 8))])
    ids = np.stack([rng.permutation(60) for _ in range(6)], axis=1)
    assert proposed(table_of(np.hstack([narrow, ids]))) == proposed(table_of(narrow))


def test_missing_values_do_not_favour_even_cuts():
    """Three attributes part a small cluster, two are noise, and ten are nearly all missing."""
    rng = np.random.default_rng(4)
    cluster = (np.arange(60) < 8).astype(int)
    known = np.hstack([np.stack([cluster] * 3, axis=1), rng.integers(0, 2, (60, 2))]).tolist()
    missing = [[0 if rng.random() < 0.1 else None for _ in range(10)] for _ in range(60)]
    rows = [[*a, *b] for a, b in zip(known, missing, strict=True)]
    assert proposed(table_of(rows, (2,) * 15))[0][0] in (0, 1, 2)
