"""Equal rows as one row with the sum of their weights, where that leaves much less to do.

A sum over blocks, so that every engine finds the same rows in the same order: that of their
hashes, whatever the order of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from galileomix._table.blocks.block import BLOCK_ROWS, Block, concatenate
from galileomix._table.blocks.draw import hash_rows
from galileomix._table.column import slices

MOST_DISTINCT = 65_536
"""More distinct rows than this are not looked for."""
WORTHWHILE_SHARE = 0.8
"""The share of rows that may be left for collapsing to pay."""
KEY = 0


@dataclass(frozen=True, eq=False)
class Distinct:
    """The distinct rows among `n_rows`, by their hashes, which increase.

    A row has the weight of all its equals. `rows` is None where more than `MOST_DISTINCT` are
    distinct, or where two that differ have the same hash.
    """

    n_rows: int
    hashes: NDArray[np.uint64]
    rows: Block | None

    @classmethod
    def of(cls, block: Block) -> Distinct:
        """Return the distinct rows of a block."""
        return _distinct(len(block), hash_rows(block, KEY), block)

    def __add__(self, other: Distinct) -> Distinct:
        n_rows = self.n_rows + other.n_rows
        if self.rows is None or other.rows is None:
            return Distinct(n_rows, self.hashes[:0], None)
        hashes = np.concatenate([self.hashes, other.hashes])
        return _distinct(n_rows, hashes, concatenate([self.rows, other.rows]))


def _distinct(n_rows: int, hashes: NDArray[np.uint64], block: Block) -> Distinct:
    unique, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    weights = np.bincount(inverse, block.weights, minlength=len(unique)).astype(np.float64)
    rows = Block(block.codes[first], block.numbers[first], weights)
    alike = len(unique) == len(hashes) or (
        np.array_equal(rows.codes[inverse], block.codes)
        and np.array_equal(rows.numbers[inverse], block.numbers, equal_nan=True)
    )
    return Distinct(n_rows, unique, rows if alike and len(unique) <= MOST_DISTINCT else None)


def collapse(total: Callable[[Callable[[Block], Distinct]], Distinct]) -> list[Block] | None:
    """Return blocks of the distinct rows, or None where they are nearly as many as the rows.

    `total` sums a function over all blocks, as ``engine.sum``.

    Examples
    --------
    >>> block = Block(np.array([[0], [1], [0]], np.uint8), np.zeros((3, 0)), np.ones(3))
    >>> [rows] = collapse(lambda f: f(block))
    >>> sorted(zip(rows.codes[:, 0].tolist(), rows.weights.tolist(), strict=True))
    [(0, 2.0), (1, 1.0)]
    """
    found = total(Distinct.of)
    rows = found.rows
    if rows is None or len(rows) > WORTHWHILE_SHARE * found.n_rows:
        return None
    return [rows.rows(cut) for cut in slices(len(rows), BLOCK_ROWS)]
