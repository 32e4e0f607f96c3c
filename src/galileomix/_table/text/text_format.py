"""How the texts of one column are read, decided once for all its rows and kept with the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.column import (
    CategoryColumn,
    NumberColumn,
    TextColumn,
    cells,
    number_column,
    without_texts,
)
from galileomix._table.text.arrow import SPACES, compute, trimmed
from galileomix._table.text.date_text import DAY_SECONDS, LAYOUTS, UNITS, in_words, read_dates
from galileomix._table.text.number_text import (
    DECIMALS,
    Decimal,
    fits_comma,
    may_be_number,
    read_numbers,
    read_plain,
)
from galileomix._table.text.written_dates import DateNotation
from galileomix._table.text.written_numbers import NumberNotation
from galileomix.errors import TableError

TextType = Literal["text", "boolean", "number", "date"]
TEXT_TYPES: tuple[TextType, ...] = ("text", "boolean", "number", "date")
SPELLINGS_OF_BOOLEANS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"))
TRUE = frozenset(pair[0] for pair in SPELLINGS_OF_BOOLEANS)
FALSE = frozenset(pair[1] for pair in SPELLINGS_OF_BOOLEANS)


Strange = Callable[[TextColumn | CategoryColumn, NDArray[np.bool_], str], None]
"""Is told which texts or values of a column cannot be read, and as what; without an error they are
missing."""


def refuse(column: TextColumn | CategoryColumn, wrong: NDArray[np.bool_], what: str) -> None:
    """Raise the error for the first cell that cannot be read."""
    if (rows := np.append(wrong, False)[column.codes]).any():
        row = int(np.argmax(rows))
        raise TableError(
            f"{cells(column)[row]!r} cannot be read as {what}; if it means missing, name it in "
            f"`missing_values`; a column of categories must be named in `categorical`",
            column=column.name,
            row=row,
        )


@dataclass(frozen=True)
class TextFormat:
    """How texts are read: as what, with which decimal sign or layout, and what means missing.

    `missing` are the texts that mean missing in this column besides those that do in every one.

    Examples
    --------
    >>> from galileomix._table.column import TextColumn
    >>> column = TextColumn("pay", pa.array(["1,5", "-"]), np.array([0, 1, -1]))
    >>> TextFormat("number", ",", missing=("-",)).read(column).values
    array([1.5, nan, nan])
    """

    type: TextType = "text"
    decimal: Decimal = "."
    layout: str = ""  # of dates, see `date_text`
    missing: tuple[str, ...] = ()
    scaled: bool = False  # whether k, M and B beside numbers are powers of ten

    def read(
        self, column: TextColumn, strange: Strange = refuse
    ) -> NumberColumn | CategoryColumn | TextColumn:
        """Return a column of text as what it stands for; text stays text."""
        if self.missing:
            named = pa.array(self.missing, column.texts.type)
            gone = compute.is_in(trimmed(column.texts), named)
            column = without_texts(column, gone.to_numpy(zero_copy_only=False))
        match self.type:
            case "number":
                return self._numbers(column, strange)
            case "date":
                unit = UNITS.get(self.layout, "date")
                dates = self._dates(column, strange)
                return NumberColumn(column.name, self._cells(column, dates), unit)
            case "boolean":
                return _booleans(column, strange)
            case "text":
                return column

    def write(self, numbers: Sequence[float], texts: Sequence[str]) -> list[str]:
        """Return numbers or dates as text, written like the texts of a column that has this format.

        Each is read back as the same number; a date as fine as the column has dates.

        Examples
        --------
        >>> TextFormat("number", ",").write([1200.5], ["3.000,25 €", "-"])
        ['1.200,5 €']
        """
        if self.type == "date":
            clock = any(number % DAY_SECONDS for number in numbers)
            dates = DateNotation.of(texts, self.layout, clock)
            return [dates.write(number) for number in numbers]
        given = [text for text in texts if may_be_number(text.strip(SPACES))]
        plain = self._plain(pa.array(given, pa.string())) is not None
        notation = NumberNotation.of(given, "." if plain else self.decimal, self.scaled)
        return [notation.write(number) for number in numbers]

    def _numbers(self, column: TextColumn, strange: Strange) -> NumberColumn:
        texts = trimmed(column.texts)
        blank = compute.equal(texts, "")
        plain = self._plain(compute.if_else(blank, pa.scalar(None, texts.type), texts))
        table = read_numbers(texts, self.decimal, self.scaled).numbers if plain is None else plain
        if plain is None and self.decimal == ".":
            table = _also_infinite(texts, table)
        wrong = np.isnan(table) & ~blank.to_numpy(zero_copy_only=False)
        if wrong.any():
            strange(column, wrong, "a number")
        return number_column(column.name, self._cells(column, table))

    def _plain(self, texts: Any) -> NDArray[np.float64] | None:
        """Return numbers as programs write them; None where one is not such.

        Where commas are decimal, ``1.200`` is not, unless others can only have a decimal point.
        """
        plain = read_plain(texts)
        return None if plain is None or (self.decimal == "," and fits_comma(texts)) else plain

    def _dates(self, column: TextColumn, strange: Strange) -> NDArray[np.float64]:
        texts = trimmed(column.texts)
        table = read_dates(texts, self.layout)
        if np.isnan(table).any():  # a date may also be written as we write it
            table = np.where(np.isnan(table), read_dates(texts, LAYOUTS[0]), table)
        blank = compute.equal(texts, "").to_numpy(zero_copy_only=False)
        shown = {"time": "a time of day", "duration": "a duration"}
        what = shown.get(self.layout, f"a date ({in_words(self.layout)})")
        if (wrong := np.isnan(table) & ~blank).any():
            strange(column, wrong, what)
        return table

    @staticmethod
    def _cells(column: TextColumn, table: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.append(table, np.nan)[column.codes]

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from plain text, as what JSON can hold."""
        plain = asdict(TextFormat())
        return {name: value for name, value in asdict(self).items() if value != plain[name]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TextFormat:
        """Return the format that `to_dict` wrote; raise TypeError where the data is none."""
        given: dict[str, Any] = {**data, "missing": tuple(data.get("missing", ()))}
        found = cls(**given)
        texts = all(isinstance(text, str) for text in cast("tuple[Any]", found.missing))
        layout = found.layout in LAYOUTS if found.type == "date" else found.layout == ""
        sound = found.type in TEXT_TYPES and found.decimal in DECIMALS and layout and texts
        sound = sound and isinstance(cast("Any", found.scaled), bool)
        if not sound:
            raise TypeError(f"{dict(data)!r:.60} is not how text is read")
        return found


def _also_infinite(texts: Any, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers with those of ``inf``, which is refused by a better message than others."""
    infinite = compute.match_substring_regex(texts, r"^[+-]?[iI]nf(inity)?$")
    return np.where(infinite.to_numpy(zero_copy_only=False), np.inf, table)


def _booleans(column: TextColumn, strange: Strange) -> CategoryColumn:
    texts = trimmed(column.texts).to_pylist()
    values = (False, True, None)
    table = np.array([1 if text in TRUE else 0 if text in FALSE else 2 for text in (*texts, "")])
    wrong = np.array([text not in TRUE | FALSE | {""} for text in texts], np.bool_)
    if wrong.any():
        strange(column, wrong, "true or false")
    return CategoryColumn(column.name, values, table[column.codes].astype(np.uint8))
