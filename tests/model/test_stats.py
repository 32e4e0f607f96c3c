"""The algebra of statistics. Whole numbers, so that every law is exact."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import flat, seeds, tables
from galileomix._model.params import Layout
from galileomix._model.stats import Stats

LAYOUT = Layout((2, 3), n_numeric=1)


def stats_of(k, seed):
    rng = np.random.default_rng(seed)

    def whole(*shape):
        return rng.integers(0, 1000, shape).astype(float)

    return Stats(LAYOUT, whole(LAYOUT.n_sums, k), -float(seed))


def same(left, right):
    return np.array_equal(flat(left), flat(right)) and left.log_likelihood == right.log_likelihood


sizes = st.integers(1, 5)


@given(sizes, seeds)
def test_zero_is_the_identity(k, seed):
    a, zero = stats_of(k, seed), Stats.zero(LAYOUT, k)
    assert same(a + zero, a)
    assert same(zero + a, a)


@given(sizes, seeds, seeds, seeds)
def test_addition_is_commutative_and_associative(k, one, two, three):
    a, b, c = (stats_of(k, seed) for seed in (one, two, three))
    assert same(a + b, b + a)
    assert same((a + b) + c, a + (b + c))


@given(sizes, seeds, st.data())
def test_taking_twice_is_taking_once(k, seed, data):
    a = stats_of(k, seed)
    outer = data.draw(st.lists(st.integers(0, k - 1), min_size=1))
    inner = data.draw(st.lists(st.integers(0, len(outer) - 1)))
    assert same(a.take(range(k)), a)
    assert same(a.take(outer).take(inner), a.take([outer[j] for j in inner]))


@given(sizes, seeds, st.data())
def test_without_some_is_taking_the_others(k, seed, data):
    a = stats_of(k, seed)
    gone = data.draw(st.sets(st.integers(0, k - 1)))
    assert same(a.without(sorted(gone)), a.take([i for i in range(k) if i not in gone]))


@given(sizes, seeds, st.data())
def test_parts_side_by_side_are_the_whole(k, seed, data):
    a = stats_of(k, seed)
    cut = data.draw(st.integers(0, k))
    assert same(a.take(range(cut)).beside(a.take(range(cut, k))), a)


@given(sizes, sizes, seeds, seeds)
def test_merging_what_stands_side_by_side_adds_it(k, j, one, other):
    a, b = stats_of(k, one), stats_of(j, other)
    assert np.array_equal(flat(a.beside(b).merged()), flat(a.merged() + b.merged()))
    assert same(a.merged().merged(), a.merged())
    assert a.merged().weight.tolist() == [a.weight.sum()]


@given(sizes, seeds, seeds)
def test_minus_undoes_plus(k, one, other):
    a, b = stats_of(k, one), stats_of(k, other)
    assert np.array_equal(flat((a + b).minus(b)), flat(a))
    assert np.array_equal(flat(a.minus(Stats.zero(LAYOUT, k))), flat(a))


def test_minus_leaves_no_negative_counts_to_rounding():
    a = stats_of(2, 0)
    left = a.minus(a + stats_of(2, 1))
    for part in (left.weight, left.counts):
        assert (part >= 0).all()


@given(sizes, seeds, seeds, st.integers(0, 5))
def test_a_difference_added_gives_the_whole_and_a_multiple_is_a_sum(k, one, other, n):
    a, b = stats_of(k, one), stats_of(k, other)
    assert same((a - b) + b, a)
    total = Stats.zero(LAYOUT, k)
    for _ in range(n):
        total = total + a
    assert same(a.times(n), total)


@given(sizes, seeds)
def test_the_norm_is_a_length(k, seed):
    a = stats_of(k, seed)
    assert Stats.zero(LAYOUT, k).norm() == 0.0
    assert a.times(-3.0).norm() == pytest.approx(3 * a.norm())
    assert (a + a.times(-1.0)).norm() == 0.0


@pytest.mark.parametrize("method", ["take", "without", "beside", "merged", "minus", "__add__"])
def test_nothing_changes_its_operand(method):
    a = stats_of(3, 4)
    before = flat(a).copy()
    arguments = {"take": [[0]], "without": [[0]], "merged": []}.get(method, [stats_of(3, 5)])
    result = getattr(a, method)(*arguments)
    result.counts[:] = -1.0
    assert np.array_equal(flat(a), before)


@settings(deadline=None)
@given(tables(missing=True, max_numeric=2), st.integers(1, 15))
def test_the_sum_over_blocks_is_the_whole(table, size):
    whole = table.records().everything
    # Sums of quarters and halves are exact in any order.
    assert same(table.records(block_rows=size).everything, whole)


@settings(deadline=None)
@given(tables(missing=True))
def test_the_background_is_the_share_of_each_known_value(table):
    G = table.records().background.G[:, 0]
    assert np.isfinite(G).all()
    offsets = table.layout.offsets
    for m, cardinality in enumerate(table.cardinalities):
        pairs = zip(table.rows, table.weights, strict=True)
        known = [(row[m], w) for row, w in pairs if row[m] is not None]
        total = sum(w for _, w in known)
        for v in range(cardinality):
            share = sum(w for value, w in known if value == v) / total if total else 0.0
            assert G[offsets[m] + v] == pytest.approx(share)
