"""Arrays and plain Python containers to raw columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from galileomix._table.read.convert import Raw
from galileomix.errors import TableError, TableTypeError


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns before their cells are looked at; names as the user wrote them, or None."""

    names: Sequence[object] | None
    columns: Sequence[Raw]
    n_rows: int


ONE_DIMENSION = (
    "Expected 2D array, got {what} array instead:\narray={table!r}.\nReshape your data either "
    "using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it "
    "contains a single sample."
)


def one_dimension(table: object, what: str = "1D") -> TableError:
    """Return the error for a table that is a single row or column."""
    shown = table if len(repr(table)) < 400 else "..."
    return TableError(ONE_DIMENSION.format(what=what, table=shown))


def from_array(array: NDArray[Any]) -> RawTable:
    """Read a two-dimensional array, or a structured one of one dimension."""
    if not np.ma.isMaskedArray(array):
        array = np.asarray(array)  # a matrix, say, or a record array
    if array.dtype.names is not None:
        return _from_structured(array)
    if array.dtype.kind == "c":
        raise TableError(f"Complex data not supported\n{array!r}\n")
    if array.ndim != 2:
        if array.ndim < 2:
            raise one_dimension(array, "scalar" if array.ndim == 0 else "1D")
        raise TableError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    return RawTable(None, list(array.T), len(array))


def _from_structured(array: NDArray[Any]) -> RawTable:
    if array.ndim != 1:
        raise TableError(f"a structured array must have one dimension, this one has {array.ndim}")
    names = list(array.dtype.names or ())
    for name in names:
        if array[name].ndim != 1:
            raise TableError(f"column {name!r} holds arrays: turn it into plain columns")
    return RawTable(names, [array[name] for name in names], len(array))


def from_mapping(table: Mapping[object, object]) -> RawTable:
    """Read a dictionary of columns."""
    columns = [_cells(name, column) for name, column in table.items()]
    lengths = {name: len(column) for name, column in zip(table, columns, strict=True)}
    first = next(iter(lengths), None)
    for name, length in lengths.items():
        if length != lengths[first]:
            raise TableError(
                f"column {name!r} has {length} rows, but column {first!r} has {lengths[first]}"
            )
    return RawTable(list(table), columns, lengths.get(first, 0))


def _cells(name: object, column: object) -> Any:
    if isinstance(column, str | bytes | Mapping) or not hasattr(column, "__len__"):
        raise TableError(f"column {name!r} is {column!r}, not a list of values")
    if getattr(column, "ndim", 1) != 1:
        raise TableError(f"column {name!r} must have one dimension")
    return column if isinstance(column, list | tuple) else _array_like(column)


def _array_like(column: Any) -> Any:
    from galileomix._table.read.frames import raw_series  # here, since frames builds on this module

    return raw_series(column)


def from_rows(rows: Sequence[object]) -> RawTable:
    """Read a list of rows: of sequences, or of dictionaries."""
    if not rows:
        return RawTable(None, [], 0)
    if all(isinstance(row, Mapping) for row in rows):
        return _from_records(cast("Sequence[Mapping[object, object]]", rows))
    if all(isinstance(row, np.ndarray) and row.ndim == 1 for row in rows):
        arrays = cast("Sequence[NDArray[Any]]", rows)
        if len({(len(row), row.dtype) for row in arrays}) == 1:
            return from_array(np.stack(arrays))
    return _from_sequences(rows)


def _from_sequences(rows: Sequence[object]) -> RawTable:
    width = None
    for position, row in enumerate(rows):
        if isinstance(row, str | bytes | Mapping) or not isinstance(row, Iterable):
            if position == 0:
                raise one_dimension(rows)
            raise TableError(f"row {position} is {row!r}, not a list of values")
        length = len(cast("Sequence[object]", row))
        width = length if width is None else width
        if length != width:
            raise TableError(f"row {position} has {length} values, but row 0 has {width}")
    if np.ndim(cast(Any, rows[0])) > 1:
        raise TableError("Found array with dim 3, while dim <= 2 is required.")
    columns = [list(column) for column in zip(*cast(Any, rows), strict=True)]
    return RawTable(None, columns, len(rows))


def _from_records(rows: Sequence[Mapping[object, object]]) -> RawTable:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return RawTable(names, [[row.get(name) for row in rows] for name in names], len(rows))


def refuse_sparse(table: object) -> None:
    """Raise the error scikit-learn users know where a table is sparse."""
    from scipy import sparse  # here: only tables that may be sparse pay for the import

    if sparse.issparse(table):
        raise TableTypeError(
            "Sparse data was passed, but dense data is required: sparse tables are not supported. "
            "Use '.toarray()' to convert it to a dense table."
        )
