r"""The type of a column of text from a CSV file, found so that the parts of a file agree.

A CSV column is text, and becomes something else only where no two cells that differ would turn
into one category:

- booleans, where its cells are ``true`` and ``false``, all in one of the spellings of `SPELLINGS`;
- integers, where each cell is exactly how its integer is written;
- numbers, where each cell is a finite number. Not so where one has leading zeros, as ``007``, nor
  where all are whole, as article numbers of twenty digits are: these stay text, and so do dates
  and columns in which a word such as ``NA`` or ``nan`` stands among the numbers (the user is
  warned of these). Nor where the user says that the column is categorical: ``1.1`` and ``1.10``
  are two versions. An ``inf`` among such numbers is an error.

Spaces around any of these do not count, and a cell of spaces alone is missing then. In text they
are part of the cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from galileomix._table.column import Column, NumberColumn, TextColumn, number_column
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.factor import factor_parts
from galileomix._table.values import Value
from galileomix.errors import TableError

# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute

TextType = Literal["boolean", "integer", "number", "text"]

SPELLINGS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"))
NUMBER_PATTERN = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
LEADING_ZEROS = r"^[+-]?0[0-9]"
WHOLE = r"^[+-]?[0-9]+$"
SPACES = " \t"


@dataclass(frozen=True)
class TextEvidence:
    """What the cells of a column could be. ``TextEvidence()`` is that of no cell; parts add up.

    Examples
    --------
    >>> parts = [["1", "2"], ["2.5"], ["x"]]
    >>> found = [TextEvidence.of(pa.array(part)) for part in parts]
    >>> [(sum(found[:n], TextEvidence())).text_type() for n in (1, 2, 3)]
    ['integer', 'number', 'text']
    """

    cells: bool = False  # whether there was a cell that is not missing
    # The spellings of `SPELLINGS` in which all cells are booleans.
    booleans: frozenset[int] = frozenset(range(len(SPELLINGS)))
    # Whether all are integers as they are written; numbers, infinite ones too; only digits.
    integers: bool = True
    numbers: bool = True
    whole: bool = True
    zeros: bool = False  # whether one has leading zeros; is infinite
    infinite: bool = False

    @classmethod
    def of(cls, texts: Any) -> TextEvidence:
        """Look at an Arrow array of text without missing cells."""
        texts = trimmed(texts)
        texts = texts.filter(compute.not_equal(texts, ""))
        if not len(texts):
            return cls()
        spellings = enumerate(map(pa.array, SPELLINGS))
        booleans = [s for s, pair in spellings if _all(compute.is_in(texts, pair))]
        integers = _cast(texts, pa.int64())
        exact = integers is not None and _all(compute.equal(integers.cast(pa.string()), texts))
        floats = None if booleans else _cast(texts, pa.float64())
        numbers = floats is not None and not _any(compute.is_nan(floats))
        finite = texts.filter(compute.is_finite(floats)) if numbers else texts
        return cls(
            cells=True,
            booleans=frozenset(booleans),
            integers=exact,
            numbers=numbers,
            whole=exact or _all(compute.match_substring_regex(finite, WHOLE)),
            zeros=not exact and _any(compute.match_substring_regex(texts, LEADING_ZEROS)),
            infinite=numbers and _any(compute.is_inf(floats)),
        )

    def __add__(self, other: TextEvidence) -> TextEvidence:
        """Join the evidence of two parts."""
        return TextEvidence(
            self.cells or other.cells,
            self.booleans & other.booleans,
            self.integers and other.integers,
            self.numbers and other.numbers,
            self.whole and other.whole,
            self.zeros or other.zeros,
            self.infinite or other.infinite,
        )

    @property
    def decimal(self) -> bool:
        """Whether all cells are numbers with a point somewhere, infinite ones included."""
        numbers = self.cells and self.numbers and not self.booleans
        return numbers and not self.whole and not self.zeros

    def text_type(self, declared: Declared = "auto") -> TextType:
        """Return the type of the column, given what the user says of it."""
        if declared == "numeric":
            return "number"
        if not self.cells:
            return "text"
        if self.booleans:
            return "boolean"
        if self.integers:
            return "integer"
        number = self.decimal and not self.infinite
        return "number" if number and declared == "auto" else "text"

    def infinite_among_numbers(self, declared: Declared = "auto") -> bool:
        """Return whether the column would be numbers, if none of them were infinite."""
        return declared == "auto" and self.decimal and self.infinite


def _cast(cells: Any, arrow_type: Any) -> Any:
    try:
        return cells.cast(arrow_type)
    except pa.ArrowInvalid:
        return None


def _all(flags: Any) -> bool:
    return compute.all(flags).as_py()


def _any(flags: Any) -> bool:
    return bool(compute.any(flags).as_py())


def trimmed(texts: Any) -> Any:
    """Return an Arrow array of text without the spaces around each."""
    return compute.utf8_trim(texts, SPACES)


def parse_column(column: TextColumn, text_type: TextType) -> Column:
    """Return a column of text as numbers or as categories of some type."""
    if text_type == "number":
        return parse_numbers(column)
    values = [parse_cell(text, text_type) for text in column.texts.to_pylist()]
    return factor_parts(column.name, [(values, column.codes)])


def parse_cell(text: str, text_type: TextType) -> Value:
    """Return the value of a text.

    Examples
    --------
    >>> parse_cell(" 7", "integer"), parse_cell("TRUE", "boolean"), parse_cell(" 07", "text")
    (7, True, ' 07')
    """
    if text_type == "text":
        return text
    text = text.strip(SPACES)
    if not text:
        return None
    return int(text) if text_type == "integer" else text.lower() == "true"


def parse_numbers(column: TextColumn) -> NumberColumn:
    """Return a column of text as numbers."""
    texts = trimmed(column.texts)
    present = compute.if_else(compute.equal(texts, ""), pa.scalar(None, texts.type), texts)
    floats = _cast(present, pa.float64())
    table = _parsed_by_python(column) if floats is None else floats.to_numpy(zero_copy_only=False)
    return number_column(column.name, np.append(table, np.nan)[column.codes])


def _parsed_by_python(column: TextColumn) -> NDArray[np.float64]:
    """Return the numbers of texts of which Arrow does not understand one; name it if no number."""
    table = np.full(len(column.texts), np.nan)
    for code, text in enumerate(column.texts.to_pylist()):
        try:
            table[code] = float(text) if text.strip(SPACES) else np.nan
        except ValueError:
            raise not_a_number(column.name, text, int(np.argmax(column.codes == code))) from None
    return table


def not_a_number(name: str, value: object, row: int) -> TableError:
    """Return the error for a cell of a numeric column that is not a number."""
    return TableError(
        f"{value!r} cannot be read as a number; if it means missing, name it in "
        f"`missing_values`; a column of categories must be named in `categorical`",
        column=name,
        row=row,
    )
