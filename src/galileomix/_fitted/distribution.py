"""How a number is distributed under a mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

from galileomix._model.params import Floats
from galileomix._table import Transform
from galileomix._words import shown_number
from galileomix.errors import ParameterError

FAR_OUT = 40.0
"""Deviations beyond which the tail of a normal distribution is zero as a float."""
SECONDS = ("date", "datetime", "time", "duration")
"""Units of what is in seconds."""
# Where the mean of a function of a standard normal number is computed, and with which weights.
NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
NODE_WEIGHTS = _WEIGHTS / np.sqrt(2.0 * np.pi)


@dataclass(frozen=True, eq=False)
class NumberDistribution:
    """How a number is distributed: a mixture of normal distributions, on some scale.

    Parameters
    ----------
    name : str
    weights, means, deviations : ndarray of shape (k,)
        Of the normal distributions that the number has on the scale of `transform`.
    transform : Transform, optional
        The scale, such as that of logarithms; by default that of the number itself.
    spike : float, optional
        A number that has a probability of its own, such as zero.
    spike_probability : float, default=0.0
    unit : str, default=""
        What the number is shown with; "date", "time" or "duration" where it is in seconds.

    Examples
    --------
    >>> one = NumberDistribution("width", np.ones(1), np.array([5.0]), np.array([2.0]))
    >>> round(one.mean, 9), round(one.deviation, 9), round(one.quantile(0.5), 9)
    (5.0, 2.0, 5.0)
    >>> [round(bound, 2) for bound in one.interval()]
    [1.08, 8.92]
    """

    name: str
    weights: Floats
    means: Floats
    deviations: Floats
    transform: Transform = field(default_factory=Transform)
    spike: float | None = None
    spike_probability: float = 0.0
    unit: str = ""

    @property
    def mean(self) -> float:
        """The mean."""
        return self._expected(1)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(max(self._expected(2, self.mean), 0.0)))

    def _expected(self, power: int, center: float = 0.0) -> float:
        """Return the mean of a power of the number, from a centre."""
        t = self.means + self.deviations * NODES[:, None]
        away = self.transform.backward(t) - center
        others = float(NODE_WEIGHTS @ away**power @ self.weights)
        spike = 0.0 if self.spike is None else (self.spike - center) ** power
        return (1.0 - self.spike_probability) * others + self.spike_probability * spike

    def pdf(self, x: float | Sequence[float] | Floats) -> Floats:
        """Return the density at numbers; a spike has none."""
        x = np.asarray(x, dtype=float)
        away = (self.transform.forward(x)[..., None] - self.means) / self.deviations
        density = np.exp(-0.5 * away**2) / (np.sqrt(2.0 * np.pi) * self.deviations)
        slope = np.exp(self.transform.log_slope(x))
        return (1.0 - self.spike_probability) * slope * (density @ self.weights)

    def cdf(self, x: float | Sequence[float] | Floats) -> Floats:
        """Return the probability of a number up to x."""
        x = np.asarray(x, dtype=float)
        below = ndtr((self.transform.forward(x)[..., None] - self.means) / self.deviations)
        others = (1.0 - self.spike_probability) * (below @ self.weights)
        return others if self.spike is None else others + self.spike_probability * (x >= self.spike)

    def quantile(self, q: float) -> float:
        """Return the number below which the share q lies, to the last digits of a float."""
        if not 0.0 < q < 1.0:
            raise ParameterError(f"q={q!r}: it must lie between 0 and 1")
        low = self._far(-FAR_OUT).min()
        high = self._far(FAR_OUT).max()
        if self.spike is not None:
            low, high = min(low, self.spike - 1.0), max(high, self.spike)
        while low < (middle := 0.5 * (low + high)) < high:
            low, high = (middle, high) if self.cdf(middle) < q else (low, middle)
        return float(high if self.spike == high else middle)

    def _far(self, deviations: float) -> Floats:
        return self.transform.backward(self.means + deviations * self.deviations)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the two numbers between which the middle share lies."""
        if not 0.0 < level < 1.0:
            raise ParameterError(f"level={level!r}: it must lie between 0 and 1")
        return self.quantile(0.5 - 0.5 * level), self.quantile(0.5 + 0.5 * level)

    def __repr__(self) -> str:
        return f"NumberDistribution({self})"

    def __str__(self) -> str:
        spread = self.deviation
        mean, low, high = (
            shown_number(number, self.unit, spread) for number in (self.mean, *self.interval())
        )
        shown = shown_number(spread, "duration" if self.unit in SECONDS else self.unit, spread)
        spike = ""
        if self.spike is not None:
            spike = f"; {self.spike_probability:.0%} are {shown_number(self.spike, self.unit)}"
        return f"{self.name}: {mean} ± {shown} (95 %: {low} to {high}{spike})"
