"""How the numbers of a column are made less skewed: by what the likelihood gains.

A number that very many rows hold, such as no rain at all, is a category of its own (a `spike`).
Each way of taking the others is judged by the log-likelihood of one and of two Gaussians, per
record: what is skewed is so by both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from galileomix._table.infer.digest import Digest
from galileomix._table.transform import LEAST, Transform, TransformName

Doubles = NDArray[np.float64]

LEAST_GAIN = 0.1
"""What a shape must gain in log-likelihood per record: less is no skew that a person would see."""
POWERS = (0.0, 0.5, 1.5, 2.0)
"""Powers of Yeo and Johnson that every number has an inverse under."""
STRETCHES = (0.25, 1.0)
"""What numbers are divided by, as parts of their mean size."""
SPIKE, TIMES_AS_COMMON = 0.1, 3.0
"""A spike is held by this part of the rows at least, and by so many times as any other number."""
NARROWEST = 1e-3
"""The least deviation of a Gaussian, as a part of the range."""
FEWEST = 4
"""Different numbers below which there is no shape to see."""


class Shape(NamedTuple):
    """What is done to the numbers of a column (see `Numeric`)."""

    transform: TransformName = ""
    power: float = 1.0
    stretch: float = 1.0
    spike: float | None = None

    @property
    def function(self) -> Transform:
        """The transformation."""
        return Transform(self.transform, self.power, self.stretch)


AS_IT_IS = Shape()


@dataclass(frozen=True, eq=False)
class _Sample:
    """Distinct numbers and the share of the rows that hold each."""

    x: Doubles
    shares: Doubles

    def spike(self) -> float | None:
        """Return the number that very many rows hold; None where there is none."""
        second, first = np.sort(self.shares)[-2:]
        mass = first >= SPIKE and first >= TIMES_AS_COMMON * second and len(self.x) > FEWEST
        return float(self.x[np.argmax(self.shares)]) if mass else None

    def without(self, spike: float) -> _Sample:
        """Return the other numbers."""
        kept = self.x != spike
        return _Sample(self.x[kept], self.shares[kept] / self.shares[kept].sum())

    def log_likelihoods(self, shape: Shape) -> Doubles:
        """Return the mean log density of the numbers, up to a constant, in two ways.

        What they become is taken for one Gaussian, and for two: one for the numbers on each side
        of the best cut. One alone takes two clusters for skew, two alone take skew for clusters.
        """
        t = shape.function.forward(self.x)
        width = max(float(np.ptp(t)), LEAST)
        t = (t - t.mean()) / width
        share, first, second = (np.cumsum(self.shares * t**power) for power in range(3))
        low = _part(share, first, second)
        high = _part(share[-1] - share, first[-1] - first, second[-1] - second)
        slope = float((shape.function.log_slope(self.x) * self.shares).sum())
        return np.array([low[-1], np.max(low + high)]) + slope - np.log(width)

    def best(self) -> Shape:
        """Return the shape that gains most in likelihood; the simplest unless it gains enough."""
        plain = self.log_likelihoods(AS_IT_IS)
        gains = {shape: float(min(self.log_likelihoods(shape) - plain)) for shape in self._shapes()}
        found = max(gains, key=lambda shape: gains[shape])
        return found if gains[found] > LEAST_GAIN else AS_IT_IS

    def _shapes(self) -> Iterator[Shape]:
        if self.x[0] > 0.0:
            yield Shape("log")
            return
        size = float((np.abs(self.x) * self.shares).sum())
        near = float(np.exp2(np.round(np.log2(max(size, LEAST)))))
        for stretch in STRETCHES:
            yield from (Shape("yeo-johnson", power, near * stretch) for power in POWERS)


def _part(share: Doubles, first: Doubles, second: Doubles) -> Doubles:
    """Return what the numbers on one side of each cut add to the log density, up to a constant."""
    held = np.maximum(share, LEAST)
    variance = np.maximum(second / held - (first / held) ** 2, NARROWEST**2)
    return xlogy(share, share) - 0.5 * share * np.log(variance)


def best_shape(numbers: Digest) -> Shape:
    """Return how the numbers of a column are taken.

    Examples
    --------
    >>> amounts = np.exp(np.linspace(0, 9, 200))
    >>> best_shape(Digest.of(amounts, np.ones(200)))
    Shape(transform='log', power=1.0, stretch=1.0, spike=None)
    >>> best_shape(Digest.of(np.append(amounts, np.zeros(100)), np.ones(300))).spike
    0.0
    """
    sample = _Sample(numbers.numbers, numbers.shares)
    if len(sample.x) < FEWEST:
        return AS_IT_IS
    spike = sample.spike()
    if spike is None:
        return sample.best()
    return sample.without(spike).best()._replace(spike=spike)
