"""Blocks on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from distributed import Client, Future

from galileomix._passes.dask_cluster import gathered
from galileomix._passes.engine import MOST_GATHERED
from galileomix._passes.fold import GROUP, GROUP_ROWS, added, folded, in_groups, sum_of_group
from galileomix._passes.freed_memory import keep_freed_memory
from galileomix._passes.local import LocalEngine
from galileomix._table import Block

T = TypeVar("T")

MOST_TASKS = 1024
"""Tasks of a pass: Dask's scheduler takes more than a millisecond for each."""


def rows_of_task(n_rows: float) -> int:
    """Return how many rows one task of a pass adds up: a group, or a group of groups."""
    rows = GROUP_ROWS
    while n_rows > MOST_TASKS * rows:
        rows *= GROUP
    return rows


class DaskEngine:
    """Sum a function over blocks that are results of tasks, a group of runs or of groups each.

    What is lost with a worker is computed again by Dask. The function goes out once for every
    pass, as the result of a task too, and the sums of groups come back. Blocks are added in the
    order of `fold`, so that workers change no bit of a result. ``n_jobs`` is the number of threads
    for blocks in the memory of this process.
    """

    def __init__(self, client: Client, groups: Sequence[Future[Any]], n_jobs: int | None) -> None:
        self._client, self._groups, self._n_jobs = client, groups, n_jobs

    def holding(self, blocks: Sequence[Block]) -> LocalEngine:
        """Return an engine for some blocks in the memory of this process."""
        return LocalEngine(blocks, self._n_jobs)

    def sum(self, f: Callable[[Block], T]) -> T:
        """Return the sum of f over all blocks, in the order of `fold`."""
        sums = gathered(self._client, partial(self._sums, f))
        return folded(sums, len(sums))

    def _sums(self, f: Callable[[Block], T]) -> list[Future[T]]:
        """Return the tasks of a pass: sums over groups, or over groups of groups."""
        submit: Any = self._client.submit
        sent = submit(_itself, f, pure=False)
        sums = [submit(_sum_of_group, sent, group, pure=False) for group in self._groups]
        while len(sums) > MOST_GATHERED:
            sums = [submit(added, group, pure=False) for group in in_groups(sums)]
        return sums


def _sum_of_group(f: Callable[[Block], T], group: Sequence[Block]) -> T:
    keep_freed_memory()
    return sum_of_group(f, group)


def _itself(f: Callable[[Block], T]) -> Callable[[Block], T]:
    return f
