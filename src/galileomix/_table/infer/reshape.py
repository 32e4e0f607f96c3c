"""How the numbers of a column are made less skewed: by what the likelihood gains.

Each way of taking a column is judged by the log-likelihood of a single Gaussian, per record. A
number that very many rows hold (a `spike`, such as no rain at all) may be a category of its own:
then the Gaussian is of the others. So that the probability of a spike and the density of other
numbers can be compared, a density counts for numbers as far apart as those of the column are.
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

    def without(self, spike: float) -> tuple[_Sample, float]:
        """Return the other numbers, and the share of the spike."""
        kept = self.x != spike
        share = float(self.shares[~kept].sum())
        return _Sample(self.x[kept], self.shares[kept] / max(1.0 - share, 1e-300)), share

    def log_likelihood(self, shape: Shape) -> float:
        """Return the mean log density of the numbers under a Gaussian of what they become."""
        t = shape.function.forward(self.x)
        mean = (t * self.shares).sum()
        variance = float(((t - mean) ** 2 * self.shares).sum())
        if not variance > 0.0:
            return -np.inf
        slope = float((shape.function.log_slope(self.x) * self.shares).sum())
        return slope - 0.5 * float(np.log(2.0 * np.pi * np.e * variance))

    def best(self) -> tuple[float, Shape]:
        """Return the shape of greatest likelihood, and that; the simplest unless others gain."""
        plain = self.log_likelihood(AS_IT_IS)
        found = max(((self.log_likelihood(shape), shape) for shape in self._shapes()), key=_first)
        return found if found[0] > plain + LEAST_GAIN else (plain, AS_IT_IS)

    def _shapes(self) -> Iterator[Shape]:
        if self.x[0] > 0.0:
            yield Shape("log")
            return
        size = float((np.abs(self.x) * self.shares).sum())
        near = float(np.exp2(np.round(np.log2(max(size, 1e-300)))))
        for stretch in STRETCHES:
            yield from (Shape("yeo-johnson", power, near * stretch) for power in POWERS)


def _first(pair: tuple[float, Shape]) -> float:
    return pair[0]


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
    value, shape = sample.best()
    rest, share = sample.without(0.0)
    if share == 0.0 or len(rest.x) < FEWEST:
        return shape
    apart = float(np.log(np.diff(sample.x).min()))
    other, of_others = rest.best()
    spiked = share * np.log(share) + (1.0 - share) * (np.log1p(-share) + other + apart)
    return of_others._replace(spike=0.0) if spiked > value + apart + LEAST_GAIN else shape
