"""A table made ready on a Dask cluster: scanned, encoded and cut into blocks by its workers.

Nothing is scattered. Every block is the result of tasks that begin with the source, a partition or
a file, so that Dask can compute again what is lost with a worker. Blocks hold a fixed number of
rows wherever partitions begin and end, so partitions change no bit of a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
from dask.delayed import delayed
from distributed import Client

from galileomix._passes.dask_cluster import check_workers, gathered
from galileomix._passes.dask_engine import DaskEngine
from galileomix._passes.engine import MOST_HELD, RemoteTable
from galileomix._passes.fold import GROUP_ROWS
from galileomix._passes.table_parts import parts_of
from galileomix._table import (
    AttributeRules,
    Block,
    DaskSource,
    Prepared,
    Schema,
    Source,
    Summary,
    TextEvidence,
    concatenate,
    in_blocks,
    no_rows,
    scan_once,
    scanned_parts,
    schema_of,
    slices,
    warn_of_notes,
)


def prepare_on(
    client: Client, source: Source, rules: AttributeRules, n_jobs: int | None
) -> RemoteTable | Prepared:
    """Find the schema of a table and let the workers of a cluster hold its blocks."""
    check_workers(client)
    warn_of_notes(source)
    summary, counts = _scanned(client, source)
    schema = schema_of(summary, rules)
    parts, sent = _parts(source.select(schema.names)), _sent(schema)
    encoded = [delayed(_encoded)(part, sent) for part in parts]
    groups = [delayed(_cut)(encoded[some.parts], some.start, some.stop) for some in _cuts(counts)]
    compute = cast("Callable[..., Any]", client.compute)
    if summary.n_rows <= MOST_HELD:
        blocks = list(chain.from_iterable(gathered(client, partial(compute, groups))))
        return Prepared(schema, blocks, partial(iter, blocks), source.named)
    engine = DaskEngine(client, compute(groups), n_jobs)
    return RemoteTable(schema, source.named, engine, isinstance(source, DaskSource))


def _parts(source: Source) -> list[Any]:
    """Return a table in parts: delayed sources, each to be read where it is asked for."""
    if isinstance(source, DaskSource):
        bound = _sent(replace(source, partitions=()).holding)
        return [bound(part, number) for number, part in enumerate(source.partitions)]
    return [_sent(part) for part in parts_of(source)]


def _sent(value: Any) -> Any:
    """Return a value as the result of a task: it goes out once, whatever needs it."""
    return delayed(value, traverse=False, pure=False)


def _scanned(client: Client, source: Source) -> tuple[Summary, list[int]]:
    """Return the summary of a table, and how many rows each part has; see `scan`."""
    evidence: Mapping[str, TextEvidence] | None = None
    parts, compute = _parts(source), cast("Callable[..., Any]", client.compute)
    while True:
        known = _sent(evidence)
        tasks = [delayed(scan_once)(part, None, known) for part in parts]
        scans = gathered(client, partial(compute, tasks))
        total = sum((summary for summary, _ in scans), Summary())
        if not total.n_rows:
            raise no_rows(len(source.names))
        if not total.mixed:
            return total, [rows for _, rows in scans]
        evidence = total.evidence


def _encoded(source: Source, schema: Schema) -> Block | None:
    """Return the rows of a part, encoded; None where there are none."""
    blocks = list(scanned_parts(source, schema, None))
    return concatenate(blocks) if blocks else None


class _Cut(NamedTuple):
    """Where the rows of one group are: in these parts, from one row of them to another."""

    parts: slice
    start: int
    stop: int


def _cuts(counts: Sequence[int]) -> Iterator[_Cut]:
    """Yield where the rows of each group are, given how many each part has."""
    ends = np.cumsum(counts)
    for rows in slices(int(ends[-1]), GROUP_ROWS):
        first = int(np.searchsorted(ends, rows.start, side="right"))
        last = int(np.searchsorted(ends, rows.stop, side="left"))
        before = int(ends[first - 1]) if first else 0
        yield _Cut(slice(first, last + 1), rows.start - before, rows.stop - before)


def _cut(parts: Sequence[Block | None], start: int, stop: int) -> list[Block]:
    """Return some rows of parts, as if these were one, in blocks."""
    pieces, first = list[Block](), 0
    for part in parts:
        if part is not None:
            pieces.append(part.rows(slice(max(0, start - first), max(0, stop - first))))
            first += len(part)
    return list(in_blocks(pieces, weighted=False))
