"""Frozen records of why records are surprising."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._words import rounded, shown_number, shown_value

MOMENTS = (datetime.date, datetime.time, datetime.timedelta)


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

    def __str__(self) -> str:
        cell = f"{self.attribute}={shown_value(self.value)}"
        if isinstance(self.expected, MOMENTS):
            spread = shown_number(self.deviation, "duration", self.deviation)
            return f"{cell} (expected {shown_value(self.expected)} ± {spread})"
        if self.deviation == self.deviation:
            mean, spread = (
                rounded(number, self.deviation) for number in (self.expected, self.deviation)
            )
            return f"{cell} (expected {mean:.15g} ± {spread:.2g})"
        if self.expected == self.value or (self.expected is None and self.value is None):
            return f"{cell} (expected, {self.probability:.0%})"
        return f"{cell} (expected {shown_value(self.expected)}, {self.probability:.0%})"


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why records are surprising: every cell given the other cells of its record.

    Frames have a row for each record and a column for each attribute.

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

    value: pd.DataFrame
    surprise: pd.DataFrame
    expected: pd.DataFrame
    probability: pd.DataFrame
    deviation: pd.DataFrame
    log_density: pd.Series
    p_value: pd.Series

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

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.log_density)

    def reasons(self, position: int, most: int | None = None) -> list[Reason]:
        """Return the cells of one record, the most surprising first."""
        names = list(self.surprise.columns)
        order = most_surprising(self.surprise.iloc[[position]].to_numpy(), most)[0]
        return [
            Reason(names[m], *(frame.iat[position, m] for frame in self._frames)) for m in order
        ]

    def to_frame(self, most: int | None = None) -> pd.DataFrame:
        """Return all cells below one another, or the most surprising few of every record.

        The columns are row (the index of the record), p_value, and those of `Reason`.
        """
        order = most_surprising(self.surprise.to_numpy(), most)
        rows = np.repeat(np.arange(len(self)), order.shape[1])
        columns = order.ravel()
        names = np.array(self.surprise.columns, dtype=object)
        cells = {
            name: frame.to_numpy(dtype=object)[rows, columns].tolist()
            for name, frame in zip(_CELLS, self._frames, strict=True)
        }
        return pd.DataFrame(
            {
                "row": self.p_value.index[rows],
                "p_value": self.p_value.to_numpy()[rows],
                "attribute": names[columns].tolist(),
                **cells,
            }
        )

    @property
    def _frames(self) -> tuple[pd.DataFrame, ...]:
        return self.value, self.surprise, self.expected, self.probability, self.deviation


_CELLS = ("value", "surprise", "expected", "probability", "deviation")


def most_surprising(surprise: NDArray[np.float64], most: int | None) -> NDArray[np.intp]:
    """Return the positions of each record's cells, the most surprising first, missing ones last."""
    known = np.where(np.isnan(surprise), -np.inf, surprise)
    return np.argsort(-known, axis=1, kind="stable")[:, :most]
