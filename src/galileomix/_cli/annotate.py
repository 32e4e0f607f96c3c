"""Tables with something said of every row: read, annotated and written a chunk at a time."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pandas as pd
import pyarrow as pa

from galileomix._cli import show
from galileomix._cli.arguments import FitOptions
from galileomix._cli.model_arguments import mixture_of
from galileomix._cli.output import format_of, open_writer, with_columns
from galileomix._cli.table_arguments import TableFiles, needed_columns, table_name
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.loading import Model
from galileomix._table import Binned, Categorical, Chunk, Columns, Lookup, Schema
from galileomix.errors import GalileoWarning


def predictions(model: Model, files: TableFiles, output: str, as_json: bool) -> None:
    """Write a table with what a model says of every row."""
    inner = mixture_of(model)
    kind = format_of(output, as_json)
    with files.opened(inner.missing_values) as source:
        needed = needed_columns(source, inner)
        with open_writer(output, kind) as writer:
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
    with show.telling(source, table_name(source)) as tell:
        model = Galileo(criterion="aic", progress=tell, **fitting.settings(source.names))
        fitted = GalileoDetector(model, contamination=contamination).fit(source)
    for each in (model, fitted.model_):
        each.progress = False  # it has been told: nothing to keep
    return fitted


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
        writer = stack.enter_context(open_writer(output, kind))
        listed = stack.enter_context(open_writer(beside, listing)) if beside else None
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
    with show.telling(source, table_name(source)) as tell:
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
    with open_writer(output, format_of(output, as_json)) as writer:
        columns = {name: _arrow(frame[name]) for name in frame}
        writer.write(pa.table(columns))


def _arrow(series: Any) -> Any:
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # values of several types
        return pa.array([None if cell is None else str(cell) for cell in series], pa.string())
