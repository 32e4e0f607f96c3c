"""Equal rows as one: the same rows, the same weight, whatever the order or the blocks."""

from functools import reduce
from operator import add

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from galileomix._table import Block, collapse
from galileomix._table.blocks import distinct

rows = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, 1),
        st.sampled_from([0.0, 1.5, float("nan")]),
        st.sampled_from([0.5, 1.0, 3.0]),
    ),
    min_size=1,
    max_size=40,
)


def blocks_of(table, size=7):
    array = np.array(table)
    return [
        Block(part[:, :2].astype(np.uint8), part[:, 2:3].copy(), part[:, 3].copy())
        for part in (array[a : a + size] for a in range(0, len(array), size))
    ]


def total(blocks):
    return lambda f: reduce(add, map(f, blocks))


def weights_by_row(blocks):
    found = {}
    for block in blocks:
        for code, number, weight in zip(block.codes, block.numbers, block.weights, strict=True):
            key = (*code.tolist(), str(number[0]))
            found[key] = found.get(key, 0.0) + weight
    return found


@given(rows)
def test_every_row_is_there_once_with_the_weight_of_all(table):
    few = collapse(total(blocks_of(table)))
    if few is None:
        assert len(weights_by_row(blocks_of(table))) > distinct.WORTHWHILE_SHARE * len(table)
        return
    assert sum(map(len, few)) == len(weights_by_row(few))
    assert weights_by_row(few) == weights_by_row(blocks_of(table))


@given(rows, st.randoms(use_true_random=False), st.integers(1, 50))
def test_neither_the_order_nor_the_blocks_matter(table, random, size):
    shuffled = list(table)
    random.shuffle(shuffled)
    one, two = collapse(total(blocks_of(table))), collapse(total(blocks_of(shuffled, size)))
    assert (one is None) == (two is None)
    for a, b in zip(one or [], two or [], strict=True):
        assert np.array_equal(a.codes, b.codes)
        assert np.array_equal(a.numbers, b.numbers, equal_nan=True)
        assert np.array_equal(a.weights, b.weights)


def test_too_many_are_not_kept(monkeypatch):
    monkeypatch.setattr(distinct, "MOST_DISTINCT", 3)
    table = [(v, 0, 0.0, 1.0) for v in range(4)] * 50
    assert collapse(total(blocks_of(table))) is None


def test_a_clash_of_hashes_is_noticed(monkeypatch):
    monkeypatch.setattr(distinct, "hash_rows", lambda block, key: np.zeros(len(block), np.uint64))
    assert collapse(total(blocks_of([(0, 0, 0.0, 1.0), (1, 0, 0.0, 1.0)] * 5))) is None
