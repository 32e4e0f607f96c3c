"""Blocks on the executors of a Spark cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from pyspark import cloudpickle

from galileomix._passes.engine import MOST_GATHERED
from galileomix._passes.fold import GROUP, folded
from galileomix._passes.local import LocalEngine
from galileomix._passes.spark_cluster import answering, cores, gathered
from galileomix._passes.spark_tasks import SCHEMA, VALUES, add_sums, call, sum_up
from galileomix._table import Block

T = TypeVar("T")

TASKS_PER_CORE = 2
"""Tasks of a pass: more than one, as they are not all as long."""


class SparkEngine:
    """Sum a function over blocks that are rows of a persisted frame, a partition for each group.

    The function goes out with every pass, pickled, and the sums of groups come back. A task takes
    several groups: Spark takes some 50 milliseconds to begin one in Python. Blocks are added in
    the order of `fold`, so that executors change no bit of a result. ``n_jobs`` is the number of
    threads for blocks in the memory of this process.
    """

    def __init__(self, session: Any, groups: Any, n_groups: int, n_jobs: int | None) -> None:
        self._session, self._groups, self._n_groups = session, groups, n_groups
        self._n_tasks = min(n_groups, TASKS_PER_CORE * cores(session))
        self._n_jobs = n_jobs

    def holding(self, blocks: Sequence[Block]) -> LocalEngine:
        """Return an engine for some blocks in the memory of this process."""
        return LocalEngine(blocks, self._n_jobs)

    def sum(self, f: Callable[[Block], T]) -> T:
        """Return the sum of f over all blocks, in the order of `fold`."""
        with answering(self._session):
            frame, n_sums = self._sums(f)
        return folded(gathered(self._session, frame), n_sums)

    def _sums(self, f: Callable[[Block], T]) -> tuple[Any, int]:
        """Return a frame of the sums over groups, or over groups of groups, and their number."""
        tasks = self._groups.coalesce(self._n_tasks)
        frame, n_sums = tasks.mapInArrow(partial(sum_up, f=f), VALUES), self._n_groups
        while n_sums > MOST_GATHERED:
            n_sums = -(-n_sums // GROUP)
            frame = by_number(frame, n_sums, GROUP).mapInArrow(add_sums, VALUES)
        return frame, n_sums

    def __del__(self) -> None:
        # The blocks of a fit that is over are of no use to anybody.
        release(self._groups)


def in_turn(session: Any, tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """Yield what tasks return, in their order; so many at a time are under way."""
    rest = iter(tasks)
    while some := list(islice(rest, MOST_GATHERED)):
        with answering(session):
            frame = frame_of(session, some).mapInArrow(call, VALUES)
        yield from gathered(session, frame)


def frame_of(session: Any, values: Sequence[Any]) -> Any:
    """Return a frame of some values, with a partition for each."""
    pickled = [cloudpickle.dumps(value) for value in values]
    numbers, places = np.arange(len(pickled), dtype=np.int32), np.zeros(len(pickled), np.int64)
    frame = session.createDataFrame(pa.table([numbers, places, pickled], SCHEMA))
    return by_number(frame, len(pickled))


def by_number(frame: Any, n_partitions: int, together: int = 1) -> Any:
    """Return a frame of ours with a partition for so many numbers together."""
    return (
        frame.selectExpr("*", f"CAST(number DIV {together} AS INT) AS target")
        .repartitionById(n_partitions, "target")
        .drop("target")
    )


def release(frame: Any) -> None:
    """Let the executors forget a frame; one whose session is gone is forgotten already."""
    try:
        frame.unpersist()
    except Exception:  # whatever Spark raises then
        return
