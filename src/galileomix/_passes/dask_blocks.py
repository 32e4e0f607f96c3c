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

from galileomix._passes.dask_cluster import answering, check_cluster, gathered
from galileomix._passes.dask_engine import DaskEngine, rows_of_task
from galileomix._passes.engine import MOST_HELD, RemoteTable
from galileomix._passes.table_parts import cut_weights, n_rows_of, parts_of
from galileomix._table import (
    AttributeRules,
    Block,
    DaskSource,
    HeldSource,
    Prepared,
    Schema,
    Source,
    Summary,
    TextEvidence,
    Weights,
    concatenate,
    in_blocks,
    is_dask,
    no_rows,
    no_weight,
    placed,
    scan_once,
    scanned_parts,
    schema_of,
    slices,
    usable_weights,
    warn_of_notes,
)
from galileomix._words import counted
from galileomix.errors import ParameterError, TableError


def prepare_on(
    client: Client,
    source: Source,
    rules: AttributeRules,
    n_jobs: int | None,
    sample_weight: Any = None,
) -> RemoteTable | Prepared:
    """Find the schema of a table and let the workers of a cluster hold its blocks.

    `sample_weight` is an array of shape (n_rows,), a number or None; of a Dask table it may be a
    Dask series or array in the same partitions.
    """
    check_cluster(client)
    warn_of_notes(source)
    weights = _weights(client, source, sample_weight)
    found = _scanned(client, source, weights)
    schema = schema_of(found.summary, rules)
    parts, sent = _parts(source.select(schema.names)), _sent(schema)
    encoded = [
        delayed(_encoded)(part, some, sent, number, n_rows)
        for number, (part, some, n_rows) in enumerate(
            zip(parts, weights, found.counts, strict=True)
        )
    ]
    cut = partial(delayed(_cut), weighted=sample_weight is not None)
    rows = rows_of_task(found.summary.n_rows)
    groups = [cut(encoded[some.parts], some.start, some.stop) for some in _cuts(found.counts, rows)]
    compute = cast("Callable[..., Any]", client.compute)
    # Labels are of all rows, those of no weight included.
    labels_stay = isinstance(source, DaskSource) or found.n_rows != found.summary.n_rows
    if found.summary.n_rows <= MOST_HELD:
        blocks = list(chain.from_iterable(gathered(client, partial(compute, groups))))
        every = None if labels_stay else partial(iter, blocks)
        return Prepared(schema, blocks, every, source.named)
    with answering(client):
        engine = DaskEngine(client, compute(groups), n_jobs)
    return RemoteTable(schema, source.named, engine, labels_stay)


def _parts(source: Source) -> list[Any]:
    """Return a table in parts: delayed sources, each to be read where it is asked for."""
    if isinstance(source, DaskSource):
        bound = _sent(replace(source, partitions=()).holding)
        return [bound(part, number) for number, part in enumerate(source.partitions)]
    return [_sent(part) for part in parts_of(source)]


def _sent(value: Any) -> Any:
    """Return a value as the result of a task: it goes out once, whatever needs it."""
    return delayed(value, traverse=False, pure=False)


def _weights(client: Client, source: Source, sample_weight: Any) -> list[Any]:
    """Return the weights of each part, delayed."""
    parts = _parts(source)
    if sample_weight is None:
        return [None] * len(parts)
    if is_dask(sample_weight):
        return _weights_in_partitions(sample_weight, len(parts))
    counts: list[int]
    if isinstance(source, HeldSource):
        counts = [n_rows_of(part) for part in parts_of(source)]
    else:
        compute = cast("Callable[..., Any]", client.compute)
        counts = gathered(client, partial(compute, [delayed(n_rows_of)(part) for part in parts]))
    return [_sent(weights) for weights in cut_weights(sample_weight, counts)]


