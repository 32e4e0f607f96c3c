"""One column of a table to the codes of one attribute, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.attribute import OTHER, Binned, Categorical
from galileomix._table.column import Column, NumberColumn, TextColumn, without_texts
from galileomix._table.encode.lookup import Lookup
from galileomix._table.read.convert import as_categories, as_numbers
from galileomix._table.schema import Missing
from galileomix._table.text.arrow import SPACES
from galileomix._table.text.missing_text import SYMBOLS, has_signs
from galileomix._table.text.text_format import Strange, TextFormat, refuse
from galileomix._table.values import Value
from galileomix._words import counted
from galileomix.errors import ParameterError, TableError

Unseen = Literal["ignore", "error"]
"""What a user may want done with a value that fit never saw."""
UnseenPolicy = Literal["ignore", "error", "mark"]
"""The same, or a code of its own: one past that of a missing value (see `Encoder`)."""
SHOWN_VALUES = 3
AS_WRITTEN = TextFormat()


@dataclass(frozen=True, eq=False)
class EncodedColumn:
    """A column in its own codes, and the attribute's code of each; the last is of code -1."""

    table: NDArray[np.int64]
    codes: NDArray[Any]

    def rows(self, rows: slice) -> NDArray[np.int64]:
        """Return the attribute's codes of some rows."""
        return self.table[self.codes[rows]]


class ColumnEncoder:
    """Gives the cells of a column their codes, and counts the values never seen in fit.

    A missing value that the attribute does not have counts as such with ``missing="category"``.
    Where the `usual` signs mean missing, one that is no value of the attribute does too, unless
    another value is made of signs (see `missing_text`).
    """

    def __init__(
        self, attribute: Categorical, missing: Missing, unseen: UnseenPolicy, usual: bool = True
    ) -> None:
        if unseen not in ("ignore", "error", "mark"):
            raise ParameterError(f"unseen={unseen!r}: it must be 'ignore' or 'error'")
        self._lookup, self._missing, self._policy = Lookup(attribute), missing, unseen
        texts = [value for value in attribute.values if isinstance(value, str)]
        self._holds_text = bool(texts)
        means_missing = usual and not has_signs(pa.array(texts, pa.string()))
        self._signs = SYMBOLS if means_missing else frozenset[str]()
        self._name = attribute.name
        self._unseen_values: list[Value] = []
        self._n_unseen = 0

    def encode(
        self, column: Column, how: TextFormat = AS_WRITTEN, strange: Strange = refuse
    ) -> EncodedColumn:
        """Find every value of a part of the column, whose text is read so, in the attribute."""
        attribute = self._lookup.attribute
        self._name = column.name
        if isinstance(attribute, Binned):
            return self._encode_intervals(column, attribute, how, strange)
        if isinstance(column, TextColumn):
            column = how.read(column, strange)
        if isinstance(column, TextColumn):
            texts: list[str] = column.texts.to_pylist()
            table = np.append(self._lookup.text_codes(texts), self._lookup.missing)
            return self._without_signs(EncodedColumn(table, column.codes), [*texts, None])
        categories = as_categories(column)
        encoded = EncodedColumn(self._lookup.codes(categories.values), categories.codes)
        # A categorical of pandas is taken at its word, unless text cannot be a value.
        check = self._checked if self._holds_text else self._without_signs
        return check(encoded, categories.values)

    def _without_signs(self, encoded: EncodedColumn, values: Sequence[Value]) -> EncodedColumn:
        """Take signs for missing that are no values, and check the others."""
        spelled = [isinstance(v, str) and v.strip(SPACES) in self._signs for v in values]
        gone = (encoded.table == self._lookup.absent) & np.array(spelled, np.bool_)
        if gone.any():
            table = np.where(gone, self._lookup.missing, encoded.table)
            encoded = replace(encoded, table=table)
            values = [None if lost else value for value, lost in zip(values, gone, strict=True)]
        return self._checked(encoded, values)

    def _encode_intervals(
        self, column: Column, attribute: Binned, how: TextFormat, strange: Strange
    ) -> EncodedColumn:
        """Find the interval of each number; a cell may also name its interval, as in a sample."""
        named, rest = _named_intervals(column, attribute)
        numbers = as_numbers(rest, how, strange).values
        codes = np.searchsorted(np.array(attribute.edges), numbers, side="right")
        codes[np.isnan(numbers)] = -1
        codes = codes if named is None else np.where(named >= 0, named, codes)
        table = np.append(np.arange(len(attribute.edges) + 1), self._lookup.missing)
        values = [*attribute.values[: len(table) - 1], None]
        return self._checked(EncodedColumn(table, codes), values)

    def _checked(self, encoded: EncodedColumn, values: Sequence[Value]) -> EncodedColumn:
        """Count the rows whose value was never seen in fit, or raise an error for the first."""
        encoded = self._pooled(encoded, values)
        unseen = encoded.table == self._lookup.absent
        if self._missing == "ignore" or self._policy == "mark":
            unseen &= np.array([value is not None for value in values])
        if self._policy == "mark":
            return replace(encoded, table=encoded.table + unseen)
        if unseen.any() and len(rows := np.flatnonzero(unseen[encoded.codes])):
            if self._policy == "error":
                row = int(rows[0])
                raise TableError(
                    f"{_shown(values[encoded.codes[row]])} was never seen in fit; known values "
                    f"are {_some(self._lookup.attribute.values)}",
                    column=self._name,
                    row=row,
                )
            self._n_unseen += len(rows)
            found = (values[code] for code in np.unique(encoded.codes[rows]).tolist())
            self._unseen_values += (value for value in found if value not in self._unseen_values)
            del self._unseen_values[SHOWN_VALUES + 1 :]
        return encoded

    def _pooled(self, encoded: EncodedColumn, values: Sequence[Value]) -> EncodedColumn:
        """Return values that are not among those of a pooled attribute as one of the others."""
        attribute = self._lookup.attribute
        if not attribute.pooled:
            return encoded
        other = attribute.values.index(OTHER)
        present = np.array([value is not None for value in values])
        rare = (encoded.table == self._lookup.absent) & present
        return replace(encoded, table=np.where(rare, other, encoded.table))

    def left_out(self) -> str:
        """Return a message on the values never seen in fit; nothing where there are none."""
        if not self._n_unseen:
            return ""
        cells, shown = counted(self._n_unseen, "cell"), _some(self._unseen_values)
        return f"column {self._name!r}: {cells} with values never seen in fit ({shown}), ignored"


