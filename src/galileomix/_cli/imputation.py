"""Tables whose missing values are replaced, a chunk at a time."""

from __future__ import annotations

import datetime
from contextlib import ExitStack
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa

from galileomix._cli.chunk_tasks import by_chunk
from galileomix._cli.fit_table import fit_imputer
from galileomix._cli.model_arguments import missing_of, mixture_of
from galileomix._cli.options import FitOptions
from galileomix._cli.output import decoded, is_text, open_writer
from galileomix._cli.output_paths import format_of
from galileomix._cli.reporting import reporting
from galileomix._cli.table_arguments import TableFiles, needed_columns, table_name
from galileomix._cli.terminal import print_line
from galileomix._cli.typed_cells import TextTypes
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.loading import Model
from galileomix._fitted.frames import Cells, filled
from galileomix._table import Binned, Categorical, Chunk, Lookup, Schema
from galileomix._words import counted, shown_value


def write_imputed(
    model: Model | None,
    fitting: FitOptions,
    files: TableFiles,
    outputs: tuple[str, str | None],
    as_json: bool,
    jointly: bool,
    engine: Any,
) -> None:
    """Write a table with its missing values replaced, and a list of these where that is named."""
    output, listing = outputs
    formats = format_of(output, as_json), format_of(listing) if listing else "csv"
    missing = fitting.missing if model is None else missing_of(model)
    with files.opened(missing) as source, ExitStack() as stack:
        mixture = fit_imputer(source, fitting, engine) if model is None else mixture_of(model)
        needed = needed_columns(source, mixture)
        rows = _Rows(source.names, mixture.schema_, TextTypes.of(source))
        writer = stack.enter_context(open_writer(output, formats[0]))
        listed = stack.enter_context(open_writer(listing, formats[1])) if listing else None
        report = stack.enter_context(reporting(table_name(source), output))
        work = partial(_imputed, mixture, rows, jointly, formats[0] in ("jsonl", "parquet"))
        for table, cells in by_chunk(needed, work, "imputing", report, engine):
            writer.write(table)
            if listed:
                listed.write(rows.listed(cells))
            rows.count(table.num_rows, cells)
    print_line(rows.counts(), stderr=True)


def _imputed(
    mixture: Galileo, rows: _Rows, jointly: bool, typed: bool, chunk: Chunk
) -> tuple[Any, pd.DataFrame]:
    """Return the rows of a chunk with their missing cells replaced, and these cells."""
    _, cells = mixture.impute(chunk.columns, return_cells=True, jointly=jointly)
    return rows.filled(chunk, cells, typed), cells


class _Rows:
    """The rows of a table with what is filled in, as they are written, and how many they are."""

    def __init__(self, names: tuple[str, ...], schema: Schema, types: TextTypes) -> None:
        self._names, self._schema, self._types = names, schema, types
        self._n_rows = self._n_cells = self._n_filled = 0

    def filled(self, chunk: Chunk, cells: pd.DataFrame, typed: bool) -> Any:
        """Return the rows as they were read, with some cells replaced."""
        columns = {name: decoded(chunk.raw.column(name)) for name in self._names}
        parts = dict(iter(cells.groupby("column", sort=False)))
        untyped: set[str] = set()  # what is not text as programs write it
        for attribute, found in zip(self._schema.attributes, self._schema.modelled, strict=True):
            name = self._name(attribute.name)
            if found.format.decimal == ",":
                untyped.add(name)
            if isinstance(attribute, Binned):  # an interval is text, in this chunk or a later one
                columns[name] = columns[name].cast(pa.string())
                untyped.add(name)
            if attribute.name in parts:
                values = self._values(columns[name], name, parts[attribute.name], attribute)
                rows = parts[attribute.name]["row"].to_numpy()
                columns[name] = filled(columns[name], Cells(rows, values, found.format))
        for name in (set(columns) - untyped) if typed else ():
            columns[name] = self._types.typed(name, columns[name])
        return pa.table(columns)

    def listed(self, cells: pd.DataFrame) -> Any:
        """Return the replaced cells, their rows counted from 1."""
        shown = cells.assign(row=cells["row"] + self._n_rows + 1, value=cells["value"].map(_exact))
        return pa.Table.from_pandas(shown, preserve_index=False)

    def count(self, n_rows: int, cells: pd.DataFrame) -> None:
        """Count rows that have been written."""
        self._n_rows += n_rows
        self._n_cells += len(cells)
        self._n_filled += cells["row"].nunique()

    def counts(self) -> str:
        """Return how many cells were replaced, in words."""
        values = counted(self._n_cells, "missing value")
        return f"{values} replaced in {self._n_filled} of {counted(self._n_rows, 'row')}"

    def _name(self, attribute: str) -> str:
        """Return the name of an attribute's column; without names it is found by its place."""
        if attribute in self._names:
            return attribute
        return self._names[self._schema.column_names.index(attribute)]

    def _values(self, column: Any, name: str, cells: pd.DataFrame, attribute: Any) -> list[Any]:
        """Return what replaces cells, whole where the column is; categories as it spells them."""
        values = cells["value"].tolist()
        if name in self._types.whole:
            values = [round(value) if isinstance(value, float) else value for value in values]
        if is_text(column.type) and isinstance(attribute, Categorical):
            spelling = _spelling(column, attribute)
            values = [spelling.get(value, _text(value)) for value in values]
        return values


def _spelling(column: Any, attribute: Categorical) -> dict[Any, str]:
    """Return how a column of text spells the values of an attribute."""
    texts = sorted(text for text in column.unique().to_pylist() if text is not None)
    codes = Lookup(attribute).text_codes(texts).tolist()
    known = ((code, text) for code, text in zip(codes, texts, strict=True))
    return {attribute.values[code]: text for code, text in known if code < len(attribute.values)}


def _text(value: Any) -> str:
    return shown_value(value) if isinstance(value, float | datetime.datetime) else str(value)


def _exact(value: Any) -> str:
    """Return a value as text with all its digits."""
    return str(value) if isinstance(value, float) else _text(value)
