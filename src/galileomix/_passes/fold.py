"""The order in which blocks are added up, which is part of the bits of a sum.

Blocks are added in runs, runs in groups, and groups in groups of groups, always in their order. So
any engine may add up a group wherever its blocks are: the sum has the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import add
from typing import Any, TypeVar

from galileomix._table import BLOCK_ROWS, Block

T = TypeVar("T")

RUN = 4
"""Blocks that are added up first: what one thread takes at a time."""
GROUP = 8
"""Runs in a group, and groups in a group of groups."""
GROUP_ROWS = BLOCK_ROWS * RUN * GROUP
"""Rows of a group of runs: what one task of a pass on a cluster adds up, or a group of them."""


def added(parts: Iterable[T]) -> T:
    """Return first + second + ..."""
    return reduce(_add, parts)


def runs_of(blocks: Sequence[Block]) -> list[range]:
    """Return the positions of the blocks of each run."""
    n_blocks = len(blocks)
    return [range(first, min(first + RUN, n_blocks)) for first in range(0, n_blocks, RUN)]


def sum_of_run(f: Callable[[Block], T], blocks: Sequence[Block], run: range) -> T:
    """Return the sum of a function over the blocks of one run."""
    return added(f(blocks[position]) for position in run)


def sum_of_group(f: Callable[[Block], T], blocks: Sequence[Block]) -> T:
    """Return the sum of a function over the blocks of a group of runs, or of a group of groups."""
    runs = runs_of(blocks)
    return folded((sum_of_run(f, blocks, run) for run in runs), len(runs))


def folded(sums: Iterable[T], n_sums: int) -> T:
    """Return the sum of that many sums in groups; no more of them are held than it takes."""
    while n_sums > 1:
        sums, n_sums = map(added, in_groups(sums)), -(-n_sums // GROUP)
    return next(iter(sums))


def in_groups(parts: Iterable[T]) -> Iterator[list[T]]:
    """Yield a group of parts at a time."""
    rest = iter(parts)
    while group := list(islice(rest, GROUP)):
        yield group


def _add(left: Any, right: Any) -> Any:
    return add(left, right)
