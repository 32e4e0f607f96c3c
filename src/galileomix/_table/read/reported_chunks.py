"""Chunks of a table, with progress told while they are read."""

from __future__ import annotations

import time
from collections.abc import Iterator

from galileomix._progress import Progress, Report
from galileomix._table.read.chunk import Chunk, Source
from galileomix._table.read.sources import HeldSource

FIRST_MOMENTS = 1.0
"""Seconds after which the speed says how long the rest will take."""


def chunks_reported(source: Source, phase: str, report: Report | None) -> Iterator[Chunk]:
    """Yield the chunks of a source; report progress where it is not in memory.

    A chunk counts as read when the next one is asked for: what is done with it takes its time too.
    """
    if report is None or isinstance(source, HeldSource):
        yield from source.chunks()
        return
    began, rows, total = time.perf_counter(), 0, source.bytes_total
    for chunk in source.chunks():
        yield chunk
        rows += chunk.columns.n_rows
        if chunk.bytes_read < total or not total:  # the end is told below
            report(_progress(phase, rows, chunk.bytes_read, total, time.perf_counter() - began))
    seconds = time.perf_counter() - began
    report(Progress(phase, seconds, 1.0, 0.0, True, rows=rows, bytes_read=total, bytes_total=total))


def _progress(phase: str, rows: int, read: int, total: int, seconds: float) -> Progress:
    share = min(read / total, 1.0) if total else None
    known = share is not None and share > 0.0 and seconds >= FIRST_MOMENTS
    left = seconds * (1.0 - share) / share if share and known else None
    return Progress(phase, seconds, share, left, rows=rows, bytes_read=read, bytes_total=total)
