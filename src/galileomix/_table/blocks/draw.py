"""Draw whole records by weight, the same ones whatever the order of the rows.

Every record is given a place on a line by a hash of its values and a key; a draw is a point on
the line, where each record is as long as its weight. Equal records lie side by side, so that a
row of weight two is as good as the row twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from galileomix._table.blocks.block import Block, concatenate

BUCKETS = 4096
Hashes = NDArray[np.uint64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HashedRows:
    """Some records with their hashes; ``+`` puts two sets together."""

    hashes: Hashes
    rows: Block

    def __add__(self, other: HashedRows) -> HashedRows:
        hashes = np.concatenate([self.hashes, other.hashes])
        return HashedRows(hashes, concatenate([self.rows, other.rows]))


def draw(
    total: Callable[[Callable[[Block], object]], object], k: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Floats]:
    """Return the codes (k, M) and numbers (k, Q) of k records drawn by weight.

    `total` sums a function over all blocks, as ``engine.sum``.
    """
    key = int(rng.integers(2**63))
    lengths = np.asarray(total(partial(_lengths, key=key)), dtype=float)
    ends = np.cumsum(lengths)
    points = rng.random(k) * ends[-1]
    buckets = np.minimum(np.searchsorted(ends, points, side="right"), BUCKETS - 1)
    found = total(partial(_in_buckets, key=key, buckets=np.unique(buckets)))
    assert isinstance(found, HashedRows)
    order = np.argsort(found.hashes, kind="stable")
    bucket = _bucket(found.hashes[order])
    chosen = np.empty(k, dtype=np.intp)
    for j, (b, point) in enumerate(zip(buckets, points, strict=True)):
        inside = order[bucket == b]
        along = point - (ends[b] - lengths[b])
        at = np.searchsorted(np.cumsum(found.rows.weights[inside]), along, side="right")
        chosen[j] = inside[min(at, len(inside) - 1)]
    return found.rows.codes[chosen].astype(np.intp), found.rows.numbers[chosen]


def hash_rows(block: Block, key: int) -> Hashes:
    """Return one number per row, a function of its values and the key alone."""
    state = np.full(len(block), np.uint64(key))
    for column in block.codes.T:
        state = _mix(state ^ column.astype(np.uint64))
    for column in block.numbers.T:
        # Adding zero turns -0.0 into 0.0, and one NaN stands for all.
        plain = np.where(np.isnan(column), np.nan, column + 0.0)
        state = _mix(state ^ plain.view(np.uint64))
    return state


def _mix(state: Hashes) -> Hashes:
    """Scatter the bits (the finaliser of the splitmix64 generator)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def _bucket(hashes: Hashes) -> NDArray[np.intp]:
    return (hashes >> np.uint64(52)).astype(np.intp)


def _lengths(block: Block, key: int) -> Floats:
    buckets = _bucket(hash_rows(block, key))
    return np.bincount(buckets, block.weights, minlength=BUCKETS).astype(np.float64)


def _in_buckets(block: Block, key: int, buckets: NDArray[np.intp]) -> HashedRows:
    hashes = hash_rows(block, key)
    chosen = np.flatnonzero(np.isin(_bucket(hashes), buckets))
    return HashedRows(hashes[chosen], block.rows(chosen))
