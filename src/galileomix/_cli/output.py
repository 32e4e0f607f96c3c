"""Tables that are written: CSV, JSON lines or Parquet, to stdout or to a file that is whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
from pyarrow import parquet

from galileomix._atomic import replacing
from galileomix._cli.output_paths import Format, format_of
from galileomix._cli.terminal import finite
from galileomix._cli.typed_cells import TextTypes
from galileomix._fitted.frames import arrow_column
from galileomix._table import MissingValues

NO_TYPES = TextTypes({}, frozenset(), MissingValues())
# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute


@contextmanager
def open_writer(path: str, format: Format) -> Generator[Writer]:
    """Open a table for writing; a file is replaced when all of it is written, or not at all."""
    if path == "-":
        with closing(_writer(sys.stdout.buffer, format)) as writer:
            yield writer
        sys.stdout.flush()
        return
    with replacing(path) as file, closing(_writer(file, format)) as writer:
        yield writer


def types_for(format: Format, source: Any) -> TextTypes:
    """Return the types of the cells of a table in a format: in CSV, text stays as it is."""
    return TextTypes.of(source) if format in ("jsonl", "parquet") else NO_TYPES


def _writer(file: Any, format: Format) -> Writer:
    if format == "parquet":
        return _ParquetWriter(file)
    if format == "jsonl":
        return _JsonWriter(file)
    return _CsvWriter(file, "\t" if format == "tsv" else ",")


class Writer:
    """Writes a table to an open file, one piece after the other."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, table: Any) -> None:
        """Write an Arrow table; all pieces have the same columns."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what is left."""
        self._file.flush()


class _CsvWriter(Writer):
    """CSV with quotes only where they are needed; text stays as it is, so that it is read again."""

    def __init__(self, file: Any, separator: str) -> None:
        super().__init__(file)
        self._separator, self._begun = separator, False

    def write(self, table: Any) -> None:
        if not self._begun:
            self._write_lines([pa.array([name]) for name in table.column_names])
            self._begun = True
        self._write_lines(table.columns)

    def _write_lines(self, columns: Sequence[Any]) -> None:
        cells = [self._cells(column) for column in columns]
        if len(cells) == 1:  # an empty line is no row
            cells = [compute.if_else(compute.equal(cells[0], ""), '""', cells[0])]
        lines = compute.binary_join_element_wise(*cells, self._separator).to_pylist()
        self._file.write("".join(f"{line}\n" for line in lines).encode())

    def _cells(self, column: Any) -> Any:
        """Return the cells of a column as they are written."""
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        if pa.types.is_dictionary(column.type):
            return compute.fill_null(self._cells(column.dictionary).take(column.indices), "")
        texts = as_text(column)
        numbers = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
        return texts if numbers else self._quoted(texts)

    def _quoted(self, texts: Any) -> Any:
        """Put quotes around texts that hold a separator, a quote or the end of a line."""
        special = compute.match_substring_regex(texts, f'["\r\n{self._separator}]')
        if not compute.any(special).as_py():
            return texts
        doubled = compute.replace_substring(texts, '"', '""')
        quoted = compute.binary_join_element_wise('"', doubled, '"', "")
        return compute.if_else(special, quoted, texts)


class _JsonWriter(Writer):
    """One JSON object for each row, on a line of its own.

    Arrow writes no JSON, and pandas rounds floats to 15 digits.
    """

    def write(self, table: Any) -> None:
        for row in table.to_pylist():
            line = json.dumps(finite(row), ensure_ascii=False, default=str)
            self._file.write(f"{line}\n".encode())


class _ParquetWriter(Writer):
    def __init__(self, file: Any) -> None:
        super().__init__(file)
        self._writer: Any = None

    def write(self, table: Any) -> None:
        # The codes of coded columns differ from piece to piece.
        table = pa.table([decoded(column) for column in table.columns], table.column_names)
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table.cast(self._writer.schema))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def is_text(arrow_type: Any) -> bool:
    """Return whether an Arrow type is text."""
    return bool(pa.types.is_string(arrow_type) or pa.types.is_large_string(arrow_type))


def decoded(column: Any) -> Any:
    """Return an Arrow column whose values are not coded by a dictionary."""
    coded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if coded else column


def as_text(column: Any) -> Any:
    """Return an Arrow column as text, "" where a cell is missing."""
    try:
        texts = column.cast(pa.string())
    except pa.ArrowException:  # Arrow cannot write all types
        texts = pa.array([None if cell is None else str(cell) for cell in column.to_pylist()])
    return compute.fill_null(texts, "")


def with_columns(raw: Any, names: Sequence[str], new: dict[str, Any], types: TextTypes) -> Any:
    """Return rows as they were read, with further columns; a name that is taken gets a ``_``."""
    columns = {name: types.typed(name, raw.column(name)) for name in names}
    for name, values in new.items():
        while name in columns:
            name += "_"
        columns[name] = pa.array(values, from_pandas=isinstance(values, np.ndarray))
    return pa.table(columns)


def write_frame(frame: pd.DataFrame, output: str, as_json: bool) -> None:
    """Write a frame to a file or to stdout."""
    with open_writer(output, format_of(output, as_json)) as writer:
        writer.write(pa.table({name: _whole_days(arrow_column(frame[name])) for name in frame}))


def _whole_days(column: Any) -> Any:
    """Return moments that are all midnights as dates."""
    if not pa.types.is_timestamp(column.type):
        return column
    days = column.cast(pa.date32(), safe=False)
    same = compute.all(compute.equal(days.cast(column.type), column)).as_py()
    return days if same is not False else column
