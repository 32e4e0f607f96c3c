"""Powers fitted to measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Power(NamedTuple):
    """y = scale * x**exponent, with the standard error of the exponent."""

    exponent: float
    error: float
    scale: float

    def at(self, x: float) -> float:
        """Return the fitted y."""
        return self.scale * x**self.exponent

    def __str__(self) -> str:
        return f"{self.exponent:.3f} ± {self.error:.3f}"


def fit_power(x: Sequence[float], y: Sequence[float]) -> Power:
    """Return the straight line through the logarithms by least squares.

    >>> power = fit_power([1, 10, 100], [2, 20, 200])
    >>> round(power.exponent, 9), round(power.error, 9), round(power.at(1000), 6)
    (1.0, 0.0, 2000.0)
    """
    if len(x) < 3:
        raise ValueError(f"a slope and its error need three points, not {len(x)}")
    u, v = np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float))
    spread = float(np.sum((u - u.mean()) ** 2))
    exponent = float(np.sum((u - u.mean()) * (v - v.mean()))) / spread
    offset = float(v.mean() - exponent * u.mean())
    left = v - offset - exponent * u
    error = float(np.sqrt(np.sum(left**2) / (len(u) - 2) / spread))
    return Power(exponent, error, float(np.exp(offset)))
