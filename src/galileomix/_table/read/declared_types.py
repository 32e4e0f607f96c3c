"""What the user says of columns: which are categories and which are numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

import numpy as np

from galileomix._table.read.text_meaning import Kind
from galileomix.errors import ParameterError

CategoricalChoice = Literal["auto"] | Sequence[str | int]


def kinds_of(names: Sequence[str], categorical: object, numeric: Sequence[str | int]) -> list[Kind]:
    """Return what the user says of each column: which are categories, which must be numbers."""
    for each in numeric:
        if _found(names, each) is None:
            raise ParameterError(f"no column {each!r} to discretize; there are {some(names)}")
    numbers = {_found(names, each) for each in numeric}
    kinds = _said(names, categorical)
    return ["numeric" if m in numbers else kind for m, kind in enumerate(kinds)]


def _said(names: Sequence[str], categorical: object) -> list[Kind]:
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
    found = _found(names, each)
    if found is None:
        raise ParameterError(
            f"categorical names {each!r}, but the table has no such column; it has {some(names)}"
        )
    return found


def _found(names: Sequence[str], each: object) -> int | None:
    """Return the position of a column that is given by name or position."""
    if isinstance(each, str) and each in names:
        return names.index(each)
    return int(each) if isinstance(each, int | np.integer) and 0 <= each < len(names) else None


def some(names: Sequence[str], most: int = 10) -> str:
    """Return some names for a message."""
    more = ", ..." if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
