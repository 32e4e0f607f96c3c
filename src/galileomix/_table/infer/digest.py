"""How the numbers of a column are spread, the same however the rows are cut or ordered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Numbers, slices
from galileomix._table.infer.bins import Cut

Doubles = NDArray[np.float64]
Keys = NDArray[np.uint64]

MOST_KEYS = 1 << 16
WEIGHT_BITS = 20
TOP = np.uint64(1 << 63)
# Below, a float holds every whole number, and beyond no other ones; sums are left to Python there.
SMALL, LARGEST_SUM = 2.0**53, 2.0**62


@dataclass(frozen=True, eq=False)
class Digest:
    """How often which numbers occur; parts add up, in any order and to the bit.

    Exact up to `MOST_KEYS` distinct numbers. Beyond, numbers are taken together that agree in
    all but the last `level` bits, the fewest that leave no more than so many: that is a property
    of all rows, so it does not depend on how they were cut. Weights count to a millionth.

    Examples
    --------
    >>> part, rest = (Digest.of(np.array(x), np.ones(2)) for x in ([1.0, 2.0], [2.0, 9.0]))
    >>> (part + rest).quantiles(2), (part + rest).widths(2)
    ((2.0,), (5.0,))
    """

    rows: int  # how many rows have a number
    level: int
    keys: Keys  # the numbers, sorted, as whole numbers in the same order, without their last bits
    # Their weights in units of ``2**-20``; of Python's integers where they are huge.
    counts: NDArray[Any]
    low: float = math.inf
    high: float = -math.inf
    whole: bool = True  # whether all are whole numbers, and floats small enough to be others

    @classmethod
    def of(cls, values: Numbers, weights: Doubles) -> Digest:
        """Digest the rows of positive weight that are not missing."""
        total = cls(0, 0, np.empty(0, np.uint64), np.empty(0, np.int64))
        integers = values.dtype.kind in "iu"
        for rows in slices(len(values)):
            x, w = values[rows].astype(np.float64, copy=False), weights[rows]
            x, w = x[w > 0], w[w > 0]
            known = ~np.isnan(x)
            total += _digest(x[known] + 0.0, w[known], integers)
        return total

    def __add__(self, other: Digest) -> Digest:
        """Join the rows of both."""
        level = max(self.level, other.level)
        coarse = [part.keys >> np.uint64(level - part.level) for part in (self, other)]
        return _normal(
            self.rows + other.rows,
            level,
            *_grouped(np.concatenate(coarse), np.concatenate([self.counts, other.counts])),
            min(self.low, other.low),
            max(self.high, other.high),
            self.whole and other.whole,
        )

    def __eq__(self, other: object) -> bool:
        """Return whether both are of the same numbers."""
        if not isinstance(other, Digest):
            return NotImplemented
        return (
            (self.rows, self.level, self.low, self.high, self.whole)
            == (other.rows, other.level, other.low, other.high, other.whole)
            and np.array_equal(self.keys, other.keys)
            and np.array_equal(self.counts, other.counts)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def exact(self) -> bool:
        """Whether every distinct number is held as it is."""
        return self.level == 0

    @property
    def numbers(self) -> Doubles:
        """The distinct numbers in increasing order; the least of each group where not exact."""
        return _numbers(self.keys << np.uint64(self.level))

    @property
    def shares(self) -> Doubles:
        """The share of the rows, by weight, that hold each of `numbers`."""
        counts = self.counts.astype(np.float64)
        return counts / max(counts.sum(), 1.0)

    def edges(self, cut: Cut) -> tuple[float, ...]:
        """Return the inner edges that a rule gives, or those given that some row needs."""
        match cut:
            case ("quantile", int(n_bins)):
                return self.quantiles(n_bins)
            case ("width", int(n_bins)):
                return self.widths(n_bins)
            case _:
                return self.needed(cut)

    def quantiles(self, n_bins: int) -> tuple[float, ...]:
        """Return inner edges that leave about equal weight between them.

        An edge is the first number at or above which no more than the share above remains. Equal
        numbers are never parted, so there may be fewer edges.
        """
        if not len(self.keys):
            return ()
        counts = self.counts.astype(object)  # products with them may be beyond 64 bits
        before, total = np.cumsum(counts) - counts, counts.sum()
        # The nearest border between two numbers, the lower one where both are as near.
        borders = [np.argmin(np.abs(before * n_bins - j * total)) for j in range(1, n_bins)]
        first = self.numbers
        return tuple(float(first[at]) for at in dict.fromkeys(map(int, borders)) if at > 0)

    def widths(self, n_bins: int) -> tuple[float, ...]:
        """Return inner edges between intervals of equal width, without those that no row needs."""
        if not self.low < self.high:
            return ()
        step = self.high / n_bins - self.low / n_bins
        return self.needed(tuple(self.low + step * j for j in range(1, n_bins)))

    def needed(self, edges: tuple[float, ...]) -> tuple[float, ...]:
        """Return the edges, without those of intervals that hold no row."""
        first = self.numbers
        beyond = _numbers((self.keys + np.uint64(1)) << np.uint64(self.level))
        bounds = [-math.inf, *edges, math.inf]
        held = [
            j
            for j, (low, high) in enumerate(pairwise(bounds))
            if ((first < high) & (beyond > low)).any()
        ]
        return tuple(edges[j - 1] for j in held[1:])


def _digest(x: Doubles, w: Doubles, integers: bool) -> Digest:
    counts = np.rint(np.ldexp(w, WEIGHT_BITS))
    small = not len(counts) or counts.max() < SMALL
    whole = counts.astype(np.int64) if small else np.array([int(count) for count in counts], object)
    keys, counts = _grouped(_keys(x), whole)
    low, high = (float(x.min()), float(x.max())) if len(x) else (math.inf, -math.inf)
    all_whole = integers or bool(((x == np.floor(x)) & (np.abs(x) <= SMALL)).all())
    return _normal(len(x), 0, keys, counts, low, high, all_whole)


def _normal(rows: int, level: int, keys: Keys, counts: NDArray[Any], *others: Any) -> Digest:
    """Take numbers together until they are few enough."""
    while len(keys) > MOST_KEYS:
        level += 1
        keys, counts = _grouped(keys >> np.uint64(1), counts)
    return Digest(rows, level, keys, counts, *others)


def _grouped(keys: Keys, counts: NDArray[Any]) -> tuple[Keys, NDArray[Any]]:
    if counts.dtype != object and float(counts.sum(dtype=np.float64)) > LARGEST_SUM:
        counts = counts.astype(object)
    distinct, inverse = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(distinct), counts.dtype)
    np.add.at(sums, inverse, counts)
    return distinct, sums


def _keys(x: Doubles) -> Keys:
    """Return whole numbers in the order of the floats (sign and magnitude to an offset)."""
    bits = x.view(np.uint64)
    return np.where(bits & TOP, ~bits, bits | TOP)


def _numbers(keys: Keys) -> Doubles:
    return np.where(keys & TOP, keys ^ TOP, ~keys).view(np.float64)
