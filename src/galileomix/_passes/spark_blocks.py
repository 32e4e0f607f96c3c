"""A table made ready on a Spark cluster: scanned, encoded and cut into blocks by its executors.

Rows are numbered in the order of `Stretch`, as the scan counts them. Blocks hold a fixed number of
rows wherever partitions begin and end. What is lost with an executor is computed again by Spark,
from the source; rows that are others then are noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from galileomix._passes.engine import MOST_HELD, RemoteTable
from galileomix._passes.fold import GROUP_ROWS
from galileomix._passes.spark_cluster import answering, gathered
from galileomix._passes.spark_engine import SparkEngine, by_number, frame_of, in_turn, release
from galileomix._passes.spark_tasks import (
    VALUES,
    FrameReader,
    Numbering,
    Reader,
    Scanned,
    assemble,
    block_of,
    encode,
    read_parts,
    scan,
)
from galileomix._passes.table_parts import TablePart, cut_weights, n_rows_of, parts_of
from galileomix._table import (
    AttributeRules,
    HeldSource,
    Prepared,
    Schema,
    Source,
    SparkSource,
    Stretch,
    Summary,
    TextEvidence,
    Weights,
    no_rows,
    no_weight,
    schema_of,
    tagged,
    warn_of_notes,
)
from galileomix._version import __version__


class _Rows(NamedTuple):
    """The rows of a table: a frame, and how executors read it."""

    frame: Any
    read: Reader


def prepare_on(
    session: Any,
    source: Source,
    rules: AttributeRules,
    n_jobs: int | None,
    sample_weight: Any = None,
) -> RemoteTable | Prepared:
    """Find the schema of a table and let the executors of a cluster hold its blocks.

    `sample_weight` is an array of shape (n_rows,), a number or None. Rows of a Spark frame come
    with their weights.
    """
    warn_of_notes(source)
    with answering(session):
        if not isinstance(source, SparkSource):
            weights = _weights(session, source, sample_weight)
            return _prepared(session, source, rules, n_jobs, weights)
        # Read twice, and to be the same both times: not every frame of Spark is.
        few = source.of_read()
        held = replace(few, frame=tagged(few.frame).persist())
        try:
            return _prepared(session, held, rules, n_jobs)
        finally:
            release(held.frame)


def _weights(session: Any, source: Source, sample_weight: Any) -> list[Weights] | None:
    """Return the weights of each part of a table; None where there are none."""
    if sample_weight is None:
        return None
    parts = parts_of(source)
    if isinstance(source, HeldSource):
        return cut_weights(sample_weight, [n_rows_of(part) for part in parts])
    counts = in_turn(session, [partial(n_rows_of, part) for part in parts])
    return cut_weights(sample_weight, list(counts))


def _prepared(
    session: Any,
    source: Source,
    rules: AttributeRules,
    n_jobs: int | None,
    weights: list[Weights] | None = None,
) -> RemoteTable | Prepared:
    scans = _scanned(session, source, weights)
    schema = schema_of(sum((scan.summary for scan in scans), Summary()), rules)
    n_rows = sum(sum(scan.stretches.values()) for scan in scans)
    rows = _rows(session, source.select(schema.names), weights)
    groups = _groups(rows, schema, scans, n_rows)
    # Labels are of all rows, those of no weight included.
    labels_stay = isinstance(source, SparkSource) or n_rows != sum(scan.n_rows for scan in scans)
    if n_rows <= MOST_HELD:
        blocks = [block_of(*value) for value in gathered(session, groups)]
        every = None if labels_stay else partial(iter, blocks)
        return Prepared(schema, blocks, every, source.named)
    engine = SparkEngine(session, groups.persist(), -(-n_rows // GROUP_ROWS), n_jobs)
    assert engine.sum(len) == n_rows  # and the blocks are there, so that the rows need not be
    return RemoteTable(schema, source.named, engine, labels_stay)


def _rows(session: Any, source: Source, weights: list[Weights] | None) -> _Rows:
    if isinstance(source, SparkSource):
        return _Rows(source.frame, FrameReader(replace(source, frame=None)))
    sources = parts_of(source)
    parts = map(TablePart, sources, weights or [None] * len(sources))
    return _Rows(frame_of(session, list(parts)), read_parts)


def _scanned(session: Any, source: Source, weights: list[Weights] | None) -> list[Scanned]:
    """Return what is found in every part of a table."""
    evidence: Mapping[str, TextEvidence] | None = None
    rows = _rows(session, source, weights)
    while True:
        task = partial(scan, read=rows.read, evidence=evidence, version=__version__)
        scans: list[Scanned] = gathered(session, rows.frame.mapInArrow(task, VALUES))
        total = sum((scan.summary for scan in scans), Summary())
        if not total.n_rows:
            empty = not any(scan.n_rows for scan in scans)
            raise no_rows(source) if empty else no_weight()
        if not total.mixed:
            return scans
        evidence = total.evidence


def _groups(rows: _Rows, schema: Schema, scans: Sequence[Scanned], n_rows: int) -> Any:
    """Return a frame of the blocks of a table, a partition for each group."""
    checks = {scan.part: scan.check for scan in scans}
    numbering = Numbering(_firsts([scan.stretches for scan in scans]), checks)
    task = partial(encode, read=rows.read, schema=schema, numbering=numbering)
    pieces = by_number(rows.frame.mapInArrow(task, VALUES), -(-n_rows // GROUP_ROWS))
    return pieces.mapInArrow(partial(assemble, n_rows=n_rows), VALUES)


def _firsts(counts: Sequence[Mapping[Stretch, int]]) -> dict[Stretch, int]:
    """Return the number of the first row of each stretch, given how many rows each has."""
    sizes = {stretch: n for part in counts for stretch, n in part.items()}
    firsts, first = dict[Stretch, int](), 0
    for stretch in sorted(sizes):
        firsts[stretch] = first
        first += sizes[stretch]
    return firsts
