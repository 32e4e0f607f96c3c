"""How the numbers of a column are made less skewed: by what the likelihood gains.

A number that very many rows hold, such as no rain at all, is a category of its own (a `spike`).
Each way of taking the others is judged by the log-likelihood of a single Gaussian, per record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from galileomix._table.infer.digest import Digest
from galileomix._table.transform import Transform, TransformName

Doubles = NDArray[np.float64]

LEAST_GAIN = 0.1
"""What a shape must gain in log-likelihood per record: less is no skew that a person would see."""
POWERS = (0.0, 0.5, 1.5, 2.0)
"""Powers of Yeo and Johnson that every number has an inverse under."""
STRETCHES = (0.25, 1.0)
"""What numbers are divided by, as parts of their mean size."""
SPIKE, TIMES_AS_COMMON = 0.1, 3.0
"""A spike is held by this part of the rows at least, and by so many times as any other number."""
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

    def log_likelihood(self, shape: Shape) -> float:
        """Return the mean log density of the numbers under a Gaussian of what they become."""
        t = shape.function.forward(self.x)
        mean = (t * self.shares).sum()
        variance = float(((t - mean) ** 2 * self.shares).sum())
        if not variance > 0.0:
            return -np.inf
        slope = float((shape.function.log_slope(self.x) * self.shares).sum())
        return slope - 0.5 * float(np.log(2.0 * np.pi * np.e * variance))

    def best(self) -> Shape:
        """Return the shape of greatest likelihood; the simplest unless others gain."""
        plain = self.log_likelihood(AS_IT_IS)
        found = max(self._shapes(), key=self.log_likelihood)
        return found if self.log_likelihood(found) > plain + LEAST_GAIN else AS_IT_IS

    def _shapes(self) -> Iterator[Shape]:
        if self.x[0] > 0.0:
            yield Shape("log")
            return
        size = float((np.abs(self.x) * self.shares).sum())
        near = float(np.exp2(np.round(np.log2(max(size, 1e-300)))))
        for stretch in STRETCHES:
            yield from (Shape("yeo-johnson", power, near * stretch) for power in POWERS)


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
