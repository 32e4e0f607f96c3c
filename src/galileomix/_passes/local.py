"""Blocks in this process, on as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar, cast

from joblib import effective_n_jobs, parallel_config

from galileomix._passes.fold import folded, runs_of, sum_of_run
from galileomix._table import Block

T = TypeVar("T")


class LocalEngine:
    """Sum a function over blocks in this process.

    Blocks are in memory, or made when asked for. ``n_jobs`` threads, as in scikit-learn: None is
    one, -1 all processors that this process, or its container, may use. Blocks are added in their
    own order whatever the number, so that it changes no bit of a result.
    """

    def __init__(self, blocks: Sequence[Block], n_jobs: int | None = None) -> None:
        self._blocks, self._n_jobs = blocks, n_jobs
        self._runs = runs_of(blocks)
        n_threads = min(threads(n_jobs), len(self._runs))
        # The pool's threads end when the engine is let go.
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None

    def holding(self, blocks: Sequence[Block]) -> LocalEngine:
        """Return an engine for other blocks, on as many threads."""
        return LocalEngine(blocks, self._n_jobs)

    def sum(self, f: Callable[[Block], T]) -> T:
        """Return f(first block) + f(second block) + ..., in the order of `fold`."""
        mapped = self._pool.map if self._pool else map
        return folded(mapped(partial(sum_of_run, f, self._blocks), self._runs), len(self._runs))


def threads(n_jobs: int | None) -> int:
    """Return the number of threads that ``n_jobs`` asks for."""
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning; use 1, or -1 for all processors")
    with parallel_config(backend="threading"):
        return cast(int, effective_n_jobs(1 if n_jobs is None else n_jobs))
