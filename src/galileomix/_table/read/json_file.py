"""JSON lines as record batches: one object on every line, its names those of the columns.

A column that an object does not have is missing there. The type of a column is that of all its
values, in all files of a table: integers and floats are floats, values of several types are text.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from galileomix._table.column import Column
from galileomix._table.read.convert import NESTED_HELP, Raw
from galileomix._table.read.csv_text import as_text
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.file_formats import open_bytes
from galileomix._table.read.missing_values import MissingValues
from galileomix._table.read.table_file import Batches, TypedFile, readable
from galileomix._table.values import check_name, check_text
from galileomix.errors import TableError

BATCH_LINES = 1 << 14
NESTED = frozenset({dict, list})
SHOWN = 40
"""The most characters of a line to show in a message."""
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""What begins half of a pair that stands for one character, and may be there without the other."""
NOT_LINES = "write one object on each line, as pandas does with to_json(lines=True)"
Types = dict[str, set[type]]
Row = dict[str, Any]


@dataclass(frozen=True)
class JsonFile(TypedFile):
    """A file of JSON lines; `nested` has the line of the first nested value of a column."""

    types: Types
    nested: dict[str, int]

    @classmethod
    def opened(cls, path: Path) -> JsonFile:
        """Look at all rows for the names and types of the columns."""
        types, nested = defaultdict[str, set[type]](set), dict[str, int]()
        for numbers, rows, _ in _rows_of(path):
            for name in dict.fromkeys(name for row in rows for name in row):
                cells = [row.get(name) for row in rows]
                here = set(map(_type, cells)) - {type(None)}
                types[name] |= here
                if here & NESTED and name not in nested:
                    nested[name] = next(
                        number
                        for number, cell in zip(numbers, cells, strict=True)
                        if type(cell) in NESTED
                    )
        if not types:
            raise TableError("there are no JSON objects in this file", file=str(path))
        return cls(path, tuple(types), True, _schema(types), dict(types), nested)

    @classmethod
    def joined(cls, files: Sequence[JsonFile]) -> tuple[JsonFile, ...]:
        """Return files of one table, which all have the columns and types of all of them."""
        types = defaultdict[str, set[type]](set)
        for file in files:
            for name, found in file.types.items():
                types[name] |= found
        schema = _schema(types)
        return tuple(replace(file, names=tuple(types), schema=schema) for file in files)

    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns, with their types."""
        schema = pa.schema([self.schema.field(name) for name in names])
        with readable(self.path):
            for _, rows, read in _rows_of(self.path):
                arrays = [_array([row.get(field.name) for row in rows], field) for field in schema]
                yield pa.record_batch(arrays, schema=schema), read

    def column(self, name: str, raw: Raw, declared: Declared, missing: MissingValues) -> Column:
        """Read one column of a batch; refuse nested values."""
        if name in self.nested:
            raise TableError(
                f"nested values cannot be used: {NESTED_HELP}",
                column=name,
                file=str(self.path),
                line=self.nested[name],
            )
        return super().column(name, raw, declared, missing)

    def line(self, row: int) -> int:
        """Return the line of a row, counted from 1; the rows are from 0."""
        contents, _ = open_bytes(self.path)
        with as_text(contents, "utf-8") as text:
            return next(islice(_filled(text), row, None))[0]


def _rows_of(path: Path) -> Iterator[tuple[list[int], list[Row], int]]:
    """Yield the numbers of some lines, their objects, and how far one has read."""
    contents, bytes_read = open_bytes(path)
    with as_text(contents, "utf-8") as text:
        lines = _filled(text)
        while batch := list(islice(lines, BATCH_LINES)):
            yield [number for number, _ in batch], [_row(*line) for line in batch], bytes_read()


def _filled(text: Any) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers."""
    return ((number, line) for number, line in enumerate(text, 1) if not line.isspace())


def _row(number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        shown = line.strip()
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
        raise TableError(f"{shown!r} is not a JSON object: {NOT_LINES}", line=number)
    if SURROGATE.search(line):
        _check_texts(row, number)
    return row


def _check_texts(row: Row, number: int) -> None:
    """Refuse names and cells that cannot be written."""
    for name, cell in row.items():
        column = None
        try:
            check_name(name)
            column = name
            check_text(_text(cell))
        except TableError as error:
            raise TableError(error.problem, column=column, line=number) from None


def _type(cell: object) -> type:
    """Return the type of a cell; an integer that has no place in 64 bits counts as a float."""
    if type(cell) is int and not -(2**63) <= cell < 2**63:
        return float
    return type(cell)


def _schema(types: Types) -> Any:
    return pa.schema([(name, _arrow_type(found)) for name, found in types.items()])


def _arrow_type(found: set[type]) -> Any:
    """Return the type that cells of these types have in common."""
    if not found:
        return pa.null()
    if found == {bool}:
        return pa.bool_()
    if found == {int}:
        return pa.int64()
    return pa.float64() if found <= {int, float} else pa.string()


def _array(cells: list[Any], field: Any) -> Any:
    """Return the cells of a column as its type has them."""
    as_cell: Callable[[Any], Any] | None = {pa.float64(): _float, pa.string(): _text}.get(
        field.type
    )
    if as_cell is not None:
        cells = [None if cell is None else as_cell(cell) for cell in cells]
    return pa.array(cells, field.type, from_pandas=True)


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
