"""How a number is distributed under a mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from galileomix._model.params import Floats
from galileomix.errors import ParameterError

FAR_OUT = 40.0
"""Deviations beyond which the tail of a normal distribution is zero as a float."""


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
    >>> [round(bound, 2) for bound in one.interval()]
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
        density = np.exp(-0.5 * away**2) / (np.sqrt(2.0 * np.pi) * self.deviations)
        return density @ self.weights

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
