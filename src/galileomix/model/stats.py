"""Additive statistics: all that EM, splits, merges and criteria ever read of the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from galileomix.model.params import Floats, Ints, Layout


@dataclass(frozen=True, eq=False)
class Stats:
    """Expected counts of some records under the components they were shared among.

    A value with a zero (`Stats.zero`) and a ``+``; adding the statistics of two sets of records
    gives those of both.

    Parameters
    ----------
    layout : Layout
    weight : ndarray of shape (k,)
        The records of each component, N_i.
    counts : ndarray of shape (V, k)
        How often each value occurs in each component.
    seen, total, square : ndarray of shape (Q, k)
        Of each numeric attribute: the records where it is known, its sum, its sum of squares
        (in standardised units, so that they lose nothing).
    log_likelihood : float
        Of these records under the mixture that shared them out.

    Examples
    --------
    >>> zero = Stats.zero(Layout((2,)), 1)
    >>> one = Stats(zero.layout, np.ones(1), np.array([[1.0], [0.0]]), *zero.moments, -0.5)
    >>> (one + one + zero).weight.tolist(), (one + one).log_likelihood
    ([2.0], -1.0)
    """

    layout: Layout
    weight: Floats
    counts: Floats
    seen: Floats
    total: Floats
    square: Floats
    log_likelihood: float

    @classmethod
    def zero(cls, layout: Layout, k: int) -> Stats:
        """Return the statistics of no records."""
        none = np.zeros((layout.n_numeric, k))
        return cls(layout, np.zeros(k), np.zeros((layout.n_values, k)), none, none, none, 0.0)

    @property
    def k(self) -> int:
        """The number of components."""
        return len(self.weight)

    @property
    def moments(self) -> tuple[Floats, Floats, Floats]:
        """The three numeric sums together."""
        return self.seen, self.total, self.square

    def __add__(self, other: Stats) -> Stats:
        return self._zip(np.add, other, self.log_likelihood + other.log_likelihood)

    def __sub__(self, other: Stats) -> Stats:
        return self._zip(np.subtract, other, self.log_likelihood - other.log_likelihood)

    def times(self, factor: float) -> Stats:
        """Return the statistics of records with their weights multiplied."""
        return self._map(lambda x: factor * x, factor * self.log_likelihood)

    def norm(self) -> float:
        """Return the Euclidean length of the expected counts."""
        return float(np.sqrt(np.sum(self.weight**2) + np.sum(self.counts**2)))

    def at_least(self, least: Stats) -> Stats:
        """Return the statistics with no count below that of least."""
        return Stats(
            self.layout,
            np.maximum(self.weight, least.weight),
            np.maximum(self.counts, least.counts),
            np.maximum(self.seen, least.seen),
            self.total,
            self.square,
            self.log_likelihood,
        )

    def take(self, components: Sequence[int] | Ints) -> Stats:
        """Return the statistics of some components, in the order given."""
        index = np.asarray(components, dtype=np.intp)
        return self._map(lambda x: x[..., index], self.log_likelihood)

    def without(self, components: Sequence[int]) -> Stats:
        """Return the statistics of all other components."""
        gone = list(components)
        return self._map(lambda x: np.delete(x, gone, axis=-1), self.log_likelihood)

    def beside(self, other: Stats) -> Stats:
        """Return these components and those of other, side by side."""
        return self._zip(lambda a, b: np.concatenate([a, b], axis=-1), other, self.log_likelihood)

    def merged(self) -> Stats:
        """Return all components as one."""
        return self._map(lambda x: x.sum(axis=-1, keepdims=True), self.log_likelihood)

    def minus(self, other: Stats) -> Stats:
        """Return what is left of each component without other's share of it."""
        return (self - other).at_least(Stats.zero(self.layout, self.k))

    def _map(self, f: Callable[[Floats], Floats], log_likelihood: float) -> Stats:
        return Stats(
            self.layout,
            f(self.weight),
            f(self.counts),
            f(self.seen),
            f(self.total),
            f(self.square),
            log_likelihood,
        )

    def _zip(
        self, f: Callable[[Floats, Floats], Floats], other: Stats, log_likelihood: float
    ) -> Stats:
        return Stats(
            self.layout,
            f(self.weight, other.weight),
            f(self.counts, other.counts),
            f(self.seen, other.seen),
            f(self.total, other.total),
            f(self.square, other.square),
            log_likelihood,
        )


@dataclass(frozen=True, eq=False)
class Background:
    """What a prior leans on: the distribution of each attribute over all records.

    Parameters
    ----------
    G : ndarray of shape (V, 1) or (V, k)
        One distribution for all components, or one for each.
    mu, var : ndarray of shape (Q, 1) or (Q, k)
    """

    G: Floats
    mu: Floats
    var: Floats

    @classmethod
    def of(cls, stats: Stats) -> Background:
        """Return the distributions that the statistics describe, component by component."""
        layout = stats.layout
        known = np.maximum(layout.per_attribute(stats.counts), np.finfo(float).tiny)
        # Where none is seen, sums may still hold what rounding left of a difference.
        seen = np.where(stats.seen > 0, stats.seen, 1.0)
        mu = stats.total / seen
        var = stats.square / seen - mu**2
        # A constant column carries nothing; one unit of width keeps its likelihood finite.
        var = np.where(var > np.finfo(float).eps, var, 1.0)
        return cls(stats.counts / known[layout.attribute_of_value], mu, var)
