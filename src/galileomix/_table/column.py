"""One column of a table, read: numbers, or categories as codes into their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.values import Value
from galileomix.errors import TableError

Codes = NDArray[np.unsignedinteger[Any]]
Floats = NDArray[np.floating[Any]]
Numbers = NDArray[np.floating[Any] | np.integer[Any]]

# Long columns are worked through in slices of this many rows, so that temporaries stay in cache.
SLICE_ROWS = 65536
# Squares and products of numbers and weights up to these stay far inside what a float can hold.
LARGEST_NUMBER = 2.0**300


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A numeric column; NaN is missing. Integers are as they are, floats otherwise.

    Dates are seconds since 1970, times seconds since midnight, durations seconds: the `unit` says
    what they are, "date", "time" or "duration".
    """

    name: str
    values: Numbers
    unit: str = ""


@dataclass(frozen=True, eq=False)
class CategoryColumn:
    """A categorical column: row ``a`` holds ``values[codes[a]]``.

    The values are distinct, and some may be held by no row. They are in no particular order,
    unless the column is `ordered`: then from the lowest to the highest.
    """

    name: str
    values: tuple[Value, ...]
    codes: Codes
    ordered: bool = False


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A column of text, not parsed yet: row ``a`` holds ``texts[codes[a]]``.

    The texts are an Arrow array, distinct, each held by a row when read; a code of -1 is missing.
    Their type depends on the whole table, or on the schema they are encoded with. `spelled` are
    the texts that were taken for missing although nobody named them.
    """

    name: str
    texts: Any
    codes: NDArray[np.signedinteger[Any]]
    spelled: frozenset[str] = frozenset()


Column = NumberColumn | CategoryColumn | TextColumn


@dataclass(frozen=True, eq=False)
class Columns:
    """A table in memory: columns of `n_rows` rows each.

    `named` says whether the names are the user's own, all text, rather than made up or numbers;
    `declared` what is said of the types of columns, nothing where it is empty.

    Examples
    --------
    >>> from galileomix._table import read
    >>> table = read({"odor": ["none", "foul"], "width": [1.5, 2.0]})
    >>> table.names, table.n_rows, table.named
    (('odor', 'width'), 2, True)
    """

    columns: tuple[Column, ...]
    n_rows: int
    named: bool
    declared: tuple[Any, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def select(self, names: Sequence[str]) -> Columns:
        """Return some of the columns, in the order given."""
        places = [self.names.index(name) for name in names]
        declared = tuple(self.declared[place] for place in places) if self.declared else ()
        columns = tuple(self.columns[place] for place in places)
        return Columns(columns, self.n_rows, self.named, declared)

    def rows(self, which: slice | NDArray[Any]) -> Columns:
        """Return some of the rows: a slice, a boolean mask or positions."""
        columns = tuple(_rows(column, which) for column in self.columns)
        n_rows = len(np.empty(self.n_rows, np.bool_)[which])
        return Columns(columns, n_rows, self.named, self.declared)


def _rows(column: Column, which: slice | NDArray[Any]) -> Column:
    if isinstance(column, NumberColumn):
        return replace(column, values=column.values[which])
    return replace(column, codes=column.codes[which])


def cells(column: Column) -> NDArray[Any]:
    """Return the cells of a column as they were given; None or NaN where missing.

    Examples
    --------
    >>> from galileomix._table import read
    >>> [cells(column).tolist() for column in read([["b", 1.5], [None, 2.0]]).columns]
    [['b', None], [1.5, 2.0]]
    """
    if isinstance(column, NumberColumn):
        return column.values
    values = column.texts.to_pylist() if isinstance(column, TextColumn) else column.values
    return with_missing_last(values)[column.codes]


def without_texts(column: TextColumn, gone: NDArray[np.bool_]) -> TextColumn:
    """Return a column of text with some of its texts taken for missing."""
    kept = ~gone
    if kept.all():
        return column
    table = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1).astype(column.codes.dtype)
    return replace(column, texts=column.texts.filter(pa.array(kept)), codes=table[column.codes])


def with_missing_last(values: Sequence[Value]) -> NDArray[Any]:
    """Return values as an array of objects, with None after the last: that of code -1."""
    array = np.empty(len(values) + 1, dtype=object)
    array[:-1] = values
    return array


def slices(n_rows: int, size: int = SLICE_ROWS) -> Iterator[slice]:
    """Cut `n_rows` rows into slices of `size`, the last one shorter."""
    return (slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size))


def narrowest(largest: int) -> np.dtype[np.unsignedinteger[Any]]:
    """Return the narrowest unsigned dtype that holds `largest`, of 8, 16 and 32 bits.

    Examples
    --------
    >>> narrowest(255), narrowest(256)
    (dtype('uint8'), dtype('uint16'))
    """
    for dtype in (np.uint8, np.uint16):
        if largest <= np.iinfo(dtype).max:
            return np.dtype(dtype)
    return np.dtype(np.uint32)


def number_column(name: str, values: NDArray[Any], unit: str = "") -> NumberColumn:
    """Make a numeric column; refuse numbers that are infinite or too large."""
    if values.dtype.kind in "iu":
        return NumberColumn(name, values, unit)
    if values.dtype.kind != "f" or values.dtype.itemsize > 8:
        values = values.astype(np.float64)
    for rows in slices(len(values)):
        too_large = np.abs(values[rows].astype(np.float64, copy=False)) > LARGEST_NUMBER
        if too_large.any():
            row = rows.start + int(np.argmax(too_large))
            raise TableError(
                f"{values[row]} is infinite or too large to be modelled (inf, or beyond "
                f"{LARGEST_NUMBER:.0e}); use NaN for a missing value, or "
                f"name it in `missing_values`",
                column=name,
                row=row,
            )
    return NumberColumn(name, values, unit)
