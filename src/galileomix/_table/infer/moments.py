"""Mean and spread of a numeric column, the same to the bit however the rows are cut or ordered.

Sums of floats depend on their order. These do not: every term is split into whole numbers times
powers of two and added as such, so a sum is a Python integer and exact. Products are exact too: a
product of two floats is a float and what rounding left over, which is a float again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Floats, slices

Doubles = NDArray[np.float64]

# Sums are counted in units of 2**-UNIT; no float has a bit below 2**-1074.
UNIT = 1126
LOW_BITS = 27
SPLITTER = 2.0**27 + 1.0
# Numbers nearer to one another than this have squares that no float can hold.
SQUARABLE = 2.0**-400
# The mean is rounded to this fraction of the scale: near enough to it to keep precision.
CENTER_STEPS = 256
# No scale is below two to this power, so that steps of it are numbers too.
LEAST_SCALE = -1000


@dataclass(frozen=True)
class Moments:
    """Exact sums over the rows that have a number; parts add up.

    `weight`, `first` and `second` are the sums of w, of w x and of w x x in units of ``2**-1126``.

    Examples
    --------
    >>> part = Moments.of(np.array([1.0, 2.0]), np.ones(2))
    >>> rest = Moments.of(np.array([3.0, np.nan]), np.ones(2))
    >>> part + rest == Moments.of(np.array([3.0, 2.0, 1.0]), np.ones(3))
    True
    >>> (part + rest).center_and_scale()
    (2.0, 1.0)
    """

    rows: int = 0
    weight: int = 0
    first: int = 0
    second: int = 0
    low: float = math.inf
    high: float = -math.inf

    @classmethod
    def of(cls, values: Floats, weights: Doubles) -> Moments:
        """Sum over the rows of positive weight that are not missing."""
        total = cls()
        for rows in slices(len(values)):
            x, w = values[rows].astype(np.float64, copy=False), weights[rows]
            known = (w > 0) & ~np.isnan(x)
            if not known.all():
                x, w = x[known], w[known]
            total += _moments(x, w)
        return total

    def __add__(self, other: Moments) -> Moments:
        """Join the rows of both."""
        return Moments(
            self.rows + other.rows,
            self.weight + other.weight,
            self.first + other.first,
            self.second + other.second,
            min(self.low, other.low),
            max(self.high, other.high),
        )

    def center_and_scale(self) -> tuple[float, float]:
        """Return a round number near the mean and the power of two at or above the deviation."""
        if self.rows == 0:
            return 0.0, 1.0
        scale = self._scale()
        step = Fraction(scale) / CENTER_STEPS
        return float(round(Fraction(self.first, self.weight) / step) * step), scale

    def _scale(self) -> float:
        if self.low == self.high:
            return 1.0
        variance = Fraction(
            self.second * self.weight - self.first * self.first, self.weight * self.weight
        )
        width = Fraction(self.high) - Fraction(self.low)
        if variance <= 0 or width < SQUARABLE:
            variance = width**2 / 4  # no variance is greater
        return math.ldexp(1.0, max(_half_log(variance), LEAST_SCALE))


def _half_log(variance: Fraction) -> int:
    """Return the least n with ``4**n >= variance``."""
    n = (variance.numerator.bit_length() - variance.denominator.bit_length()) // 2 - 1
    while Fraction(4) ** n < variance:
        n += 1
    return n


def _moments(x: Doubles, w: Doubles) -> Moments:
    if not len(x):
        return Moments()
    product, rest = _two_product(w, x)
    squares = [*_two_product(product, x)]
    if rest.any():  # not where all weights are one
        squares += _two_product(rest, x)
    return Moments(
        len(x),
        exact_sum(w),
        exact_sum(product) + exact_sum(rest),
        sum(map(exact_sum, squares)),
        float(x.min()) + 0.0,
        float(x.max()) + 0.0,
    )


def _two_product(a: Doubles, b: Doubles) -> tuple[Doubles, Doubles]:
    """Return the rounded product and what rounding left over (Dekker 1971)."""
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, rest


def _halves(a: Doubles) -> tuple[Doubles, Doubles]:
    wide = a * SPLITTER
    high = wide - (wide - a)
    return high, a - high


def exact_sum(terms: Doubles) -> int:
    """Sum floats without rounding, in units of ``2**-1126``; at most 2**26 of them.

    Examples
    --------
    >>> exact_sum(np.array([1e100, 1.0, -1e100])) == 2**UNIT
    True
    """
    if not terms.any():
        return 0
    fractions, exponents = np.frexp(terms)
    whole = np.ldexp(fractions, 53)
    high = np.floor(np.ldexp(whole, -LOW_BITS))
    low = whole - np.ldexp(high, LOW_BITS)
    base = int(exponents.min())
    # Terms of one exponent add up to whole numbers below 2**53: these sums are exact.
    highs = np.bincount(exponents - base, weights=high)
    lows = np.bincount(exponents - base, weights=low)
    total = 0
    for bin_ in np.flatnonzero((highs != 0) | (lows != 0)).tolist():
        mantissa = (int(highs[bin_]) << LOW_BITS) + int(lows[bin_])
        total += mantissa << (bin_ + base - 53 + UNIT)
    return total
