"""Tables that are written: CSV, JSON lines or Parquet, to a file that is whole or to stdout."""

from __future__ import annotations

import csv as python_csv
import io
import json
import math
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute
from pyarrow import csv, parquet

from galileomix._storage.atomic import replacing
from galileomix.errors import ParameterError

Format = Literal["csv", "tsv", "jsonl", "parquet"]
SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
}
FORMULA = r"^[=+\-@\t\r]"
NUMBER = r"^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$"
# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute


def format_of(path: str, as_json: bool = False) -> Format:
    """Return the format that the name of a file asks for; of stdout, which is -, CSV or JSON.

    Raises
    ------
    ParameterError
        Where the name says nothing, or not JSON where that is asked for.
    FileNotFoundError, IsADirectoryError
        Where there can be no such file.

    Examples
    --------
    >>> format_of("kinds.parquet"), format_of("-"), format_of("-", as_json=True)
    ('parquet', 'csv', 'jsonl')
    """
    if path == "-":
        return "jsonl" if as_json else "csv"
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(f"{path!r} is a directory: name a file in it")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path!r}: there is no folder {str(target.parent)!r}")
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise ParameterError(f"cannot tell how to write {path!r}: name it {', '.join(SUFFIXES)}")
    if as_json and SUFFIXES[suffix] != "jsonl":
        raise ParameterError(f"--json writes JSON lines, and {path!r} is no .jsonl")
    return SUFFIXES[suffix]


class Writer(Protocol):
    """Writes one piece of a table after the other."""

    def write(self, table: Any) -> None:
        """Write an Arrow table; all pieces have the same columns."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...


@contextmanager
def open_writer(path: str, kind: Format) -> Generator[Writer]:
    """Open a table to be written; the file appears when all of it is there, or not at all.

    Parameters
    ----------
    path : str
        A file, which is replaced, or - for stdout.
    kind : Format
    """
    if path == "-":
        with closing(_writer(kind, sys.stdout.buffer)) as writer:
            yield writer
        sys.stdout.flush()
        return
    with replacing(path) as file, closing(_writer(kind, file)) as writer:
        yield writer


def _writer(kind: Format, file: Any) -> Writer:
    if kind == "parquet":
        return _Parquet(file)
    return _Json(file) if kind == "jsonl" else _Csv(file, "\t" if kind == "tsv" else ",")


class _Csv:
    """CSV that a spreadsheet may open: no text is taken for a formula."""

    def __init__(self, file: Any, separator: str) -> None:
        self._file, self._separator, self._begun = file, separator, False

    def write(self, table: Any) -> None:
        if not self._begun:
            self._file.write(self._header(table.column_names).encode())
            self._begun = True
        safe = pa.table([_harmless(each) for each in table.columns], table.column_names)
        # Arrow quotes all text or none.
        special = f'["\r\n{self._separator}]'
        texts = (each for each in safe.columns if _is_text(each.type))
        quote = any(compute.any(compute.match_substring_regex(t, special)).as_py() for t in texts)
        style = "needed" if quote else "none"
        options = csv.WriteOptions(
            include_header=False, delimiter=self._separator, quoting_style=style
        )
        csv.write_csv(safe, self._file, options)

    def _header(self, names: list[str]) -> str:
        line = io.StringIO()
        python_csv.writer(line, delimiter=self._separator, lineterminator="\n").writerow(
            map(safe_text, names)
        )
        return line.getvalue()

    def close(self) -> None:
        self._file.flush()


class _Json:
    """One JSON object for each row, on a line of its own."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, table: Any) -> None:
        for row in table.to_pylist():
            self._file.write(json_line(row).encode())

    def close(self) -> None:
        self._file.flush()


class _Parquet:
    def __init__(self, file: Any) -> None:
        self._file, self._writer = file, None

    def write(self, table: Any) -> None:
        table = _plain(table)
        if self._writer is None:
            self._writer: Any = parquet.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table.cast(self._writer.schema))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def json_line(row: dict[str, Any]) -> str:
    """Return a row as a line of JSON; what JSON cannot say is null."""
    plain = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
    return json.dumps(plain, ensure_ascii=False, default=str) + "\n"


def safe_text(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: an apostrophe before what might be.

    Examples
    --------
    >>> safe_text("=1+1"), safe_text("-3.5"), safe_text("plain")
    ("'=1+1", '-3.5', 'plain')
    """
    return str(_harmless(pa.chunked_array([[text]]))[0])


def _harmless(column: Any) -> Any:
    """Return a column in which no text begins like a formula, unless it is a number."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    if not _is_text(column.type):
        return column
    column = column.cast(pa.string())
    risky = compute.and_(
        compute.match_substring_regex(column, FORMULA),
        compute.invert(compute.match_substring_regex(column, NUMBER)),
    )
    if not compute.any(risky).as_py():
        return column
    return compute.if_else(risky, compute.binary_join_element_wise("'", column, ""), column)


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _plain(table: Any) -> Any:
    """Return a table whose coded text is text: codes differ from piece to piece."""
    columns = {
        name: table[name].cast(table[name].type.value_type)
        if pa.types.is_dictionary(table[name].type)
        else table[name]
        for name in table.column_names
    }
    return pa.table(columns)


def with_columns(raw: Any, names: Sequence[str], new: dict[str, Any]) -> Any:
    """Return rows as they were read, with further columns; a name that is taken gets a mark."""
    columns = {name: raw.column(name) for name in names}
    for name, values in new.items():
        while name in columns:
            name += "_"
        columns[name] = pa.array(values, from_pandas=isinstance(values, np.ndarray))
    return pa.table(columns)
