"""What the user says of columns: their names, and which are categorical or numeric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, cast

import numpy as np

from galileomix.errors import ParameterError

CategoricalChoice = Literal["auto"] | Sequence[str | int]
Declared = Literal["auto", "categorical", "numeric"]
"""What the user says of one column; "auto" where nothing."""


def declared_types(
    names: Sequence[str], categorical: object, numeric: Sequence[str | int]
) -> tuple[Declared, ...]:
    """Return what the user says of each column; `numeric` columns are numeric in any case."""
    numbers = {_position(names, column) for column in numeric}
    if None in numbers:
        absent = next(column for column in numeric if _position(names, column) is None)
        raise ParameterError(f"no column {absent!r} to discretize; there are {some(names)}")
    declared = _by_categorical(names, categorical)
    return tuple("numeric" if m in numbers else said for m, said in enumerate(declared))


def undeclared(names: Sequence[str]) -> tuple[Declared, ...]:
    """Return "auto" for each column."""
    return ("auto",) * len(names)


def _by_categorical(names: Sequence[str], categorical: Any) -> tuple[Declared, ...]:
    if isinstance(categorical, str):
        if categorical != "auto":
            raise ParameterError(
                f"categorical={categorical!r}: give 'auto', or a list such as [{categorical!r}]"
            )
        return undeclared(names)
    if not isinstance(categorical, Iterable):
        raise ParameterError(
            f"categorical={categorical!r}: give 'auto' or a list of column names or positions"
        )
    chosen = {_chosen(names, column) for column in cast("Iterable[object]", categorical)}
    return tuple("categorical" if m in chosen else "numeric" for m in range(len(names)))


def _chosen(names: Sequence[str], column: object) -> int:
    """Return the position of a column that `categorical` names."""
    if isinstance(column, bool | np.bool_):
        raise ParameterError(
            f"categorical holds {column!r}: give the names or positions of the columns, not a mask"
        )
    position = _position(names, column)
    if position is None:
        raise ParameterError(
            f"categorical names {column!r}, but the table has no such column; it has {some(names)}"
        )
    return position


def _position(names: Sequence[str], column: object) -> int | None:
    """Return the position of a column that is given by name or position; None if there is none."""
    if isinstance(column, str) and column in names:
        return names.index(column)
    return (
        int(column) if isinstance(column, int | np.integer) and 0 <= column < len(names) else None
    )


def named_twice(names: Sequence[str]) -> str:
    """Return what is wrong where a name occurs more than once; nothing where none does."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    return f"{len(twice)} column name(s) occur more than once: {some(twice)}" if twice else ""


def some(names: Sequence[str], most: int = 10) -> str:
    """Return the first names for a message."""
    more = ", ..." if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