def _weights_in_partitions(sample_weight: Any, n_partitions: int) -> list[Any]:
    """Return the weights that a Dask series or array holds, delayed."""
    if sample_weight.ndim != 1:
        raise ParameterError(
            f"sample_weight has {sample_weight.ndim} dimensions: give a Dask series or an array of "
            f"one dimension"
        )
    partitions = np.ravel(sample_weight.to_delayed()).tolist()
    if len(partitions) != n_partitions:
        raise ParameterError(
            f"sample_weight has {counted(len(partitions), 'partition')}, and the table has "
            f"{n_partitions}: cut both into the same rows"
        )
    return [delayed(_checked)(part, number) for number, part in enumerate(partitions)]


def _checked(weights: Any, number: int) -> Weights:
    """Return the weights of a partition."""
    with placed(0, f"partition {number}"):
        return usable_weights(weights, len(weights))


class _Scanned(NamedTuple):
    """What is known of a table after a scan."""

    summary: Summary
    counts: list[int]  # how many rows of each part have a weight
    n_rows: int  # all rows, those of no weight included


def _scanned(client: Client, source: Source, weights: Sequence[Any]) -> _Scanned:
    """Return what a scan finds on the workers; see `scan`."""
    evidence: Mapping[str, TextEvidence] | None = None
    parts, compute = _parts(source), cast("Callable[..., Any]", client.compute)
    while True:
        known = _sent(evidence)
        tasks = [
            delayed(_scan)(part, some, known, number)
            for number, (part, some) in enumerate(zip(parts, weights, strict=True))
        ]
        scans = gathered(client, partial(compute, tasks))
        total = sum((summary for summary, _ in scans), Summary())
        n_rows = sum(rows for _, rows in scans)
        if not total.n_rows:
            raise no_weight() if n_rows else no_rows(source)
        if not total.mixed:
            return _Scanned(total, [summary.n_rows for summary, _ in scans], n_rows)
        evidence = total.evidence


def _scan(
    source: Source, weights: Weights, evidence: Mapping[str, TextEvidence] | None, number: int
) -> tuple[Summary, int]:
    """Scan a part; that weights are too few or too many is said of that one."""
    with placed(0, f"partition {number}"):
        return scan_once(source, weights, evidence)


def _encoded(
    source: Source, weights: Weights, schema: Schema, number: int, n_rows: int
) -> Block | None:
    """Return the rows of a part that have a weight, encoded; None where there are none.

    There are as many as the scan found, or they would be taken for rows of the parts beside it.
    """
    blocks = list(scanned_parts(source, schema, weights))
    found = sum(map(len, blocks))
    if found != n_rows:
        raise TableError(
            f"it had {counted(n_rows, 'row')}, and {found} when it was read again: write the table "
            f"to files first, or persist it",
            file=f"partition {number}",
        )
    return concatenate(blocks) if blocks else None


class _Cut(NamedTuple):
    """Where the rows of one task are: in these parts, from one row of them to another."""

    parts: slice
    start: int
    stop: int


def _cuts(counts: Sequence[int], rows_of_task: int) -> Iterator[_Cut]:
    """Yield where the rows of each task are, given how many each part has."""
    ends = np.cumsum(counts)
    for rows in slices(int(ends[-1]), rows_of_task):
        first = int(np.searchsorted(ends, rows.start, side="right"))
        last = int(np.searchsorted(ends, rows.stop, side="left"))
        before = int(ends[first - 1]) if first else 0
        yield _Cut(slice(first, last + 1), rows.start - before, rows.stop - before)


def _cut(parts: Sequence[Block | None], start: int, stop: int, weighted: bool) -> list[Block]:
    """Return some rows of parts, as if these were one, in blocks."""
    pieces, first = list[Block](), 0
    for part in parts:
        if part is not None:
            pieces.append(part.rows(slice(max(0, start - first), max(0, stop - first))))
            first += len(part)
    return list(in_blocks(pieces, weighted=weighted))
