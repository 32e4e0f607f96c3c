"""Columns to codes: every distinct value gets a number, without a loop over the cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import CategoryColumn, Codes, narrowest, slices
from galileomix._table.values import Key, Value, key, plain
from galileomix.errors import TableError

# Integers within a range this wide are looked up in a table; others are hashed.
TABLE_SPAN = 1 << 18

PLAIN = frozenset({int, bool, type(None)})
"""Types whose values are values as they are."""

Part = tuple[Sequence[object], NDArray[Any]]


def factor_parts(name: str, parts: Iterable[Part], ordered: bool = False) -> CategoryColumn:
    """Join dictionary-encoded parts; a negative code is a missing value.

    Parts may order and repeat their values as they like: equal values get one code. Where the
    column is `ordered`, the first part says how.
    """
    known: dict[Key, int] = {}
    pieces: list[Codes] = []
    for values, codes in parts:
        try:
            table = _lookup(known, values)
        except TableError as error:  # its row is the code of the value
            held = np.flatnonzero(codes == error.row)
            row = sum(map(len, pieces)) + int(held[0]) if len(held) else None
            raise type(error)(error.problem, column=name, row=row) from None
        pieces.append(_take(table, codes))
    dtype = narrowest(max(len(known) - 1, 0))
    codes = pieces[0] if len(pieces) == 1 else np.concatenate([*pieces, np.empty(0, dtype)])
    values = tuple(value for _, value in known)
    return CategoryColumn(name, values, codes.astype(dtype, copy=False), ordered)


def _lookup(known: dict[Key, int], values: Sequence[object]) -> Codes:
    """Return the joint code of each value, and last that of a missing value."""
    codes: list[int] = []
    for place, value in enumerate((*values, None)):
        try:
            read = cast(Value, value) if type(value) in PLAIN else plain(value)
            codes.append(known.setdefault(key(read), len(known)))
        except TableError as error:
            raise type(error)(error.problem, row=place) from None
    return np.array(codes, dtype=narrowest(max(codes)))


def _take(table: Codes, codes: NDArray[Any]) -> Codes:
    result = np.empty(len(codes), table.dtype)
    for rows in slices(len(codes)):
        # A code of -1 picks the last entry, which is the missing one.
        result[rows] = table[codes[rows].astype(np.int64, copy=False)]
    return result


def factor_integers(name: str, numbers: NDArray[Any]) -> CategoryColumn | None:
    """Factor integers or booleans that lie close together; None where they do not."""
    if numbers.dtype.kind == "b":
        return CategoryColumn(name, (False, True), numbers.view(np.uint8))
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > min(TABLE_SPAN, max(4 * len(numbers), 256)):
        return None
    occurs = np.zeros(high - low + 1, dtype=np.bool_)
    for _, shifted in _shifted(numbers, low):
        occurs[shifted] = True
    present = np.flatnonzero(occurs)
    table = np.zeros(len(occurs), narrowest(len(present) - 1))
    table[present] = np.arange(len(present))
    codes = np.empty(len(numbers), table.dtype)
    for rows, shifted in _shifted(numbers, low):
        codes[rows] = table[shifted]
    return CategoryColumn(name, tuple(low + value for value in present.tolist()), codes)


def _shifted(numbers: NDArray[Any], low: int) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    wide = np.uint64 if numbers.dtype.kind == "u" else np.int64
    for rows in slices(len(numbers)):
        yield rows, (numbers[rows].astype(wide, copy=False) - wide(low)).astype(np.int64)
