"""Additive statistics: all that EM, splits, merges and criteria ever read of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix.model.params import Floats, Ints, Layout


@dataclass(frozen=True, eq=False)
class Stats:
    """Expected counts of some records under the components they were shared among.

    A value with a zero (`Stats.zero`) and a ``+``; adding the statistics of two sets of records
    gives those of both. All sums stand in one array, below each other, so that whatever is done
    to one is done to all.

    Parameters
    ----------
    layout : Layout
    sums : ndarray of shape (V + 1 + 3 Q, k)
        How often each value occurs in each component (``counts``); the records of each component
        (``weight``, N_i); of each numeric attribute the records where it is known, its sum and
        its sum of squares (``seen``, ``total``, ``square``, in standardised units, so that they
        lose nothing).
    log_likelihood : float
        Of these records under the mixture that shared them out.

    Examples
    --------
    >>> zero = Stats.zero(Layout((2,)), 1)
    >>> one = Stats(zero.layout, np.array([[1.0], [0.0], [1.0]]), -0.5)
    >>> (one + one + zero).weight.tolist(), (one + one).log_likelihood
    ([2.0], -1.0)
    """

    layout: Layout
    sums: Floats
    log_likelihood: float

    @classmethod
    def zero(cls, layout: Layout, k: int) -> Stats:
        """Return the statistics of no records."""
        return cls(layout, np.zeros((layout.n_sums, k)), 0.0)

    @property
    def k(self) -> int:
        """The number of components."""
        return self.sums.shape[1]

    @property
    def counts(self) -> Floats:
        """(V, k) how often each value occurs in each component."""
        return self.sums[: self.layout.n_values]

    @property
    def weight(self) -> Floats:
        """(k,) the records of each component, N_i."""
        return self.sums[self.layout.n_values]

    @property
    def moments(self) -> Floats:
        """(3, Q, k) the sums of numeric attributes: ``seen``, ``total``, ``square``."""
        layout = self.layout
        return self.sums[layout.n_values + 1 :].reshape(3, layout.n_numeric, self.k)

    @property
    def seen(self) -> Floats:
        """(Q, k) the records where each number is known."""
        return self.moments[0]

    @property
    def total(self) -> Floats:
        """(Q, k) the sum of each number."""
        return self.moments[1]

    @property
    def square(self) -> Floats:
        """(Q, k) the sum of its squares."""
        return self.moments[2]

    def __add__(self, other: Stats) -> Stats:
        return self._with(self.sums + other.sums, self.log_likelihood + other.log_likelihood)

    def __sub__(self, other: Stats) -> Stats:
        return self._with(self.sums - other.sums, self.log_likelihood - other.log_likelihood)

    def times(self, factor: float) -> Stats:
        """Return the statistics of records with their weights multiplied."""
        return self._with(factor * self.sums, factor * self.log_likelihood)

    def norm(self) -> float:
        """Return the Euclidean length of the expected counts."""
        counts = self.sums[: self.layout.n_values + 1].ravel()
        return float(np.sqrt(counts @ counts))

    def at_least(self, least: Stats) -> Stats:
        """Return the statistics with no count below that of least."""
        sums = self.sums.copy()
        n_counts = self.layout.n_values + 1 + self.layout.n_numeric
        np.maximum(sums[:n_counts], least.sums[:n_counts], out=sums[:n_counts])
        return self._with(sums)

    def take(self, components: Sequence[int] | Ints) -> Stats:
        """Return the statistics of some components, in the order given."""
        return self._with(self.sums[:, np.asarray(components, dtype=np.intp)])

    def without(self, components: Sequence[int]) -> Stats:
        """Return the statistics of all other components."""
        return self._with(np.delete(self.sums, list(components), axis=1))

    def beside(self, other: Stats) -> Stats:
        """Return these components and those of other, side by side."""
        return self._with(np.concatenate([self.sums, other.sums], axis=1))

    def merged(self) -> Stats:
        """Return all components as one."""
        return self._with(self.sums.sum(axis=1, keepdims=True))

    def minus(self, other: Stats) -> Stats:
        """Return what is left of each component without other's share of it."""
        return (self - other).at_least(Stats.zero(self.layout, self.k))

    def with_counts(self, counts: Floats) -> Stats:
        """Return the same statistics but for the counts of values."""
        return self._with(np.concatenate([counts, self.sums[self.layout.n_values :]]))

    def _with(self, sums: Floats, log_likelihood: float | None = None) -> Stats:
        same = self.log_likelihood if log_likelihood is None else log_likelihood
        return Stats(self.layout, sums, same)


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
