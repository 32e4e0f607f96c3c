"""Blocks in this process, on as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add
from typing import Any, TypeVar, cast

from joblib import effective_n_jobs, parallel_config

from galileomix._table import Block

T = TypeVar("T")

RUN = 4
"""Blocks that one thread adds up at a time. Sums are folded in runs of this many blocks on any
number of threads, so it is part of their bits."""


class LocalEngine:
    """Sum a function over blocks in this process.

    Blocks are in memory, or made when asked for. ``n_jobs`` threads, as in scikit-learn: None is
    one, -1 all processors that this process, or its container, may use. Blocks are added in their
    own order whatever the number, so that it changes no bit of a result.
    """

    def __init__(self, blocks: Sequence[Block], n_jobs: int | None = None) -> None:
        self._blocks, self._n_jobs = blocks, n_jobs
        self._runs = [range(i, min(i + RUN, len(blocks))) for i in range(0, len(blocks), RUN)]
        n_threads = min(threads(n_jobs), len(self._runs))
        # The pool's threads end when the engine is let go.
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None

    def holding(self, blocks: Sequence[Block]) -> LocalEngine:
        """Return an engine for other blocks, on as many threads."""
        return LocalEngine(blocks, self._n_jobs)

    def sum(self, f: Callable[[Block], T]) -> T:
        """Return f(first block) + f(second block) + ..."""

        def fold(run: range) -> T:
            return reduce(_add, (f(self._blocks[i]) for i in run))

        mapped = self._pool.map if self._pool else map
        return reduce(_add, mapped(fold, self._runs))


def threads(n_jobs: int | None) -> int:
    """Return the number of threads that ``n_jobs`` asks for."""
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning; use 1, or -1 for all processors")
    with parallel_config(backend="threading"):
        return cast(int, effective_n_jobs(1 if n_jobs is None else n_jobs))


def _add(left: Any, right: Any) -> Any:
    return add(left, right)