def spikes(column: NumberColumn, spike: float) -> EncodedColumn:
    """Return whether each number is the spike (0), another one (1) or missing (2)."""
    values = column.values.astype(np.float64, copy=False)
    codes = np.where(np.isnan(values), 2, np.where(values == spike, 0, 1))
    return EncodedColumn(np.arange(3), codes)


def _named_intervals(column: Column, attribute: Binned) -> tuple[NDArray[np.int64] | None, Column]:
    """Return the interval that each row names or -1, and the column without these names."""
    if isinstance(column, NumberColumn):
        return None, column
    intervals: dict[Value, int] = {
        label: code for code, label in enumerate(attribute.values) if label is not None
    }
    values = column.texts.to_pylist() if isinstance(column, TextColumn) else column.values
    if intervals.keys().isdisjoint(values):
        return None, column
    table = np.array([*(intervals.get(value, -1) for value in values), -1])
    named = table[column.codes]
    if isinstance(column, TextColumn):
        return named, without_texts(column, table[:-1] >= 0)
    pairs = zip(values, table[:-1], strict=True)
    return named, replace(column, values=tuple(None if code >= 0 else v for v, code in pairs))


def _some(values: Sequence[Value]) -> str:
    more = ", ..." if len(values) > SHOWN_VALUES else ""
    return ", ".join(map(_shown, values[:SHOWN_VALUES])) + more


def _shown(value: Value) -> str:
    text = "a missing value" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
