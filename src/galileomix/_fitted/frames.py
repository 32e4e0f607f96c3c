"""Frames of the library that a table came in: polars and Arrow in, polars and Arrow out.

All other tables are answered in pandas.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from galileomix._table import TextFormat, as_written_numbers
from galileomix._words import shown_value

AS_WRITTEN = TextFormat()
# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute


class Cells(NamedTuple):
    """Some cells of one column: their rows and values, and how the column's text is read."""

    rows: Any
    values: list[Any]
    format: TextFormat = AS_WRITTEN
    exact: bool = False  # whether numbers are values of the table, to be written to the last digit


def own_frame(table: Any) -> Any:
    """Return a table as a frame of its own library; None where it is no frame that we answer in."""
    if nw.dependencies.is_polars_lazyframe(table):
        return table.collect()
    if isinstance(table, pa.RecordBatch):
        return pa.table(table)
    known = isinstance(table, pd.DataFrame | pa.Table) or nw.dependencies.is_polars_dataframe(table)
    return table if known else None


def like(table: Any, found: Any) -> Any:
    """Return a frame or series of pandas as one of the library of a table."""
    frame = own_frame(table)
    if frame is None or isinstance(frame, pd.DataFrame):
        return found
    if isinstance(found, pd.Series):
        column = pa.chunked_array([arrow_column(found)])
        return column if isinstance(frame, pa.Table) else _polars().Series(found.name, column)
    arrow = pa.table({str(name): arrow_column(found[name]) for name in found})
    return arrow if isinstance(frame, pa.Table) else _polars().from_arrow(arrow)


def arrow_column(series: Any) -> Any:
    """Return a series of pandas as an Arrow array; values of several types become text."""
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):  # the last of large integers
        return pa.array([None if cell is None else str(cell) for cell in series], pa.string())


def with_cells(frame: Any, cells: Mapping[int, Cells]) -> Any:
    """Return a copy of a frame with some cells replaced, by the positions of its columns.

    A column keeps its type where that can hold the values, which are rounded to its decimals.
    """
    if isinstance(frame, pd.DataFrame):
        frame = frame.copy()
        for position, some in cells.items():
            frame.isetitem(position, _pandas_filled(frame.iloc[:, position], some))
        return frame
    if isinstance(frame, pa.Table):
        for position, some in cells.items():
            column = filled(frame.column(position), some)
            frame = frame.set_column(position, frame.column_names[position], column)
        return frame
    columns = [_polars_filled(frame[:, position], some) for position, some in cells.items()]
    return frame.with_columns(columns)


def filled(column: Any, cells: Cells) -> Any:
    """Return an Arrow column with some cells replaced; as text where its type cannot hold them."""
    coded = pa.types.is_dictionary(column.type)
    plain = column.cast(column.type.value_type) if coded else column
    values = _as_typed(cells.values, plain.type)
    mask = np.zeros(len(column), dtype=bool)
    mask[cells.rows] = True
    try:
        replaced = _replaced(plain, mask, pa.array(values, plain.type))
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # an interval among numbers, say
        column = plain.cast(pa.string())
        given = compute.unique(column.drop_null()).to_pylist()
        texts = _as_written(given, values, cells)
        return compute.replace_with_mask(column, mask, pa.array(texts, pa.string()))
    return replaced.dictionary_encode().cast(column.type) if coded else replaced


def _as_typed(values: list[Any], type: Any) -> list[Any]:
    """Return values as an Arrow type holds numbers: whole, or with so many decimals."""
    if pa.types.is_integer(type):
        return _whole(values)
    if pa.types.is_decimal(type):
        places: int = type.scale
        return [
            round(Decimal(value), places) if isinstance(value, float) else value for value in values
        ]
    return values


def _replaced(column: Any, mask: Any, values: Any) -> Any:
    """Return an Arrow column with some cells replaced; Arrow cannot where these are durations."""
    if not pa.types.is_duration(column.type):
        return compute.replace_with_mask(column, mask, values)
    whole = compute.replace_with_mask(column.cast(pa.int64()), mask, values.cast(pa.int64()))
    return whole.cast(column.type)


def _pandas_filled(series: Any, cells: Cells) -> Any:
    values = _as_held(series, cells)
    try:
        series = series.copy()
        series.iloc[cells.rows] = values
    except (TypeError, ValueError):  # an interval among numbers, say
        series = series.astype(object)
        series.iloc[cells.rows] = values
    return series


def _as_held(series: Any, cells: Cells) -> Any:
    """Return values as a series holds its own: whole, in its time zone, as periods or days."""
    dtype, values = series.dtype, cells.values
    if pd.api.types.is_integer_dtype(dtype):
        return _whole(values)
    if isinstance(dtype, pd.DatetimeTZDtype):
        return pd.to_datetime(values, utc=True).tz_convert(dtype.tz)
    if isinstance(dtype, pd.PeriodDtype):
        return pd.PeriodIndex(pd.to_datetime(values), freq=dtype.freq)
    held = {type(cell) for cell in series.dropna()} if dtype.kind == "O" else set[type]()
    if held == {str}:
        return _as_written(series.dropna().unique().tolist(), values, cells)
    return [value.date() for value in values] if held == {datetime.date} else values


def _as_written(texts: Sequence[str], values: list[Any], cells: Cells) -> list[str]:
    """Return values as text, as a column of text writes them.

    >>> _as_written(["TRUE", "FALSE"], [True], Cells([0], [True], TextFormat("boolean")))
    ['TRUE']
    >>> _as_written(["$1,200"], [3.5, 4000.0], Cells([0, 1], [], TextFormat("number")))
    ['$3.5', '$4,000']
    """
    how = cells.format
    intervals = any(isinstance(value, str) for value in values)
    if how.type in ("number", "date") and not intervals:
        return how.write(as_written_numbers(values, cells.exact), texts)
    known = {text.casefold(): text for text in texts}
    shown = map(shown_value, values)
    return [known.get(text.casefold(), text) for text in shown]


def _polars_filled(series: Any, cells: Cells) -> Any:
    polars: Any = _polars()
    if series.dtype == polars.Object:  # of which Arrow knows nothing
        held = series.to_list()
        for row, value in zip(cells.rows, cells.values, strict=True):
            held[row] = value
        return polars.Series(series.name, held, dtype=polars.Object)
    column = filled(series.to_arrow(), cells)
    found = polars.Series(series.name, column)
    try:
        return found.cast(series.dtype)
    except polars.exceptions.PolarsError:
        return found


def _whole(values: Sequence[Any]) -> list[Any]:
    return [round(value) if isinstance(value, float) else value for value in values]


def _polars() -> Any:
    return nw.dependencies.get_polars()
