"""Frames to raw columns: pandas, polars, Arrow and what narwhals knows."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from galileomix._table.read.convert import Factors, Raw
from galileomix._table.read.sequences import RawTable, one_dimension


def from_frame(table: Any) -> RawTable | None:
    """Read a frame of any library that narwhals or Arrow knows; None where it is no frame."""
    if nw.dependencies.is_pandas_dataframe(table):
        columns = [raw_series(table.iloc[:, position]) for position in range(table.shape[1])]
        return RawTable(list(table.columns), columns, len(table))
    if isinstance(table, pa.Table | pa.RecordBatch):
        return from_arrow(table)
    frame: Any = nw.from_native(table, pass_through=True, allow_series=True)
    if isinstance(frame, nw.Series) or isinstance(table, pa.Array | pa.ChunkedArray):
        raise one_dimension(table)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        columns = [raw_series(frame[name].to_native()) for name in frame.columns]
        return RawTable(frame.columns, columns, len(frame))
    return from_arrow(pa.table(table)) if hasattr(table, "__arrow_c_stream__") else None


def from_arrow(table: Any) -> RawTable:
    """Read an Arrow table or record batch."""
    return RawTable(list(table.schema.names), list(table.columns), table.num_rows)


def raw_series(series: Any) -> Raw:
    """Read one column of any library: an Arrow array where it can be one."""
    if isinstance(series, pa.Array | pa.ChunkedArray | np.ndarray):
        return series
    if nw.dependencies.is_pandas_series(series):
        return _from_pandas(series)
    wrapped: Any = nw.from_native(series, pass_through=True, series_only=True)
    if not isinstance(wrapped, nw.Series):
        return np.asarray(series)
    # Arrow has no type for Python objects: polars would hand over their addresses.
    return wrapped.to_list() if wrapped.dtype == nw.Object else wrapped.to_arrow()


def _from_pandas(series: Any) -> Raw:
    kind = type(series.dtype).__name__
    if kind == "CategoricalDtype":
        return Factors(series.cat.categories.tolist(), series.cat.codes.to_numpy())
    if kind == "SparseDtype":
        series = series.sparse.to_dense()
    if isinstance(series.dtype, np.dtype):
        return series.to_numpy()
    return pa.array(series, from_pandas=True)
