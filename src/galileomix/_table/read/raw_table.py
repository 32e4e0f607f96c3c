"""A table in memory, whatever holds it, to raw columns: frames, arrays, lists, dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.read.convert import Factors, Raw
from galileomix.errors import TableError, TableTypeError

ONE_DIMENSION = (
    "Expected 2D array, got {what} array instead:\narray={table!r}.\nReshape your data either "
    "using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it "
    "contains a single sample."
)
NO_LISTS = (str, bytes, Mapping, set, frozenset)
"""What has parts that are no list of values: those of a set have no order."""


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns before their cells are looked at; names as the user wrote them, or None."""

    names: Sequence[object] | None
    columns: Sequence[Raw]
    n_rows: int


def raw_table(table: Any) -> RawTable:
    """Return the columns of any table in memory.

    Raises
    ------
    TableError
        Where it is not a table; with the messages scikit-learn users know.
    """
    if isinstance(table, np.ndarray):
        return _from_array(cast("NDArray[Any]", table))
    _refuse_sparse(table)  # before mappings: one of the sparse classes is a dictionary
    if isinstance(table, Mapping):
        return _from_mapping(cast("Mapping[object, object]", table))
    if isinstance(table, list | tuple):
        return _from_rows(cast("Sequence[object]", table))
    frame = _from_frame(table)
    if frame is not None:
        return frame
    if hasattr(table, "__array__") or hasattr(table, "__array_interface__"):
        return _from_array(np.asarray(table))
    if np.isscalar(table):
        raise _one_dimension(table, "scalar")
    raise TableTypeError(
        f"a {type(table).__name__!r} is not a table: give a frame, an array, a list of rows, "
        f"a dictionary of columns or the path of a file"
    )


def _one_dimension(table: object, what: str = "1D") -> TableError:
    shown = table if len(repr(table)) < 400 else "..."
    return TableError(ONE_DIMENSION.format(what=what, table=shown))


def _refuse_sparse(table: object) -> None:
    from scipy import sparse  # here: only tables that may be sparse pay for the import

    if sparse.issparse(table):
        raise TableTypeError(
            "Sparse data was passed, but dense data is required: sparse tables are not supported. "
            "Use '.toarray()' to convert it to a dense table."
        )


def _from_frame(table: Any) -> RawTable | None:
    """Read a frame of any library that narwhals or Arrow knows; None where it is no frame."""
    if nw.dependencies.is_pandas_dataframe(table):
        columns = [_raw_series(table.iloc[:, position]) for position in range(table.shape[1])]
        return RawTable(list(table.columns), columns, len(table))
    if isinstance(table, pa.Table | pa.RecordBatch):
        return _from_arrow(table)
    frame: Any = nw.from_native(table, pass_through=True, allow_series=True)
    if isinstance(frame, nw.Series) or isinstance(table, pa.Array | pa.ChunkedArray):
        raise _one_dimension(table)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        columns = [_raw_series(frame[name].to_native()) for name in frame.columns]
        return RawTable(frame.columns, columns, len(frame))
    return _from_arrow(pa.table(table)) if hasattr(table, "__arrow_c_stream__") else None


def _from_arrow(table: Any) -> RawTable:
    return RawTable(list(table.schema.names), list(table.columns), table.num_rows)


def _raw_series(series: Any) -> Raw:
    """Read one column of any library: an Arrow array where it can be one."""
    if isinstance(series, pa.Array | pa.ChunkedArray | np.ndarray):
        return series
    if nw.dependencies.is_pandas_series(series):
        return _raw_pandas(series)
    if type(series).__module__.split(".")[0] == "pandas":  # an index, or an array of its own
        import pandas as pd

        return _raw_pandas(pd.Series(series))
    wrapped: Any = nw.from_native(series, pass_through=True, series_only=True)
    if not isinstance(wrapped, nw.Series):
        return np.asarray(series)
    # Arrow has no type for Python objects: polars would hand over their addresses.
    if wrapped.dtype == nw.Object:
        return wrapped.to_list()
    if wrapped.dtype == nw.Int128 or wrapped.dtype == nw.UInt128:
        problem = "integers of 128 bits are not supported: cast them to 64 bits, floats or text"
        raise TableError(problem, column=wrapped.name)
    return wrapped.alias("").to_arrow()  # a NUL in its name would end polars


