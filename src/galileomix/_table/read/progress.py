"""How far the reading of a table has come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from galileomix._table.read.chunk import Chunk, Source
from galileomix._table.read.sources import HeldSource
from galileomix._words import counted


@dataclass(frozen=True)
class Reading:
    """How far the reading of a table that is not in memory has come.

    Examples
    --------
    >>> Reading("scan", 1000, 25, 100, seconds=2.0).seconds_left
    6.0
    """

    # "scan" finds the values of every column, "encode" stores the rows.
    stage: Literal["scan", "encode"]
    rows: int  # the rows read so far
    bytes_read: int  # of the files; zero where the rows come from elsewhere
    bytes_total: int
    seconds: float  # since this stage began
    done: bool = False  # whether this stage is complete

    @property
    def seconds_left(self) -> float | None:
        """How long this stage will still take at this speed; None where that is unknown."""
        if not self.bytes_read:
            return None
        return self.seconds * (self.bytes_total - self.bytes_read) / self.bytes_read

    def __str__(self) -> str:
        verb = "reading" if self.stage == "scan" else "encoding"
        parts = [f"{verb}: {counted(self.rows, 'row')}"]
        if self.bytes_total:
            size, unit = (1e6, "MB") if self.bytes_total >= 10e6 else (1e3, "kB")
            parts.append(f"{self.bytes_read / size:.0f} of {self.bytes_total / size:.0f} {unit}")
        if self.seconds_left:
            parts.append(f"{self.seconds_left:.0f} s left")
        return ", ".join(parts)


Report = Callable[[Reading], None]


def chunks_reported(
    source: Source, stage: Literal["scan", "encode"], report: Report | None
) -> Iterator[Chunk]:
    """Yield the chunks of a source; report progress where it is not in memory."""
    if report is None or isinstance(source, HeldSource):
        yield from source.chunks()
        return
    began, rows, total = time.perf_counter(), 0, source.bytes_total
    for chunk in source.chunks():
        yield chunk
        rows += chunk.columns.n_rows
        report(Reading(stage, rows, chunk.bytes_read, total, time.perf_counter() - began))
    report(Reading(stage, rows, total, total, time.perf_counter() - began, done=True))
