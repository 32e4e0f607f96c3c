"""What a command does with every chunk of a table: here, or on a cluster, one file to a task."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from galileomix._estimators.engine_choice import is_cluster, is_session
from galileomix._progress import Report
from galileomix._table import Chunk, chunks_reported
from galileomix._warn import warn
from galileomix.errors import GalileoWarning

T = TypeVar("T")
Work = Callable[[Chunk], T]


def by_chunk(
    source: Any, work: Work[T], phase: str, report: Report | None, engine: Any = "local"
) -> Iterator[T]:
    """Yield what is made of every chunk of an opened table, in their order.

    On the workers of a cluster, where ``engine`` is its client or session; they must be able to
    open the files.
    """
    if not is_cluster(engine):
        for chunk in chunks_reported(source, phase, report):
            with chunk.placed():
                made = work(chunk)
            yield made
        return
    in_turn: Callable[..., Iterator[Any]]
    if is_session(engine):
        from galileomix._passes.spark_engine import in_turn
    else:
        from galileomix._passes.dask_cluster import in_turn
    tasks = (partial(_of_file, part, work) for part in source.apart())
    for parts, notes in in_turn(engine, tasks):
        for note in notes:
            warn(note, GalileoWarning)
        yield from parts


def _of_file(source: Any, work: Work[T]) -> tuple[list[T], list[str]]:
    """Return what is made of the chunks of one file, and what was warned of meanwhile."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GalileoWarning)
        parts = list(by_chunk(source, work, "", None))
    notes = [str(one.message) for one in caught if issubclass(one.category, GalileoWarning)]
    return parts, notes
