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
from galileomix._passes.spark_engine import SparkEngine, by_number, frame_of, release
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
from galileomix._passes.table_parts import parts_of
from galileomix._table import (
    AttributeRules,
    Prepared,
    Schema,
    Source,
    SparkSource,
    Stretch,
    Summary,
    TextEvidence,
    no_rows,
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
    session: Any, source: Source, rules: AttributeRules, n_jobs: int | None
) -> RemoteTable | Prepared:
    """Find the schema of a table and let the executors of a cluster hold its blocks."""
    warn_of_notes(source)
    with answering(session):
        if not isinstance(source, SparkSource):
            return _prepared(session, source, rules, n_jobs)
        # Read twice, and to be the same both times: not every frame of Spark is.
        held = replace(source, frame=tagged(source.frame, source.names).persist())
        try:
            return _prepared(session, held, rules, n_jobs)
        finally:
            release(held.frame)


def _prepared(
    session: Any, source: Source, rules: AttributeRules, n_jobs: int | None
) -> RemoteTable | Prepared:
    scans = _scanned(session, source)
    schema = schema_of(sum((scan.summary for scan in scans), Summary()), rules)
    n_rows = sum(sum(scan.stretches.values()) for scan in scans)
    groups = _groups(_rows(session, source.select(schema.names)), schema, scans, n_rows)
    if n_rows <= MOST_HELD:
        blocks = [block_of(*value) for value in gathered(session, groups)]
        return Prepared(schema, blocks, partial(iter, blocks), source.named)
    engine = SparkEngine(session, groups.persist(), -(-n_rows // GROUP_ROWS), n_jobs)
    assert engine.sum(len) == n_rows  # and the blocks are there, so that the rows need not be
    return RemoteTable(schema, source.named, engine, isinstance(source, SparkSource))


def _rows(session: Any, source: Source) -> _Rows:
    if isinstance(source, SparkSource):
        return _Rows(source.frame, FrameReader(replace(source, frame=None)))
    return _Rows(frame_of(session, parts_of(source)), read_parts)


def _scanned(session: Any, source: Source) -> list[Scanned]:
    """Return what is found in every part of a table."""
    evidence: Mapping[str, TextEvidence] | None = None
    rows = _rows(session, source)
    while True:
        task = partial(scan, read=rows.read, evidence=evidence, version=__version__)
        scans: list[Scanned] = gathered(session, rows.frame.mapInArrow(task, VALUES))
        total = sum((scan.summary for scan in scans), Summary())
        if not total.n_rows:
            raise no_rows(len(source.names))
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
