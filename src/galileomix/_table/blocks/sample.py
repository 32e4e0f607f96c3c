"""A sample of the records, the same one whatever the order and the number of blocks.

A record is taken where a hash of its values falls below its weight times the rate that is asked
for. Equal records are one with the sum of their weights; what is so heavy that it is taken for
certain keeps its share. So a sample is as good for a table of few rows that repeat as for one whose
rows are all different.

What a record weighs nobody knows before all its rows have come together. But it weighs no more than
the bucket that its hash falls in. Records that could not be taken even so are left out, and the
others are weighed again, in other buckets, until few are left: these come to one place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.blocks.block import BLOCK_ROWS, Block
from galileomix._table.blocks.draw import HashedRows, Hashes, hash_rows, scattered
from galileomix._table.column import slices

KEY = 1
BUCKET_BITS = 18
HEIGHT_BITS = 48
"""Bits of a hash that say whether a record is taken."""
FEW = 2**20
"""Rows that are few enough to leave out no more, but for one last time."""
STILL = 0.75
"""Rows are left out again as long as at most this share was left the last time."""
ALL = 1e100
"""A rate at which any weight is enough to be taken."""
Floats = NDArray[np.float64]


def sample(total: Callable[[Callable[[Block], Any]], Any], n: int, n_rows: int) -> list[Block]:
    """Return about n of the records, in blocks; together they weigh n / n_rows of all.

    Where n is no less than the number of rows these are all records with their own weights.
    `total` sums a function over all blocks, as ``engine.sum``; it is asked twice, and again for
    each time that records are left out.

    Examples
    --------
    >>> block = Block(np.arange(200, dtype=np.uint8)[:, None], np.zeros((200, 0)), np.ones(200))
    >>> [rows] = sample(lambda f: f(block), 50, 200)
    >>> 30 < len(rows) < 70, set(rows.weights.tolist())
    (True, {1.0})
    """
    weighed: Weighed = total(partial(_weighed, limits=()))
    weight = float(weighed.weights.sum())
    rate = n / weight if n < n_rows else ALL
    limits, left, before = [rate * weighed.of_buckets()], n_rows, np.inf
    while FEW < left <= STILL * before:
        weighed = total(partial(_weighed, limits=limits))
        limits.append(rate * weighed.of_buckets())
        left, before = weighed.n_rows, left
    found: HashedRows = total(partial(_below, limits=limits))
    weights = found.rows.weights
    taken = np.flatnonzero(_height(found.hashes) < rate * weights)
    rows, weights = found.rows.rows(taken), weights[taken]
    if n < n_rows:
        weights = np.maximum(weight / n_rows, n / n_rows * weights)
    rows = Block(rows.codes, rows.numbers, weights)
    return [rows.rows(cut) for cut in slices(len(rows), BLOCK_ROWS)]


@dataclass(frozen=True, eq=False)
class Weighed:
    """How many rows there are, and what those in each bucket weigh; a bucket may come again."""

    n_rows: int
    buckets: NDArray[np.int32]
    weights: Floats

    def __add__(self, other: Weighed) -> Weighed:
        buckets = np.concatenate([self.buckets, other.buckets])
        weights = np.concatenate([self.weights, other.weights])
        both = Weighed(self.n_rows + other.n_rows, buckets, weights)
        return both if len(buckets) < 2**BUCKET_BITS else both._each_once()

    def _each_once(self) -> Weighed:
        weights = self.of_buckets()
        buckets = np.flatnonzero(weights)
        return Weighed(self.n_rows, buckets.astype(np.int32), weights[buckets])

    def of_buckets(self) -> Floats:
        """Return the weights of all buckets."""
        found = np.bincount(self.buckets, self.weights, minlength=2**BUCKET_BITS)
        return found.astype(np.float64)


def _weighed(block: Block, limits: Sequence[Floats]) -> Weighed:
    """Return what the rows weigh that may be taken."""
    hashes, may = _may_be_taken(block, limits)
    return Weighed(len(may), _bucket(hashes[may], len(limits)), block.weights[may])


def _below(block: Block, limits: Sequence[Floats]) -> HashedRows:
    """Return the records that may be taken."""
    hashes, may = _may_be_taken(block, limits)
    return HashedRows.of(hashes[may], block.rows(may))


def _may_be_taken(block: Block, limits: Sequence[Floats]) -> tuple[Hashes, NDArray[np.intp]]:
    """Return the hashes of all rows, and which are taken if they weigh as much as their buckets."""
    hashes = hash_rows(block, KEY)
    may = np.arange(len(block))
    for time, most in enumerate(limits):
        may = may[_height(hashes[may]) < most[_bucket(hashes[may], time)]]
    return hashes, may


def _bucket(hashes: Hashes, time: int) -> NDArray[np.int32]:
    """Return the buckets of records: others every time."""
    return (scattered(hashes ^ np.uint64(time)) >> np.uint64(64 - BUCKET_BITS)).astype(np.int32)


def _height(hashes: Hashes) -> Floats:
    """Return a number between 0 and 1."""
    low = hashes & np.uint64(2**HEIGHT_BITS - 1)
    return low / 2.0**HEIGHT_BITS
