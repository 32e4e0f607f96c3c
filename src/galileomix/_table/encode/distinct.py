"""Equal rows as one row that weighs as much, where that leaves much less to do.

A sum over blocks, so that every engine finds the same rows in the same order: that of their
hashes, whatever the order of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import slices
from galileomix._table.encode.draw import hash_rows
from galileomix._table.encode.encoder import BLOCK_ROWS, Block

MOST = 65_536
"""More different rows than this are not looked for."""
WORTH = 0.8
"""The share of rows that may be left for collapsing to pay."""
KEY = 0


@dataclass(frozen=True, eq=False)
class Distinct:
    """The different rows among some, by their hash; none where there are more than `MOST`.

    Parameters
    ----------
    n_rows : int
        How many rows they stand for.
    hashes : ndarray of uint64, increasing
    rows : Block
        A row for each hash, with what all its equals weigh.
    """

    n_rows: int
    hashes: NDArray[np.uint64]
    rows: Block | None

    @classmethod
    def of(cls, block: Block) -> Distinct:
        """Return the different rows of a block."""
        return _distinct(len(block), hash_rows(block, KEY), block)

    def __add__(self, other: Distinct) -> Distinct:
        n_rows = self.n_rows + other.n_rows
        if self.rows is None or other.rows is None:
            return Distinct(n_rows, self.hashes[:0], None)
        hashes = np.concatenate([self.hashes, other.hashes])
        both = Block(
            np.concatenate([self.rows.codes, other.rows.codes]),
            np.concatenate([self.rows.numbers, other.rows.numbers]),
            np.concatenate([self.rows.weights, other.rows.weights]),
        )
        return _distinct(n_rows, hashes, both)


def _distinct(n_rows: int, hashes: NDArray[np.uint64], block: Block) -> Distinct:
    unique, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    rows = Block(
        block.codes[first],
        block.numbers[first],
        np.bincount(inverse, block.weights, minlength=len(unique)).astype(np.float64),
    )
    alike = len(unique) == len(hashes) or (
        np.array_equal(rows.codes[inverse], block.codes)
        and np.array_equal(rows.numbers[inverse], block.numbers, equal_nan=True)
    )
    kept = rows if alike and len(unique) <= MOST else None
    return Distinct(n_rows, unique, kept)


def collapse(total: Callable[[Callable[[Block], Distinct]], Distinct]) -> list[Block] | None:
    """Return blocks of the different rows, or None where they are nearly as many as the rows.

    Parameters
    ----------
    total : callable
        Sums a function over all blocks, as ``engine.sum``.

    Examples
    --------
    >>> block = Block(np.array([[0], [1], [0]], np.uint8), np.zeros((3, 0)), np.ones(3))
    >>> [rows] = collapse(lambda f: f(block))
    >>> sorted(zip(rows.codes[:, 0].tolist(), rows.weights.tolist(), strict=True))
    [(0, 2.0), (1, 1.0)]
    """
    found = total(Distinct.of)
    rows = found.rows
    if rows is None or len(rows) > WORTH * found.n_rows:
        return None
    cuts = slices(len(rows), BLOCK_ROWS)
    return [Block(rows.codes[cut], rows.numbers[cut], rows.weights[cut]) for cut in cuts]
