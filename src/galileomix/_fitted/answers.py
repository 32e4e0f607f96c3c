"""Frozen records of what a model answers: why a record surprises, how a number is distributed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr

from galileomix.errors import ParameterError

Floats = NDArray[np.float64]
FAR_OUT = 40.0
"""Deviations from the mean beyond which no float can tell the share of a normal distribution."""


def in_words(value: object) -> str:
    """Return a value as it is said: short, and never nothing.

    Examples
    --------
    >>> in_words("foul"), in_words(0.1 + 0.2), in_words(None)
    ('foul', '0.3', 'missing')
    """
    if value is None or value != value:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


@dataclass(frozen=True)
class Reason:
    """What one cell has to do with how surprising its record is.

    Parameters
    ----------
    attribute : str
    value : object
        What the cell holds.
    surprise : float
        In nats, given all other cells of the record: -log of the value's probability; of a
        number, -log of the probability of one at least as far out. NaN where the cell is unknown.
    expected : object
        The most probable value given the other cells; of a number, its mean.
    probability : float
        That of the expected value; NaN of a number.
    deviation : float
        The standard deviation of a number, NaN of a category.
    """

    attribute: str
    value: Any
    surprise: float
    expected: Any
    probability: float
    deviation: float

    def __str__(self) -> str:
        said = f"{self.attribute}={in_words(self.value)}"
        if self.deviation == self.deviation:
            digits = 1 - int(np.floor(np.log10(self.deviation)))
            mean, spread = (
                round(float(each), digits) + 0.0 for each in (self.expected, self.deviation)
            )
            return f"{said} (expected {mean:.15g} ± {spread:.2g})"
        if self.expected == self.value or (self.expected is None and self.value is None):
            return f"{said} (expected, {self.probability:.0%})"
        return f"{said} (expected {in_words(self.expected)}, {self.probability:.0%})"


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why records are surprising: every cell given the other cells of its record.

    Frames have a row for each record and a column for each attribute.

    Parameters
    ----------
    value : DataFrame
        What the cells hold.
    surprise : DataFrame
        How much each adds, in nats; see `Reason`.
    expected : DataFrame
        What was expected instead.
    probability : DataFrame
        With which probability; NaN of numbers.
    deviation : DataFrame
        The standard deviations of numbers; NaN of categories.
    log_density : Series
        Of the whole record; a value that was never seen counts as one in N + 1 records.
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
            each.name: pd.concat([getattr(part, each.name) for part in parts])
            for each in fields(cls)
        }
        return cls(
            **{name: each.iloc[order].set_axis(index, axis=0) for name, each in below.items()}
        )

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.log_density)

    def reasons(self, position: int, most: int | None = None) -> list[Reason]:
        """Return what is surprising in one record, the most surprising cell first."""
        surprise = self.surprise.to_numpy()[position]
        order = np.argsort(-np.where(np.isnan(surprise), -np.inf, surprise), kind="stable")
        frames = (self.value, self.surprise, self.expected, self.probability, self.deviation)
        names = list(self.surprise.columns)
        return [
            Reason(names[m], *(frame.iat[position, m] for frame in frames)) for m in order[:most]
        ]

    def to_frame(self, most: int | None = None) -> pd.DataFrame:
        """Return all cells below one another, or the most surprising few of every record.

        The columns are row (the index of the record), p_value, and those of `Reason`.
        """
        rows = [
            {"row": self.p_value.index[a], "p_value": self.p_value.iat[a], **asdict(reason)}
            for a in range(len(self))
            for reason in self.reasons(a, most)
        ]
        return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class NumberDistribution:
    """How a number is distributed: a mixture of normal distributions.

    Parameters
    ----------
    name : str
    weights, means, deviations : ndarray of shape (k,)

    Examples
    --------
    >>> one = NumberDistribution("width", np.ones(1), np.array([5.0]), np.array([2.0]))
    >>> one.mean, one.deviation, round(one.quantile(0.5), 9)
    (5.0, 2.0, 5.0)
    >>> [round(each, 2) for each in one.interval()]
    [1.08, 8.92]
    """

    name: str
    weights: Floats
    means: Floats
    deviations: Floats

    @property
    def mean(self) -> float:
        """The mean."""
        return float(self.weights @ self.means)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        spread = self.deviations**2 + (self.means - self.mean) ** 2
        return float(np.sqrt(self.weights @ spread))

    def pdf(self, x: float | Sequence[float] | Floats) -> Floats:
        """Return the density at numbers."""
        away = (np.asarray(x, dtype=float)[..., None] - self.means) / self.deviations
        each = np.exp(-0.5 * away**2) / (np.sqrt(2.0 * np.pi) * self.deviations)
        return each @ self.weights

    def cdf(self, x: float | Sequence[float] | Floats) -> Floats:
        """Return the probability of a number up to x."""
        return ndtr((np.asarray(x, dtype=float)[..., None] - self.means) / self.deviations) @ (
            self.weights
        )

    def quantile(self, q: float) -> float:
        """Return the number below which the share q lies, to the last digits of a float."""
        if not 0.0 < q < 1.0:
            raise ParameterError(f"q={q!r}: it must lie between 0 and 1")
        low = float((self.means - FAR_OUT * self.deviations).min())
        high = float((self.means + FAR_OUT * self.deviations).max())
        while low < (middle := 0.5 * (low + high)) < high:
            low, high = (middle, high) if self.cdf(middle) < q else (low, middle)
        return middle

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the two numbers between which the middle share lies."""
        if not 0.0 < level < 1.0:
            raise ParameterError(f"level={level!r}: it must lie between 0 and 1")
        return self.quantile(0.5 - 0.5 * level), self.quantile(0.5 + 0.5 * level)

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"{self.name}: {self.mean:.6g} ± {self.deviation:.2g} (95 %: {low:.6g} to {high:.6g})"
        )
