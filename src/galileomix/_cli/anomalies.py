"""The rows of a table that stand out: scored, explained and written a chunk at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from galileomix._cli.model_arguments import mixture_of
from galileomix._cli.output import Writer, format_of, open_writer, with_columns
from galileomix._cli.table_arguments import needed_columns
from galileomix._estimators.detector import GalileoDetector, sizes_of
from galileomix._estimators.loading import Model
from galileomix._fitted.explanation import Explanation, Reason
from galileomix._table import Chunk, Columns

MOST_REASONS = 3
"""The most cells to name for a row."""
LEAST_SURPRISE = 0.1
"""In nats: a cell that surprises less is no reason."""


@dataclass(frozen=True)
class Anomaly:
    """A row that stands out.

    Parameters
    ----------
    row : int
        Counted from 1, without the header.
    score : float
        The lower, the more it stands out.
    p_value : float
        By a detector: the share of the fitted rows that stand out at least as much. By another
        model: at most the probability of drawing such a row from the model.
    reasons : tuple of Reason
        Its most surprising cells.
    """

    row: int
    score: float
    p_value: float
    reasons: tuple[Reason, ...]


def anomalies(model: Model, source: Any, most: int, output: str | None) -> list[Anomaly]:
    """Return the rows that stand out most; write all rows with their scores to `output`, if any."""
    needed = needed_columns(source, mixture_of(model))
    found: list[Anomaly] = []
    with ExitStack() as stack:
        writer = stack.enter_context(open_writer(output, format_of(output))) if output else None
        first = 1
        for chunk in needed.chunks():
            with chunk.placed():
                scores = _scores(model, chunk.columns)
            if writer:
                _write_scored(writer, model, chunk, source.names, scores)
            worst = np.argsort(scores, kind="stable")[:most]
            why = _explained(model, chunk.columns.rows(worst))
            found += _anomalies(first + worst, scores[worst], why)
            found = sorted(found, key=lambda anomaly: anomaly.score)[:most]
            first += len(scores)
    return found


def _scores(model: Model, columns: Columns) -> Any:
    if isinstance(model, GalileoDetector):
        return model.score_samples(columns)
    inner = mixture_of(model)
    return -inner.surprise(columns, sizes_of(inner).tolist()).max(axis=1)


def _explained(model: Model, columns: Columns) -> Explanation:
    """Explain rows by the model of the size at which each of them stands out most."""
    if isinstance(model, GalileoDetector):
        return model.explain(columns)
    inner = mixture_of(model)
    sizes = sizes_of(inner)
    why = inner.explain(columns, sizes[inner.surprise(columns, sizes.tolist()).argmax(axis=1)])
    # The row itself chose the size: a p-value is corrected for the number of sizes (Bonferroni).
    return replace(why, p_value=(why.p_value * len(sizes)).clip(upper=1.0))


def _anomalies(rows: Any, scores: Any, why: Explanation) -> Iterator[Anomaly]:
    for a, (row, score) in enumerate(zip(rows.tolist(), scores.tolist(), strict=True)):
        p_value = float(why.p_value.iat[a])
        yield Anomaly(row, score + 0.0, p_value, tuple(_reasons(why, a)))


def _reasons(why: Explanation, position: int) -> list[Reason]:
    """Return the few cells of a row that are surprising at all."""
    cells = why.reasons(position, MOST_REASONS)
    return [reason for reason in cells if reason.surprise > LEAST_SURPRISE]


def _write_scored(
    writer: Writer, model: Model, chunk: Chunk, names: tuple[str, ...], scores: Any
) -> None:
    why = _explained(model, chunk.columns)
    reasons = ["; ".join(map(str, _reasons(why, a))) for a in range(len(why))]
    flagged = {"outlier": scores < model.offset_} if isinstance(model, GalileoDetector) else {}
    new = {**flagged, "score": scores, "p_value": why.p_value.to_numpy(), "reasons": reasons}
    writer.write(with_columns(chunk.raw, names, new))
