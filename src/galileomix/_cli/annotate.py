"""Tables with something said of every row: read, annotated and written a chunk at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from galileomix._cli import show
from galileomix._cli.arguments import FitOptions, TableFiles, called, needed_columns
from galileomix._cli.output import Writer, format_of, with_columns, written
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector, sizes_of
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.loading import Model
from galileomix._fitted.answers import Explanation, Reason
from galileomix._table import Binned, Categorical, Chunk, Columns, Lookup, Schema
from galileomix.errors import GalileoWarning

REASONS = 3
"""The most cells to name for each row."""
WORTH_A_WORD = 0.1
"""The least surprise, in nats, that is one."""


@dataclass(frozen=True)
class Anomaly:
    """A row that stands out.

    Parameters
    ----------
    row : int
        Counted from 1, the header left out.
    score : float
        The lower, the more it stands out.
    p_value : float
        The share of the fitted rows that stand out at least as much; by a model that is no
        detector, at most how often it would itself draw a row that stands out so.
    reasons : tuple of Reason
        Its most surprising cells.
    """

    row: int
    score: float
    p_value: float
    reasons: tuple[Reason, ...]


def predictions(model: Model, files: TableFiles, output: str, as_json: bool) -> None:
    """Write a table with what a model says of every row."""
    inner = mixture_of(model)
    kind = format_of(output, as_json)
    with files.opened(inner.missing_values) as source:
        needed = needed_columns(source, inner)
        with written(output, kind) as writer:
            for chunk in needed.chunks():
                with chunk.placed():
                    new = _predicted(model, chunk.columns)
                writer.write(with_columns(chunk.raw, source.names, new))


def _predicted(model: Model, columns: Columns) -> dict[str, Any]:
    if isinstance(model, GalileoDetector):
        scores = model.score_samples(columns)
        return {"outlier": scores < model.offset_, "score": scores}
    shares = model.predict_proba(columns)
    if isinstance(model, GalileoClassifier):
        best = model.classes_[shares.argmax(axis=1)]
        return {"predicted": best.tolist(), "probability": shares.max(axis=1)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GalileoWarning)  # they have just been said
        scores = model.score_samples(columns)
    return {
        "kind": shares.argmax(axis=1),
        "probability": shares.max(axis=1),
        "log_density": scores,
    }


def detector(source: Any, contamination: float, fitting: FitOptions) -> GalileoDetector:
    """Fit a detector to a table, telling on stderr how it goes."""
    with show.telling(source, called(source)) as tell:
        model = Galileo(criterion="aic", progress=tell, **fitting.settings(source.names))
        fitted = GalileoDetector(model, contamination=contamination).fit(source)
    for each in (model, fitted.model_):
        each.progress = False  # it has been told: nothing to keep
    return fitted


def anomalies(model: Model, source: Any, most: int, output: str | None) -> list[Anomaly]:
    """Return the rows that stand out most; write all rows with their scores where that is asked."""
    needed = needed_columns(source, mixture_of(model))
    kind = format_of(output) if output else "csv"
    found: list[Anomaly] = []
    with ExitStack() as stack:
        writer = stack.enter_context(written(output, kind)) if output else None
        first = 1
        for chunk in needed.chunks():
            with chunk.placed():
                scores = _scores(model, chunk.columns)
            if writer:
                _write_scored(writer, model, chunk, source.names, scores)
            worst = np.argsort(scores, kind="stable")[:most]
            why = _explained(model, chunk.columns.rows(worst))
            found += _anomalies(first + worst, scores[worst], why)
            found = sorted(found, key=lambda each: each.score)[:most]
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
    # The size was chosen by the row itself, so that a p-value counts for each size.
    return replace(why, p_value=(why.p_value * len(sizes)).clip(upper=1.0))


def _anomalies(rows: Any, scores: Any, why: Explanation) -> Iterator[Anomaly]:
    for a, (row, score) in enumerate(zip(rows.tolist(), scores.tolist(), strict=True)):
        p_value = float(why.p_value.iat[a])
        yield Anomaly(row, score + 0.0, p_value, tuple(_told(why, a)))


def _told(why: Explanation, row: int) -> list[Reason]:
    """Return the few cells of a row that are surprising at all."""
    return [each for each in why.reasons(row, REASONS) if each.surprise > WORTH_A_WORD]


def _write_scored(
    writer: Writer, model: Model, chunk: Chunk, names: tuple[str, ...], scores: Any
) -> None:
    why = _explained(model, chunk.columns)
    reasons = ["; ".join(map(str, _told(why, a))) for a in range(len(why))]
    flagged = {"outlier": scores < model.offset_} if isinstance(model, GalileoDetector) else {}
    new = {**flagged, "score": scores, "p_value": why.p_value.to_numpy(), "reasons": reasons}
    writer.write(with_columns(chunk.raw, names, new))


def imputed(
    model: Model | None,
    fitting: FitOptions,
    files: TableFiles,
    outputs: tuple[str, str | None],
    as_json: bool,
) -> None:
    """Write a table with its holes filled, and the cells by themselves where that is asked."""
    output, beside = outputs
    kind, listing = format_of(output, as_json), format_of(beside) if beside else "csv"
    missing = fitting.missing_values if model is None else mixture_of(model).missing_values
    with files.opened(missing) as source, ExitStack() as stack:
        if model is None:
            inner = _fitted(files.without(source, fitting.drop), fitting)
        else:
            inner = mixture_of(model)
        needed = needed_columns(source, inner)
        writer = stack.enter_context(written(output, kind))
        listed = stack.enter_context(written(beside, listing)) if beside else None
        first = 1
        for chunk in needed.chunks():
            with chunk.placed():
                _, cells = inner.impute(chunk.columns, return_cells=True)
            writer.write(_filled(chunk, source.names, cells, inner.schema_))
            if listed:
                shown = cells.assign(row=cells["row"] + first, value=cells["value"].map(str))
                listed.write(pa.Table.from_pandas(shown, preserve_index=False))
            first += chunk.columns.n_rows


def _fitted(source: Any, fitting: FitOptions) -> Galileo:
    settings = fitting.settings(source.names)
    with show.telling(source, called(source)) as tell:
        return Galileo(missing="ignore", criterion="aic", progress=tell, **settings).fit(source)


def _filled(chunk: Chunk, names: tuple[str, ...], cells: pd.DataFrame, schema: Schema) -> Any:
    """Return the rows as they were read, with cells filled in."""
    columns = {name: chunk.raw.column(name) for name in names}
    # Without names of its own a table has its columns in the order of the schema's.
    by_name = set(schema.names) <= set(names)
    parts = dict(iter(cells.groupby("column", sort=False)))
    for place, attribute in enumerate(schema.attributes):
        held = attribute.name if by_name else names[place]
        if isinstance(attribute, Binned):  # text throughout: a later hole gets an interval
            columns[held] = _as_text(columns[held])
        if attribute.name in parts:
            part = parts[attribute.name]
            columns[held] = _patched(columns[held], part["row"].tolist(), part["value"], attribute)
    return pa.table(columns)


def _as_text(column: Any) -> Any:
    return pa.array([None if cell is None else _text(cell) for cell in column.to_pylist()])


def _patched(column: Any, rows: Sequence[int], values: Any, attribute: Any) -> Any:
    """Return a column with some cells replaced: of text, as the others of its kind are spelt."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    cells = column.to_pylist()
    if pa.types.is_string(kind):
        spelling = _spelling(cells, attribute)
        values = [spelling.get(value, _text(value)) for value in values]
    for row, value in zip(rows, values, strict=True):
        cells[row] = value
    return pa.array(cells, kind)


def _spelling(cells: Sequence[str | None], attribute: Any) -> dict[Any, str]:
    """Return how the values of an attribute are written in a column of text."""
    if not isinstance(attribute, Categorical):
        return {}
    texts = sorted({cell for cell in cells if cell is not None})
    codes = Lookup(attribute).written(texts).tolist()
    known = ((code, text) for code, text in zip(codes, texts, strict=True))
    return {attribute.values[code]: text for code, text in known if code < len(attribute.values)}


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write_frame(frame: pd.DataFrame, output: str, as_json: bool) -> None:
    """Write a frame to a file or stdout."""
    with written(output, format_of(output, as_json)) as writer:
        columns = {name: _arrow(frame[name]) for name in frame}
        writer.write(pa.table(columns))


def _arrow(series: Any) -> Any:
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # values of several types
        return pa.array([None if cell is None else str(cell) for cell in series], pa.string())


def mixture_of(model: Model) -> Galileo:
    """Return the mixture that a model is, or is around."""
    return model if isinstance(model, Galileo) else model.model_
