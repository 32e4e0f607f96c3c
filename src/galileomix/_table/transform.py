"""Numbers on a scale where they are less skewed, and back.

A number x is modelled as ``(T(x) - center) / scale``. What T does to the density is its
derivative, so that log-likelihoods stay those of x (``log_slope``). Yeo and Johnson (2000) gave
the family of powers that takes numbers of either sign.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
TransformName = Literal["", "log", "yeo-johnson"]
TRANSFORMS: tuple[TransformName, ...] = ("", "log", "yeo-johnson")


LEAST = 1e-300
"""What a logarithm takes numbers for that are not above zero: farther out than any other."""


class Transform:
    """T for one column: "" leaves numbers as they are, "log" is for those above zero.

    `power` is lambda of Yeo and Johnson; `stretch` is what numbers are divided by before.

    Examples
    --------
    >>> log = Transform("log")
    >>> log.forward(np.array([1.0, np.e])), log.backward(np.array([0.0]))
    (array([0., 1.]), array([1.]))
    """

    def __init__(self, name: TransformName = "", power: float = 1.0, stretch: float = 1.0) -> None:
        self.name, self.power, self.stretch = name, power, stretch

    def forward(self, x: NDArray[Any]) -> Doubles:
        """Return T(x); NaN where x is missing."""
        x = x.astype(np.float64, copy=False)
        if self.name == "log":
            return np.log(np.maximum(x, LEAST))
        if self.name == "yeo-johnson":
            z = x / self.stretch
            return np.where(z >= 0, _rise(z, self.power), -_rise(-z, 2.0 - self.power))
        return x

    def backward(self, t: Doubles) -> Doubles:
        """Return x of T(x)."""
        if self.name == "log":
            return np.exp(t)
        if self.name == "yeo-johnson":
            up, down = _fall(t, self.power), -_fall(-t, 2.0 - self.power)
            return np.where(t >= 0, up, down) * self.stretch
        return t

    def log_slope(self, x: NDArray[Any]) -> Doubles:
        """Return log T'(x), which is what T adds to the log-density of x."""
        x = x.astype(np.float64, copy=False)
        if self.name == "log":
            return -np.log(np.maximum(x, LEAST))
        if self.name == "yeo-johnson":
            z = x / self.stretch
            return np.sign(z) * (self.power - 1.0) * np.log1p(np.abs(z)) - np.log(self.stretch)
        return np.zeros(x.shape)


def _rise(z: Doubles, power: float) -> Doubles:
    """Return ((1 + z) ** power - 1) / power for z >= 0, log(1 + z) where the power is zero."""
    rise = np.log1p(np.maximum(z, 0.0))
    return rise if power == 0.0 else np.expm1(power * rise) / power


def _fall(t: Doubles, power: float) -> Doubles:
    """Return z of ``_rise(z, power)``."""
    t = np.maximum(t, 0.0)
    if power == 0.0:
        return np.expm1(t)
    # Beyond what the power can reach there is no z: the farthest that a float can hold.
    inner = np.maximum(1.0 + power * t, np.finfo(float).tiny)
    return np.expm1(np.log(inner) / power)