def _raw_pandas(series: Any) -> Raw:
    dtype = type(series.dtype).__name__
    if dtype == "CategoricalDtype":
        codes = series.cat.codes.to_numpy()
        return Factors(series.cat.categories.tolist(), codes, series.cat.ordered)
    if dtype == "PeriodDtype":
        series = series.dt.to_timestamp()
    if dtype == "IntervalDtype":
        return series.to_list()
    if dtype == "SparseDtype":
        series = series.sparse.to_dense()
    if isinstance(series.dtype, np.dtype):
        return series.to_numpy()
    return pa.array(series, from_pandas=True)


def _from_array(array: NDArray[Any]) -> RawTable:
    """Read a two-dimensional array, or a structured one of one dimension."""
    if not np.ma.isMaskedArray(array):
        array = np.asarray(array)  # a matrix, say, or a record array
    if array.dtype.names is not None:
        return _from_structured(array)
    if array.dtype.kind == "c":
        raise TableError(f"Complex data not supported\n{array!r}\n")
    if array.ndim < 2:
        raise _one_dimension(array, "scalar" if array.ndim == 0 else "1D")
    if array.ndim > 2:
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


def _from_mapping(table: Mapping[object, object]) -> RawTable:
    columns = [_raw_cells(name, column) for name, column in table.items()]
    lengths = {name: len(column) for name, column in zip(table, columns, strict=True)}
    first = next(iter(lengths), None)
    for name, length in lengths.items():
        if length != lengths[first]:
            raise TableError(
                f"column {name!r} has {length} rows, but column {first!r} has {lengths[first]}"
            )
    return RawTable(list(table), columns, lengths.get(first, 0))


def _raw_cells(name: object, column: object) -> Any:
    if isinstance(column, NO_LISTS) or not hasattr(column, "__len__"):
        raise TableError(f"column {name!r} is {column!r}, not a list of values")
    if getattr(column, "ndim", 1) != 1:
        raise TableError(f"column {name!r} must have one dimension")
    return cast(Any, column) if isinstance(column, list | tuple) else _raw_series(column)


def _from_rows(rows: Sequence[object]) -> RawTable:
    """Read a list of rows: of sequences, or of dictionaries."""
    if not rows:
        return RawTable(None, [], 0)
    if all(isinstance(row, Mapping) for row in rows):
        records = cast("Sequence[Mapping[object, object]]", rows)
        names = list(dict.fromkeys(name for record in records for name in record))
        cells = [[record.get(name) for record in records] for name in names]
        return RawTable(names, cells, len(rows))
    if all(isinstance(row, np.ndarray) and row.ndim == 1 for row in rows):
        arrays = cast("Sequence[NDArray[Any]]", rows)
        if len({(len(row), row.dtype) for row in arrays}) == 1:
            return _from_array(np.stack(arrays))
    return _from_sequences(rows)


def _from_sequences(rows: Sequence[object]) -> RawTable:
    width = None
    for position, row in enumerate(rows):
        if isinstance(row, NO_LISTS) or not isinstance(row, Iterable):
            if position == 0 and not isinstance(row, set | frozenset):
                raise _one_dimension(rows)
            raise TableError(f"row {position} is {row!r}, not a list of values")
        length = len(cast("Sequence[object]", row))
        width = length if width is None else width
        if length != width:
            raise TableError(f"row {position} has {length} values, but row 0 has {width}")
    first = list(cast("Sequence[object]", rows[0]))
    if first and all(isinstance(cell, list | tuple | np.ndarray) for cell in first):
        raise TableError("Found array with dim 3, while dim <= 2 is required.")
    columns = [list(column) for column in zip(*cast(Any, rows), strict=True)]
    return RawTable(None, columns, len(rows))
