"""The same columns in every form of a table that the package takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

Columns = dict[str, list[Any]]


def as_pandas(columns: Columns) -> Any:
    """Return a frame of pandas whose types are inferred."""
    return pd.DataFrame({name: _series(cells) for name, cells in columns.items()})


def _series(cells: list[Any]) -> Any:
    try:
        return pd.Series(cells)
    except (ValueError, UnicodeError, OverflowError, ArithmeticError):
        return pd.Series(np.fromiter(cells, object, len(cells)), dtype=object)


def as_objects(columns: Columns) -> Any:
    """Return a frame of pandas that holds objects."""
    return pd.DataFrame({n: np.fromiter(cells, object, len(cells)) for n, cells in columns.items()})


def as_categoricals(columns: Columns) -> Any:
    """Return a frame of pandas whose text is categorical."""
    frame = as_pandas(columns)
    texts = [n for n, cells in columns.items() if all(isinstance(c, str | None) for c in cells)]
    return frame.astype(dict.fromkeys(texts, "category"))


def as_polars(columns: Columns) -> Any:
    """Return a frame of polars."""
    return pl.DataFrame({name: pl.Series(cells, strict=False) for name, cells in columns.items()})


def as_arrow(columns: Columns) -> Any:
    """Return a table of Arrow."""
    return pa.table({name: pa.array(cells) for name, cells in columns.items()})


def as_array(columns: Columns) -> Any:
    """Return an array: of floats where it can be, else of objects."""
    rows = np.empty((len(next(iter(columns.values()))), len(columns)), object)
    for m, cells in enumerate(columns.values()):
        rows[:, m] = np.fromiter(cells, object, len(cells))
    floats = all(isinstance(cell, float) for cells in columns.values() for cell in cells)
    return rows.astype(float) if floats else rows


def as_rows(columns: Columns) -> Any:
    """Return a list of rows."""
    return [list(row) for row in zip(*columns.values(), strict=True)]


def as_records(columns: Columns) -> Any:
    """Return a list of dicts."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def as_dict(columns: Columns) -> Any:
    """Return a dict of lists."""
    return columns


FORMS: dict[str, Callable[[Columns], Any]] = {
    "pandas": as_pandas,
    "objects": as_objects,
    "categoricals": as_categoricals,
    "polars": as_polars,
    "arrow": as_arrow,
    "array": as_array,
    "rows": as_rows,
    "records": as_records,
    "dict": as_dict,
}


def in_form(columns: Columns, form: str) -> Any:
    """Return columns as a table of some form; as a dict where its library refuses the cells."""
    try:
        return FORMS[form](columns)
    except (Exception, pl.exceptions.PanicException):  # whatever it says of cells it cannot hold
        return columns


def types_of(table: Any) -> Any:
    """Return the types of a table's columns by their names, or what else it is.

    Of cells of several types a library makes what the first of them says.
    """
    if isinstance(table, pl.DataFrame):
        return {name: str(each) for name, each in table.schema.items()}
    if isinstance(table, pa.Table):
        return {field.name: str(field.type) for field in table.schema}
    if isinstance(table, pd.DataFrame):
        return {name: str(each) for name, each in table.dtypes.items()}
    return str(table.dtype) if isinstance(table, np.ndarray) else type(table)


def as_held(columns: Columns, table: Any) -> Columns:
    """Return the cells as a table holds them: beside text, polars writes all as text."""
    if not isinstance(table, pl.DataFrame):
        return columns
    texts = {name for name, each in table.schema.items() if each == pl.String}
    return {n: table[n].to_list() if n in texts else cells for n, cells in columns.items()}
