"""Draw whole records by weight, the same ones whatever the order of the rows.

Every record is given a place on a line by a hash of its values and a key; a draw is a point on
the line, where each record is as long as its weight. Equal records lie side by side, so that a
row of weight two is as good as the row twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.blocks.block import Block, concatenate

BUCKET_ROWS = 1024
"""Rows in a bucket, or fewer: as many as come to one place for each record that is drawn."""
BUCKET_BITS = (12, 18)
"""The fewest and the most bits of a hash that say in which bucket a record is."""
Hashes = NDArray[np.uint64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HashedRows:
    """Distinct records by their hashes, which rise; ``+`` puts two sets together.

    Equal records are one with the sum of their weights.
    """

    hashes: Hashes
    rows: Block

    @classmethod
    def of(cls, hashes: Hashes, rows: Block) -> HashedRows:
        """Return those of some rows, which may repeat."""
        distinct, first, which = np.unique(hashes, return_index=True, return_inverse=True)
        weights = np.bincount(which.reshape(-1), rows.weights, len(distinct)).astype(np.float64)
        return cls(distinct, Block(rows.codes[first], rows.numbers[first], weights))

    def __add__(self, other: HashedRows) -> HashedRows:
        hashes = np.concatenate([self.hashes, other.hashes])
        return HashedRows.of(hashes, concatenate([self.rows, other.rows]))


def draw(
    total: Callable[[Callable[[Block], Any]], Any], k: int, n_rows: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Floats]:
    """Return the codes (k, M) and numbers (k, Q) of k of the records, drawn by weight.

    `total` sums a function over all blocks, as ``engine.sum``.
    """
    key, bits = int(rng.integers(2**63)), _bucket_bits(n_rows)
    lengths: Floats = total(partial(_lengths, key=key, bits=bits))
    ends = np.cumsum(lengths)
    points = rng.random(k) * ends[-1]
    buckets = np.minimum(np.searchsorted(ends, points, side="right"), len(ends) - 1)
    asked = partial(_in_buckets, key=key, bits=bits, buckets=np.unique(buckets))
    found: HashedRows = total(asked)
    bucket = _bucket(found.hashes, bits)  # they rise
    firsts, stops = (np.searchsorted(bucket, buckets, side) for side in ("left", "right"))
    chosen = np.empty(k, dtype=np.intp)
    for j, (b, first, stop) in enumerate(zip(buckets, firsts, stops, strict=True)):
        along = points[j] - (ends[b] - lengths[b])
        at = np.searchsorted(np.cumsum(found.rows.weights[first:stop]), along, side="right")
        chosen[j] = min(first + at, stop - 1)
    return found.rows.codes[chosen].astype(np.intp), found.rows.numbers[chosen]


def hash_rows(block: Block, key: int) -> Hashes:
    """Return one number per row, a function of its values and the key alone."""
    state = np.full(len(block), np.uint64(key))
    for column in block.codes.T:
        state = scattered(state ^ column.astype(np.uint64))
    for column in block.numbers.T:
        # Adding zero turns -0.0 into 0.0, and one NaN stands for all.
        plain = np.where(np.isnan(column), np.nan, column + 0.0)
        state = scattered(state ^ plain.view(np.uint64))
    return state


def scattered(state: Hashes) -> Hashes:
    """Return numbers with their bits scattered (the finaliser of the splitmix64 generator)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def _bucket_bits(n_rows: int) -> int:
    """Return how many bits of a hash say in which bucket a record is.

    >>> _bucket_bits(100), _bucket_bits(10**9), _bucket_bits(10**12)
    (12, 18, 18)
    """
    fewest, most = BUCKET_BITS
    return min(max(fewest, math.ceil(math.log2(n_rows / BUCKET_ROWS))), most)


def _bucket(hashes: Hashes, bits: int) -> NDArray[np.intp]:
    return (hashes >> np.uint64(64 - bits)).astype(np.intp)


def _lengths(block: Block, key: int, bits: int) -> Floats:
    buckets = _bucket(hash_rows(block, key), bits)
    return np.bincount(buckets, block.weights, minlength=2**bits).astype(np.float64)


def _in_buckets(block: Block, key: int, bits: int, buckets: NDArray[np.intp]) -> HashedRows:
    hashes = hash_rows(block, key)
    chosen = np.flatnonzero(np.isin(_bucket(hashes, bits), buckets))
    return HashedRows.of(hashes[chosen], block.rows(chosen))
