"""Any table, one path: read it into named columns of numbers and categories."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np

from galileomix.errors import ParameterError, TableError, TableTypeError
from galileomix.table.column import Columns
from galileomix.table.convert import Kind, to_column
from galileomix.table.files import from_file
from galileomix.table.frames import from_frame
from galileomix.table.rows import (
    RawTable,
    from_array,
    from_mapping,
    from_rows,
    one_dimension,
    refuse_sparse,
)

CategoricalChoice = Literal["auto"] | Sequence[str | int]


def read(table: object, categorical: CategoricalChoice = "auto") -> Columns:
    """Read any table.

    Parameters
    ----------
    table : table-like
        A pandas, polars or Arrow frame, a two-dimensional or structured numpy array, a list of
        rows or of dictionaries, a dictionary of columns, or the path of a ``.csv``, ``.tsv`` or
        ``.parquet`` file, or columns already read. In a CSV file the first line is the header
        and only an empty cell is missing: ``NA``, ``null`` and ``?`` are values. Its columns
        are text where reading them as numbers would lose something: ``01`` is not ``1``.
    categorical : "auto" or list of str or int
        With "auto" columns of floats are numeric and all others categorical. A list of names or
        positions says exactly which are categorical; the others are read as numbers.

    Returns
    -------
    Columns
        The columns, named ``x0``, ``x1``, ... where the table has no names.

    Raises
    ------
    TableError
        Where the table or a cell of it cannot be used.

    Examples
    --------
    >>> table = read([["red", 1.5], ["blue", 2.5]])
    >>> [type(column).__name__ for column in table.columns]
    ['CategoryColumn', 'NumberColumn']
    """
    if isinstance(table, Columns):
        if not table.columns:
            raise TableError("no columns are left in the table: at least one is needed")
        return table
    raw = _raw(table)
    names = _names(raw)
    _check_shape(raw)
    kinds = _kinds(names, categorical)
    columns = tuple(map(to_column, names, raw.columns, kinds))
    named = raw.names is not None and all(isinstance(name, str) for name in raw.names)
    return Columns(columns, raw.n_rows, named)


def _raw(table: Any) -> RawTable:
    if isinstance(table, str | os.PathLike):
        return from_file(Path(cast("str", table)))
    if isinstance(table, np.ndarray):
        return from_array(cast("np.ndarray[Any, Any]", table))
    refuse_sparse(table)  # before mappings: one of the sparse kinds is a dictionary
    if isinstance(table, Mapping):
        return from_mapping(cast("Mapping[object, object]", table))
    if isinstance(table, list | tuple):
        return from_rows(cast("Sequence[object]", table))
    frame = from_frame(table)
    if frame is not None:
        return frame
    if hasattr(table, "__array__") or hasattr(table, "__array_interface__"):
        return from_array(np.asarray(table))
    if np.isscalar(table):
        raise one_dimension(table, "scalar")
    raise TableTypeError(
        f"a {type(table).__name__!r} is not a table: give a frame, an array, a list of rows, "
        f"a dictionary of columns or the path of a file"
    )


def _names(raw: RawTable) -> tuple[str, ...]:
    if raw.names is None:
        return tuple(f"x{position}" for position in range(len(raw.columns)))
    names = tuple(map(str, raw.names))
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise TableError(f"{len(twice)} column name(s) occur more than once: {_some(twice)}")
    return names


def _check_shape(raw: RawTable) -> None:
    shape = (raw.n_rows, len(raw.columns))
    least = f"(shape={shape}) while a minimum of 1 is required."
    if raw.n_rows == 0:
        raise TableError(f"Found array with 0 sample(s) {least}")
    if not raw.columns:
        raise TableError(f"Found array with 0 feature(s) {least}")


def _kinds(names: Sequence[str], categorical: object) -> list[Kind]:
    if isinstance(categorical, str):
        if categorical != "auto":
            raise ParameterError(
                f"categorical={categorical!r}: give 'auto', or a list such as [{categorical!r}]"
            )
        return ["auto"] * len(names)
    try:
        chosen = {_position(names, each) for each in cast("Sequence[object]", categorical)}
    except TypeError:
        raise ParameterError(
            f"categorical={categorical!r}: give 'auto' or a list of column names or positions"
        ) from None
    return ["categorical" if m in chosen else "numeric" for m in range(len(names))]


def _position(names: Sequence[str], each: object) -> int:
    if isinstance(each, bool | np.bool_):
        raise ParameterError(
            f"categorical holds {each!r}: give the names or positions of the columns, not a mask"
        )
    if isinstance(each, str) and each in names:
        return names.index(each)
    if isinstance(each, int | np.integer) and 0 <= each < len(names):
        return int(each)
    raise ParameterError(
        f"categorical names {each!r}, but the table has no such column; it has {_some(names)}"
    )


def _some(names: Sequence[str], most: int = 10) -> str:
    more = ", ..." if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
