"""The rows of a table that stand out: scored, explained and written a chunk at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from galileomix._cli.chunk_tasks import by_chunk
from galileomix._cli.model_arguments import mixture_of
from galileomix._cli.output import open_writer, types_for, with_columns
from galileomix._cli.output_paths import format_of
from galileomix._cli.reporting import reporting
from galileomix._cli.table_arguments import needed_columns, table_name
from galileomix._cli.typed_cells import TextTypes
from galileomix._estimators.detector import (
    GalileoDetector,
    ScoredRows,
    scored_rows,
    yardstick,
)
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.loading import Model
from galileomix._estimators.table_input import model_of
from galileomix._fitted.blame import blamed
from galileomix._fitted.evidence import Yardstick, can_leave_out
from galileomix._fitted.explanation import Reason
from galileomix._fitted.new_table import CodedRows
from galileomix._table import Chunk

MOST_REASONS = 3
"""The most cells to name for a row."""
LEAST_SURPRISE = math.log(2.0)
"""In nats: a value that is as probable as all others together is no reason."""


@dataclass(frozen=True)
class Anomaly:
    """A row that stands out."""

    row: int  # counted from 1, without the header
    score: float  # the lower, the more it stands out
    p_value: float  # how often the model draws a row that stands out at least as much
    kind: str  # what speaks most against it
    reasons: tuple[Reason, ...]  # its most surprising cells; none where only all together are
    # The smallest sets of columns without which it would be usual; none where no few cells are.
    usual_without: tuple[tuple[str, ...], ...] = ()


def anomalies(
    model: Model, source: Any, most: int, output: str | None, fitted: bool, engine: Any
) -> list[Anomaly]:
    """Return the rows that stand out most; write all rows with their scores to `output`, if any.

    ``fitted`` says that these are the rows that the model was fitted to.
    """
    needed = needed_columns(source, mixture_of(model))
    judge = model if isinstance(model, GalileoDetector) else mixture_of(model)
    found: list[tuple[Anomaly, CodedRows]] = []
    with ExitStack() as stack:
        format = format_of(output) if output else "csv"
        types = types_for(format, source)
        writer = stack.enter_context(open_writer(output, format)) if output else None
        report = stack.enter_context(reporting(table_name(source), output))
        names = source.names if writer else None
        work = partial(_scored, judge, yardstick(judge), most, names, types, fitted)
        before = 0
        for scored in by_chunk(needed, work, "scoring", report, engine):
            if writer:
                writer.write(scored.table)
            found += [(replace(one, row=one.row + before), row) for one, row in scored.worst]
            found = sorted(found, key=lambda pair: pair[0].score)[:most]
            before += scored.n_rows
    inner = model_of(mixture_of(model))
    left_out = fitted and can_leave_out(inner)
    return [
        replace(anomaly, usual_without=tuple(blamed(inner, row, left_out=left_out)[0]))
        for anomaly, row in found
    ]


class _Scored(NamedTuple):
    """The rows of a chunk: those that stand out most, and all with their scores, if wanted."""

    n_rows: int
    worst: list[tuple[Anomaly, CodedRows]]
    table: Any


def _scored(
    judge: Galileo | GalileoDetector,
    usual: Yardstick,
    most: int,
    names: tuple[str, ...] | None,
    types: TextTypes,
    fitted: bool,
    chunk: Chunk,
) -> _Scored:
    """Score the rows of a chunk; all of them are to be written if columns are named."""
    worst, named = None if names else most, (MOST_REASONS, LEAST_SURPRISE)
    parts = list(scored_rows(judge, chunk.columns, usual, worst, *named, fitted))
    table = with_columns(chunk.raw, names, _columns(judge, parts), types) if names else None
    found = [pair for part in parts for pair in _worst(part, most)]
    return _Scored(chunk.columns.n_rows, found, table)


def _worst(rows: ScoredRows, most: int) -> Iterator[tuple[Anomaly, CodedRows]]:
    """Yield the rows of the lowest scores, counted from 1 within their chunk."""
    for i in np.argsort(rows.scores, kind="stable")[:most].tolist():
        score, p_value = float(rows.scores[i]) + 0.0, float(rows.p_values[i])
        found = (score, p_value, str(rows.kinds[i]), tuple(rows.reasons[i]))
        yield Anomaly(1 + int(rows.positions[i]), *found), rows.rows.take(np.array([i]))


def _columns(judge: Galileo | GalileoDetector, parts: Sequence[ScoredRows]) -> dict[str, Any]:
    """Return the columns that are written beside the table."""
    scores = np.concatenate([part.scores for part in parts])
    outlier = {"outlier": scores < judge.offset_} if isinstance(judge, GalileoDetector) else {}
    return {
        **outlier,
        "score": scores,
        "p_value": np.concatenate([part.p_values for part in parts]),
        "kind": np.concatenate([part.kinds for part in parts]).tolist(),
        "reasons": ["; ".join(map(str, cells)) for part in parts for cells in part.reasons],
    }
