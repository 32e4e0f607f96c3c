"""Blocks: a fixed number of encoded rows, as the kernels read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Codes

BLOCK_ROWS = 8192
"""Rows in a block. Results are folded block by block, so this number is part of their bits."""

_ONES = np.ones(BLOCK_ROWS)
"""The weights of every block of a table without weights: they take no memory of their own."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a table as the kernels read them."""

    # (n, M) the position of each value in its attribute's vocabulary. The number of values of the
    # attribute itself, one past the last, means missing: leave this attribute out.
    codes: Codes
    # (n, Q) the numeric attributes as ``(x - center) / scale``; NaN means missing.
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]  # (n,) how many rows each row stands for
    # What kernels prepare from the block; it goes with the block, and is never pickled.
    cache: dict[Any, Any] = field(default_factory=dict[Any, Any], init=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Block, (self.codes, self.numbers, self.weights)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.weights)

    def rows(self, which: slice | NDArray[Any]) -> Block:
        """Return some of the rows."""
        return Block(self.codes[which], self.numbers[which], self.weights[which])


def concatenate(blocks: Sequence[Block]) -> Block:
    """Return the rows of several blocks as one."""
    return Block(
        np.concatenate([block.codes for block in blocks]),
        np.concatenate([block.numbers for block in blocks]),
        np.concatenate([block.weights for block in blocks]),
    )


def in_blocks(parts: Iterable[Block], *, weighted: bool = True) -> Iterator[Block]:
    """Cut parts of any length into blocks of `BLOCK_ROWS` rows, the last one shorter.

    So blocks depend on the rows alone, not on the chunks or files they came in. Without weights
    (not `weighted`) all blocks share one array of ones.
    """
    held: list[Block] = []
    for part in parts:
        start = 0
        while start < len(part):
            stop = min(len(part), start + BLOCK_ROWS - sum(map(len, held)))
            held.append(part.rows(slice(start, stop)))
            start = stop
            if sum(map(len, held)) == BLOCK_ROWS:
                yield _joined(held, weighted)
                held = []
    if held:
        yield _joined(held, weighted)


def _joined(parts: list[Block], weighted: bool) -> Block:
    joined = concatenate(parts)
    return joined if weighted else Block(joined.codes, joined.numbers, _ONES[: len(joined)])
