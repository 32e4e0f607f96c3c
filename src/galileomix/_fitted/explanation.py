"""Frozen records of why records are surprising."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._fitted.frames import like
from galileomix._fitted.notebook_html import Column, lines, table
from galileomix._words import counted, named_value, rounded, shown_number, shown_value

MOMENTS = (datetime.date, datetime.time, datetime.timedelta)
MOST_SHOWN, MOST_REASONS = 10, 3
"""Records that a notebook shows, and cells of each."""
FAR_OUT = -math.log(0.05)
"""In nats: a number is far out where one in twenty would be at least as far."""


@dataclass(frozen=True)
class Reason:
    """How much one cell adds to the surprise of its record.

    Parameters
    ----------
    attribute : str
    value : object
        What the cell holds.
    surprise : float
        In nats, given all other cells of the record: -log of the value's probability; for a
        number, -log of the probability of one at least as far out. NaN where the cell is missing.
    expected : object
        The most probable value given the other cells; for a number, its mean.
    probability : float
        The probability of the expected value; NaN for a number.
    deviation : float
        The standard deviation of a number; NaN for a category.
    """

    attribute: str
    value: Any
    surprise: float
    expected: Any
    probability: float
    deviation: float

    @property
    def surprising(self) -> bool:
        """Whether the cell is not what was expected: another category, or a number far out."""
        if self.surprise != self.surprise or self._as_expected:
            return False
        return self.deviation != self.deviation or self.surprise >= FAR_OUT

    @property
    def _as_expected(self) -> bool:
        return self.expected == self.value or (self.expected is None and self.value is None)

    @property
    def expectation(self) -> str:
        """What was expected, in words: a value and its probability, or a mean and its spread."""
        if self.deviation != self.deviation:
            return f"{shown_value(self.expected)}, {self.probability:.0%}"
        if isinstance(self.expected, MOMENTS):
            spread = shown_number(self.deviation, "duration", self.deviation)
            return f"{shown_value(self.expected)} ± {spread}"
        mean, spread = (
            rounded(number, self.deviation) for number in (self.expected, self.deviation)
        )
        return f"{mean:.15g} ± {spread:.15g}"

    def __str__(self) -> str:
        cell = named_value(self.attribute, self.value)
        if self.deviation != self.deviation and self._as_expected:
            return f"{cell} (expected, {self.probability:.0%})"
        return f"{cell} (expected {self.expectation})"


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why records are surprising: every cell given the other cells of its record.

    Frames have a row for each record and a column for each attribute. They are of polars or Arrow
    where the table was, and of pandas otherwise.

    Parameters
    ----------
    value : DataFrame
        What the cells hold.
    surprise : DataFrame
        How surprising each cell is, in nats; see `Reason`.
    expected : DataFrame
        What was expected instead.
    probability : DataFrame
        The probability of the expected value; NaN for numbers.
    deviation : DataFrame
        The standard deviations of numbers; NaN for categories.
    log_density : Series
        Of the whole record; a value that fit never saw counts as one in N + 1 records.
    p_value : Series
        How often the model itself would draw a record that is at most as probable.
    """

    value: Any
    surprise: Any
    expected: Any
    probability: Any
    deviation: Any
    log_density: Any
    p_value: Any

    @classmethod
    def joined(
        cls, parts: Sequence[Explanation], order: NDArray[np.intp], index: pd.Index | None = None
    ) -> Explanation:
        """Return parts below one another, in another order, with an index of the records."""
        index = pd.RangeIndex(len(order)) if index is None else index
        below: dict[str, Any] = {
            frame.name: pd.concat([getattr(part, frame.name) for part in parts])
            for frame in fields(cls)
        }
        return cls(
            **{name: rows.iloc[order].set_axis(index, axis=0) for name, rows in below.items()}
        )

    def like(self, table: Any) -> Explanation:
        """Return it with frames of the library of a table."""
        return Explanation(*(like(table, getattr(self, frame.name)) for frame in fields(self)))

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.log_density)

    def __repr__(self) -> str:
        records = counted(len(self), "record")
        attributes = counted(_matrix(self.surprise).shape[1], "attribute")
        return f"Explanation({records}, {attributes}{self._worst()})"

    def _repr_html_(self) -> str:
        p_values = np.asarray(self.p_value, dtype=np.float64)
        worst = np.argsort(p_values, kind="stable")[:MOST_SHOWN].tolist()
        index = self._index
        reasons = [
            [why for why in self.reasons(position, MOST_REASONS) if why.surprising]
            for position in worst
        ]
        columns = [
            Column("record", False, [index[position] for position in worst]),
            Column("p-value", False, [f"{p_values[position]:.2g}" for position in worst]),
            Column("surprising cells", True, [lines(some or ["none"]) for some in reasons]),
        ]
        few = f"; the {len(worst)} least probable" if len(worst) < len(self) else ""
        return table(f"{counted(len(self), 'record')} explained{few}", columns)

    @property
    def _index(self) -> Any:
        """The index of the records: that of pandas, or their positions."""
        return self.p_value.index if isinstance(self.p_value, pd.Series) else np.arange(len(self))

    def _worst(self) -> str:
        """Return the most surprising cell of all in words, if there is one."""
        surprise = _matrix(self.surprise)
        if not surprise.size or np.isnan(surprise).all():
            return ""
        position = int(np.nanargmax(surprise)) // surprise.shape[1]
        return f"; the most surprising: {self.reasons(position, 1)[0]}, record {position}"

    def reasons(self, position: int, most: int | None = None) -> list[Reason]:
        """Return the cells of one record, the most surprising first."""
        names = _frame(self.surprise).columns
        value, expected = (_frame(frame).row(position) for frame in (self.value, self.expected))
        surprise, probability, deviation = (
            np.array(_frame(frame).row(position), dtype=np.float64)  # NaN where there is none
            for frame in (self.surprise, self.probability, self.deviation)
        )
        cells = list(zip(names, value, surprise, expected, probability, deviation, strict=True))
        return [Reason(*cells[m]) for m in most_surprising(surprise[None], most)[0]]

    def to_frame(self, most: int | None = None) -> Any:
        """Return all cells below one another, or the most surprising few of every record.

        The columns are row (the index of the record), p_value, and those of `Reason`.
        """
        order = most_surprising(_matrix(self.surprise), most)
        rows = np.repeat(np.arange(len(self)), order.shape[1])
        columns = order.ravel()
        names = np.array(_frame(self.surprise).columns, dtype=object)
        cells = {
            name: _matrix(frame, object)[rows, columns].tolist()
            for name, frame in zip(_CELLS, self._frames, strict=True)
        }
        found = {
            "row": self._index[rows],
            "p_value": np.asarray(self.p_value)[rows],
            "attribute": names[columns].tolist(),
            **cells,
        }
        return like(self.surprise, pd.DataFrame(found))

    @property
    def _frames(self) -> tuple[Any, ...]:
        return self.value, self.surprise, self.expected, self.probability, self.deviation


_CELLS = ("value", "surprise", "expected", "probability", "deviation")


def _frame(frame: Any) -> Any:
    return nw.from_native(frame, eager_only=True)


def _matrix(frame: Any, dtype: Any = np.float64) -> NDArray[Any]:
    """Return the cells of a frame of any library, (records, attributes)."""
    return _frame(frame).to_pandas().to_numpy(dtype=dtype)


def most_surprising(surprise: NDArray[np.float64], most: int | None) -> NDArray[np.intp]:
    """Return the positions of each record's cells, the most surprising first, missing ones last."""
    known = np.where(np.isnan(surprise), -np.inf, surprise)
    return np.argsort(-known, axis=1, kind="stable")[:, :most]
