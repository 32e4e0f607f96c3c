"""A sample of the records, the same one whatever the order and the number of blocks.

A record is taken where a hash of its values falls below its weight times the rate that is asked
for. Equal records are one with the sum of their weights; what is so heavy that it is taken for
certain keeps its share. So a sample is as good for a table of few rows that repeat as for one whose
rows are all different.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.blocks.block import BLOCK_ROWS, Block
from galileomix._table.blocks.draw import HashedRows, hash_rows
from galileomix._table.column import slices

KEY = 1
BUCKET_BITS = 16
"""Bits of a hash that say in which bucket a record is; the others say whether it is taken."""
ALL = 1e100
"""A rate at which any weight is enough to be taken."""
Floats = NDArray[np.float64]


def sample(total: Callable[[Callable[[Block], Any]], Any], n: int, n_rows: int) -> list[Block]:
    """Return about n of the records, in blocks; together they weigh n / n_rows of all.

    Where n is no less than the number of rows these are all records with their own weights.
    `total` sums a function over all blocks, as ``engine.sum``; it is asked twice.

    Examples
    --------
    >>> block = Block(np.arange(200, dtype=np.uint8)[:, None], np.zeros((200, 0)), np.ones(200))
    >>> [rows] = sample(lambda f: f(block), 50, 200)
    >>> 30 < len(rows) < 70, set(rows.weights.tolist())
    (True, {1.0})
    """
    lengths: Floats = total(_lengths)
    weight = float(lengths.sum())
    rate = n / weight if n < n_rows else ALL
    # A record weighs no more than its bucket: others cannot be taken.
    found: HashedRows = total(partial(_below, limits=rate * lengths))
    hashes, first, inverse = np.unique(found.hashes, return_index=True, return_inverse=True)
    weights = np.bincount(inverse.reshape(-1), found.rows.weights).astype(np.float64)
    taken = _height(hashes) < rate * weights
    rows, weights = found.rows.rows(first[taken]), weights[taken]
    if n < n_rows:
        weights = np.maximum(weight / n_rows, n / n_rows * weights)
    rows = Block(rows.codes, rows.numbers, weights)
    return [rows.rows(cut) for cut in slices(len(rows), BLOCK_ROWS)]


def _lengths(block: Block) -> Floats:
    buckets = _bucket(hash_rows(block, KEY))
    return np.bincount(buckets, block.weights, minlength=2**BUCKET_BITS).astype(np.float64)


def _below(block: Block, limits: Floats) -> HashedRows:
    """Return the records that may be taken, if they weigh as much as all of their bucket."""
    hashes = hash_rows(block, KEY)
    chosen = np.flatnonzero(_height(hashes) < limits[_bucket(hashes)])
    return HashedRows(hashes[chosen], block.rows(chosen))


def _bucket(hashes: NDArray[np.uint64]) -> NDArray[np.intp]:
    return (hashes >> np.uint64(64 - BUCKET_BITS)).astype(np.intp)


def _height(hashes: NDArray[np.uint64]) -> Floats:
    """Return a number between 0 and 1 from the bits that choose no bucket."""
    low = hashes & np.uint64(2 ** (64 - BUCKET_BITS) - 1)
    return low / 2.0 ** (64 - BUCKET_BITS)
