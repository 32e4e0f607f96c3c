"""Chunks of a table, with progress told while they are read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from galileomix._progress import Progress, Report
from galileomix._table.read.chunk import Chunk, Source
from galileomix._table.read.sources import HeldSource


def chunks_reported(source: Source, phase: str, report: Report | None) -> Iterator[Chunk]:
    """Yield the chunks of a source; report progress where it is not in memory.

    A chunk counts as read when the next one is asked for: what is done with it takes its time too.
    """
    if report is None or isinstance(source, HeldSource):
        yield from source.chunks()
        return
    began, rows, total = time.perf_counter(), 0, source.bytes_total

    def progress(read: int) -> Progress:
        seconds, share = time.perf_counter() - began, read / total if total else None
        step = Progress.at_share(phase, seconds, share, rows)
        return replace(step, bytes_read=read, bytes_total=total)

    for chunk in source.chunks():
        yield chunk
        rows += chunk.columns.n_rows
        if chunk.bytes_read < total or not total:  # the end is told below
            report(progress(chunk.bytes_read))
    report(replace(progress(total), share=1.0, seconds_left=0.0, done=True))
