"""A sample of the records, whatever the order and the blocks of the rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import in_order, table_of, tables
from galileomix._passes import LocalEngine
from galileomix._table import Block, sample
from galileomix._table.blocks import sample as sample_module
from galileomix._table.blocks.block import concatenate


def sampled(table, n, size=10_000):
    blocks = sample(LocalEngine(table.blocks(size)).sum, n, len(table.rows))
    return concatenate(blocks) if blocks else None


def same(left, right):
    if left is None or right is None:
        return left is right
    return (
        np.array_equal(left.codes, right.codes)
        and np.array_equal(left.numbers, right.numbers, equal_nan=True)
        and np.array_equal(left.weights, right.weights)
    )


@settings(deadline=None)
@given(tables(missing=True, max_numeric=2), st.randoms(use_true_random=False), st.integers(1, 15))
def test_neither_the_order_of_rows_nor_their_blocks_matter(table, random, size):
    order = random.sample(range(len(table.rows)), len(table.rows))
    n = max(1, len(table.rows) // 2)
    assert same(sampled(table, n), sampled(in_order(table, order), n, size))


@pytest.mark.parametrize("n", [200, 2000])
def test_about_as_many_as_asked_for_and_none_twice(n):
    rows = np.stack(np.unravel_index(np.arange(10_000), (10, 10, 10, 10)), axis=1)
    found = sampled(table_of(rows.tolist(), (10, 10, 10, 10)), n, 1000)
    assert abs(len(found) - n) < 5 * np.sqrt(n)
    assert len(np.unique(found.codes, axis=0)) == len(found)
    assert set(found.weights) == {1.0}
    assert np.bincount(found.codes[:, 3]).min() > n / 20


def test_a_smaller_sample_is_within_a_larger_one():
    rows = np.stack(np.unravel_index(np.arange(1000), (10, 10, 10)), axis=1)
    table = table_of(rows.tolist(), (10, 10, 10))
    few, many = sampled(table, 50), sampled(table, 400)
    assert {*map(tuple, few.codes.tolist())} <= {*map(tuple, many.codes.tolist())}


def test_what_is_too_heavy_to_be_left_out_keeps_its_share():
    rows = [[0, 0]] * 3000 + [[a // 50, a % 50] for a in range(1, 2000)]
    table = table_of(rows, (50, 50))
    found = sampled(table, 500)
    heavy = found.weights[(found.codes == 0).all(axis=1)]
    assert heavy.tolist() == [pytest.approx(500 / 4999 * 3000)]
    assert set(found.weights) - set(heavy) == {1.0}
    assert found.weights.sum() == pytest.approx(500, rel=0.2)


def test_weights_say_what_is_drawn_more_often():
    rows = np.stack(np.unravel_index(np.arange(4000), (4, 10, 10, 10)), axis=1)
    weights = np.where(rows[:, 0] == 0, 3.0, 1.0)
    found = sampled(table_of(rows.tolist(), (4, 10, 10, 10), weights=weights.tolist()), 600)
    shares = np.bincount(found.codes[:, 0], found.weights) / found.weights.sum()
    assert shares == pytest.approx([0.5, 1 / 6, 1 / 6, 1 / 6], abs=0.06)
    assert found.weights.sum() == pytest.approx(600 * weights.mean(), rel=0.15)


def test_records_of_no_weight_are_not_drawn():
    found = sampled(table_of([[0], [1]] * 50, (2,), weights=[1.0, 0.0] * 50), 50)
    assert set(found.codes[:, 0]) == {0}


def test_as_many_as_there_are_is_all_of_them_with_their_weights():
    weights = np.array([1e-3, 1.0, 1e3, 2.0])
    block = Block(np.array([[0], [1], [2], [1]], np.uint8), np.zeros((4, 0)), weights)
    [found] = sample(lambda f: f(block), 4, 4)
    by_code = dict(zip(found.codes[:, 0].tolist(), found.weights.tolist(), strict=True))
    assert by_code == {0: 1e-3, 1: 3.0, 2: 1e3}


def test_of_many_rows_few_come_together(monkeypatch):
    n, distinct, times = 300, 40_000, np.array([30_000, 3000, 300, 30, 3, 2])
    codes = np.stack(np.divmod(np.arange(distinct), 200), axis=1)
    copies = np.append(times, np.ones(distinct - len(times), int))
    table = table_of(np.repeat(codes, copies, axis=0).tolist(), (200, 200))
    asked, brought = [], []

    def total(f):
        found = LocalEngine(table.blocks(5000)).sum(f)
        asked.append(f)
        brought.append(len(getattr(found, "rows", ())))
        return found

    monkeypatch.setattr(sample_module, "BUCKET_BITS", 10)
    plain = concatenate(sample(total, n, len(table.rows)))
    assert len(asked) == 2
    monkeypatch.setattr(sample_module, "FEW", 1000)
    all_of_them = sum(brought)
    asked.clear(), brought.clear()
    sifted = concatenate(sample(total, n, len(table.rows)))
    assert same(sifted, plain)
    assert len(asked) > 3
    assert sum(brought) < 5 * n < all_of_them
