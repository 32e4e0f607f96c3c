r"""What text of a CSV file stands for, found so that the parts of a file agree.

A CSV column is text, and becomes something else only where no two cells that differ would turn
into one category:

- booleans, where its cells are ``true`` and ``false``, all in one of the spellings of `SPELLINGS`;
- integers, where each cell is exactly how its integer is written;
- numbers, where each cell is a finite number. Not so where one has leading zeros, as ``007``, nor
  where all are whole, as article numbers of twenty digits are: these stay text, and so do dates
  and columns in which a word such as ``nan`` or ``inf`` stands among the numbers. Nor where the
  user says that the column is categorical: ``1.1`` and ``1.10`` are two versions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from galileomix.errors import TableError
from galileomix.table.column import (
    CategoryColumn,
    Column,
    NumberColumn,
    TextColumn,
    narrowest,
    number_column,
)
from galileomix.table.values import Value

# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute

Kind = Literal["auto", "categorical", "numeric"]
Meaning = Literal["boolean", "integer", "number", "text"]

SPELLINGS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"))
LEADING_ZEROS = r"^[+-]?0[0-9]"
WHOLE = r"^[+-]?[0-9]+$"


@dataclass(frozen=True)
class Evidence:
    """What the cells of a column could be. ``Evidence()`` is that of no cell; parts add up.

    Parameters
    ----------
    cells : bool
        Whether there was a cell that is not missing.
    booleans : frozenset of int
        The spellings of `SPELLINGS` in which all cells are booleans.
    integers, finite, whole : bool
        Whether all are integers as they are written; finite numbers; only digits.
    zeros : bool
        Whether one has leading zeros.

    Examples
    --------
    >>> parts = [["1", "2"], ["2.5"], ["x"]]
    >>> seen = [Evidence.of(pa.array(part)) for part in parts]
    >>> [(sum(seen[:n], Evidence())).meaning() for n in (1, 2, 3)]
    ['integer', 'number', 'text']
    """

    cells: bool = False
    booleans: frozenset[int] = frozenset(range(len(SPELLINGS)))
    integers: bool = True
    finite: bool = True
    whole: bool = True
    zeros: bool = False

    @classmethod
    def of(cls, texts: Any) -> Evidence:
        """Look at an Arrow array of text without missing cells."""
        if not len(texts):
            return cls()
        spelt = [
            s for s, pair in enumerate(SPELLINGS) if _all(compute.is_in(texts, pa.array(pair)))
        ]
        integers = _cast(texts, pa.int64())
        exact = integers is not None and _all(compute.equal(integers.cast(pa.string()), texts))
        floats = None if spelt else _cast(texts, pa.float64())
        return cls(
            True,
            frozenset(spelt),
            exact,
            floats is not None and _all(compute.is_finite(floats)),
            exact or _all(compute.match_substring_regex(texts, WHOLE)),
            not exact and compute.any(compute.match_substring_regex(texts, LEADING_ZEROS)).as_py(),
        )

    def __add__(self, other: Evidence) -> Evidence:
        """Join what both have seen."""
        return Evidence(
            self.cells or other.cells,
            self.booleans & other.booleans,
            self.integers and other.integers,
            self.finite and other.finite,
            self.whole and other.whole,
            self.zeros or other.zeros,
        )

    def meaning(self, kind: Kind = "auto") -> Meaning:
        """Return what the cells are, where the user says nothing, or what kind they are."""
        if kind == "numeric":
            return "number"
        if not self.cells:
            return "text"
        if self.booleans:
            return "boolean"
        if self.integers:
            return "integer"
        number = self.finite and not self.whole and not self.zeros
        return "number" if number and kind == "auto" else "text"


def _cast(cells: Any, kind: Any) -> Any:
    try:
        return cells.cast(kind)
    except pa.ArrowInvalid:
        return None


def _all(flags: Any) -> bool:
    return compute.all(flags).as_py()


def understood(column: TextColumn, meaning: Meaning) -> Column:
    """Return a column of text as what it means."""
    if meaning == "number":
        return text_as_numbers(column)
    values = (*(read_as(text, meaning) for text in column.texts.to_pylist()), None)
    # A code of -1 is a missing cell: that of the last value.
    codes = np.where(column.codes < 0, len(values) - 1, column.codes)
    return CategoryColumn(column.name, values, codes.astype(narrowest(len(values))))


def read_as(text: str, meaning: Meaning) -> Value:
    """Return the value that a text of some meaning stands for.

    Examples
    --------
    >>> read_as("7", "integer"), read_as("TRUE", "boolean"), read_as("07", "text")
    (7, True, '07')
    """
    if meaning == "integer":
        return int(text)
    return text.lower() == "true" if meaning == "boolean" else text


def text_as_numbers(column: TextColumn) -> NumberColumn:
    """Read text as numbers."""
    floats = _cast(column.texts, pa.float64())
    table = _parsed(column) if floats is None else floats.to_numpy(zero_copy_only=False)
    return number_column(column.name, np.append(table, np.nan)[column.codes])


def _parsed(column: TextColumn) -> NDArray[np.float64]:
    table = np.full(len(column.texts), np.nan)
    for code, text in enumerate(column.texts.to_pylist()):
        try:
            table[code] = float(text)
        except ValueError:
            raise not_a_number(column.name, text, int(np.argmax(column.codes == code))) from None
    return table


def not_a_number(name: str, value: object, row: int) -> TableError:
    """Return the error for a cell of a numeric column that is no number."""
    return TableError(
        f"{value!r} cannot be read as a number; a column of categories must be named in "
        f"`categorical`",
        column=name,
        row=row,
    )
