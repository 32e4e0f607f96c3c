"""Whole records drawn by weight, whatever the order and the blocks of the rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from building import in_order, seeds, table_of, tables
from galileomix._passes import LocalEngine
from galileomix._table import draw, hash_rows
from galileomix._table.blocks import draw as draw_module


def drawn(table, k, seed, size=10_000):
    engine = LocalEngine(table.blocks(size))
    return draw(engine.sum, k, len(table.rows), np.random.default_rng(seed))


def same(left, right):
    return np.array_equal(left[0], right[0]) and np.array_equal(left[1], right[1], equal_nan=True)


@settings(deadline=None)
@given(tables(missing=True, max_numeric=2), st.randoms(use_true_random=False), seeds)
def test_the_order_of_rows_does_not_matter(table, random, seed):
    order = random.sample(range(len(table.rows)), len(table.rows))
    assert same(drawn(table, 5, seed), drawn(in_order(table, order), 5, seed))


@settings(deadline=None)
@given(tables(missing=True, max_numeric=2), st.integers(1, 15), seeds)
def test_the_blocks_do_not_matter(table, size, seed):
    assert same(drawn(table, 5, seed), drawn(table, 5, seed, size))


@settings(deadline=None)
@given(tables(missing=True, max_numeric=1), st.data(), seeds)
def test_a_weight_of_two_is_the_row_twice(table, data, seed):
    n = len(table.rows)
    times = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    weighted = table_of(table.rows, table.cardinalities, table.numbers, times)
    repeated = in_order(
        table_of(table.rows, table.cardinalities, table.numbers), np.repeat(range(n), times)
    )
    assert same(drawn(weighted, 5, seed), drawn(repeated, 5, seed))


@settings(deadline=None)
@given(tables(missing=True, max_numeric=1), seeds)
def test_what_is_drawn_is_a_record(table, seed):
    codes, numbers = drawn(table, 8, seed)
    block = table.block()
    rows = np.hstack([block.codes, block.numbers])
    for row in np.hstack([codes, numbers]):
        assert any(np.array_equal(row, other, equal_nan=True) for other in rows)


def test_how_often_follows_the_weights():
    weights = np.array([1.0, 2.0, 0.5, 4.0, 2.5])
    found = np.zeros(5)
    for seed in range(40):
        codes, _ = drawn(table_of([[v] for v in range(5)], weights=weights), 100, seed)
        found += np.bincount(codes[:, 0], minlength=5)
    assert chisquare(found, weights / weights.sum() * found.sum()).pvalue > 0.01


def test_a_row_of_no_weight_is_never_drawn():
    """Such rows are dropped before; if one were left, it would have no length on the line."""
    table = table_of([[v] for v in range(30)], weights=[0.0, 1.0] * 15)
    codes, _ = drawn(table, 2000, seed=1)
    assert set(codes[:, 0].tolist()) == set(range(1, 30, 2))


def test_draws_are_with_replacement():
    codes, _ = drawn(table_of([[0], [1]]), 50, seed=0)
    assert codes.shape == (50, 1)


def test_equal_numbers_are_equal_whatever_their_bits():
    block = table_of([[0]] * 4, numbers=[[0.0], [-0.0], [np.nan], [-np.nan]]).block()
    zero, minus_zero, nan, minus_nan = hash_rows(block, key=7).tolist()
    assert zero == minus_zero
    assert nan == minus_nan
    assert zero != nan


@pytest.mark.parametrize("key", [0, 1, 2**63 - 1])
def test_hashes_tell_rows_apart(key):
    table = table_of([[a, b] for a in range(50) for b in range(50)])
    assert len(set(hash_rows(table.block(), key).tolist())) == 2500


def test_of_many_rows_few_come_together_and_the_draw_is_the_same(monkeypatch):
    rows = [[a, b] for a in range(200) for b in range(100)] + [[7, 7]] * 5000
    table, brought = table_of(rows, (200, 100)), []

    def total(f):
        found = LocalEngine(table.blocks(1000)).sum(f)
        brought.append(len(getattr(found, "rows", ())))
        return found

    here = drawn(table, 20, 3)
    monkeypatch.setattr(draw_module, "BUCKET_ROWS", 1)
    there = draw(total, 20, len(table.rows), np.random.default_rng(3))
    assert same(here, there)
    assert sum(brought) < 100
    assert (here[0] == 7).all(axis=1).any()  # what repeats came once
