"""One column of a table to the codes of one attribute, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Column, NumberColumn, TextColumn
from galileomix._table.encode.lookup import Lookup
from galileomix._table.read.convert import as_categories, as_numbers
from galileomix._table.schema import Binned, Categorical, Missing
from galileomix._table.values import Value
from galileomix.errors import ParameterError, TableError

Unseen = Literal["ignore", "error"]
"""What a user may want done with a value that fit never saw."""
Policy = Literal["ignore", "error", "mark"]
"""The same, or to be told: a code of its own, two past the last (see `encode.Encoder`)."""
SHOWN_VALUES = 3


@dataclass(frozen=True, eq=False)
class Recoded:
    """A column in its own codes, and the attribute's code of each; the last is of code -1."""

    table: NDArray[np.int64]
    codes: NDArray[Any]

    def rows(self, rows: slice) -> NDArray[np.int64]:
        """Return the attribute's codes of some rows."""
        return self.table[self.codes[rows]]


class Recoder:
    """Gives the cells of a column their codes, and counts those that have none.

    Parameters
    ----------
    attribute : Categorical
    missing : {"category", "ignore"}
        Whether a missing cell that the attribute does not have is worth a word.
    unseen : {"ignore", "error", "mark"}
        What to do with a value that the attribute does not have.
    """

    def __init__(self, attribute: Categorical, missing: Missing, unseen: Policy) -> None:
        if unseen not in ("ignore", "error", "mark"):
            raise ParameterError(f"unseen={unseen!r}: it must be 'ignore' or 'error'")
        self._lookup, self._missing, self._unseen = Lookup(attribute), missing, unseen
        self._name = attribute.name
        self._strange: list[Value] = []
        self._n_strange = 0

    def recode(self, column: Column) -> Recoded:
        """Find every value of a part of the column in the attribute."""
        attribute = self._lookup.attribute
        self._name = column.name
        if isinstance(attribute, Binned):
            return self._cut(column, attribute)
        if isinstance(column, TextColumn):
            texts = column.texts.to_pylist()
            table = np.append(self._lookup.written(texts), self._lookup.missing)
            return self._checked(Recoded(table, column.codes), [*texts, None])
        categories = as_categories(column)
        table = self._lookup.codes(categories.values)
        return self._checked(Recoded(table, categories.codes), categories.values)

    def _cut(self, column: Column, attribute: Binned) -> Recoded:
        """Look up in which interval each number lies, or which one is named, as in a sample."""
        named, rest = _named_intervals(column, attribute)
        numbers = as_numbers(rest).values
        codes = np.searchsorted(np.array(attribute.edges), numbers, side="right")
        codes[np.isnan(numbers)] = -1
        codes = codes if named is None else np.where(named >= 0, named, codes)
        table = np.append(np.arange(len(attribute.edges) + 1), self._lookup.missing)
        return self._checked(Recoded(table, codes), [*attribute.values[: len(table) - 1], None])

    def _checked(self, recoded: Recoded, values: Sequence[Value]) -> Recoded:
        """Count the rows whose value has no code, or raise the error for the first of them."""
        strange = recoded.table == self._lookup.unknown
        if self._missing == "ignore" or self._unseen == "mark":
            strange &= np.array([value is not None for value in values])
        if self._unseen == "mark":
            return replace(recoded, table=recoded.table + strange)
        if strange.any() and len(rows := np.flatnonzero(strange[recoded.codes])):
            if self._unseen == "error":
                row = int(rows[0])
                raise TableError(
                    f"{_shown(values[recoded.codes[row]])} was never seen in fit; known values "
                    f"are {_some(self._lookup.attribute.values)}",
                    column=self._name,
                    row=row,
                )
            self._n_strange += len(rows)
            found = (values[code] for code in np.unique(recoded.codes[rows]).tolist())
            self._strange += (each for each in found if each not in self._strange)
            del self._strange[SHOWN_VALUES + 1 :]
        return recoded

    def left_out(self) -> str:
        """Return what to say of the values that had no code; nothing where all had one."""
        if not self._n_strange:
            return ""
        one = self._n_strange == 1
        many, verb = ("1 value", "is") if one else (f"{self._n_strange} values", "are")
        shown = _some(self._strange)
        return f"column {self._name!r}: {many} never seen in fit ({shown}) {verb} left out"


def _named_intervals(column: Column, attribute: Binned) -> tuple[NDArray[np.int64] | None, Column]:
    """Return the interval that each row names or -1, and the column without these names."""
    if isinstance(column, NumberColumn):
        return None, column
    intervals: dict[Value, int] = {
        label: code for code, label in enumerate(attribute.values) if label is not None
    }
    texts = column.texts.to_pylist() if isinstance(column, TextColumn) else column.values
    if intervals.keys().isdisjoint(texts):
        return None, column
    column = as_categories(column)
    table = np.array([intervals.get(value, -1) for value in column.values])
    pairs = zip(column.values, table, strict=True)
    rest = tuple(None if code >= 0 else value for value, code in pairs)
    return table[column.codes], replace(column, values=rest)


def _some(values: Sequence[Value]) -> str:
    more = ", ..." if len(values) > SHOWN_VALUES else ""
    return ", ".join(map(_shown, values[:SHOWN_VALUES])) + more


def _shown(value: Value) -> str:
    text = "a missing value" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
