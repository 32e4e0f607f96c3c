"""Additive statistics: all that EM, splits, merges and criteria ever read of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._model.covariance import variances
from galileomix._model.params import Floats, Ints, Layout, Mixture

TINY = float(np.finfo(float).tiny)


@dataclass(frozen=True, eq=False)
class Stats:
    """Expected counts of some records under the components they were shared among.

    A value with a zero (`Stats.zero`) and a ``+``; adding the statistics of two sets of records
    gives those of both. All sums stand in one array, below each other, so that whatever is done
    to one is done to all: ``counts``, ``weight``, ``total`` and ``product``. Numbers are in
    standardised units, so that their sums lose nothing; a missing one counts as what the component
    expects of it.
    """

    layout: Layout
    sums: Floats  # (V + 1 + Q + Q Q, k); (V + 1 + Q + Q, k) where numbers are independent
    log_likelihood: float  # of these records under the mixture that shared them out

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
    def total(self) -> Floats:
        """(Q, k) the sum of each number."""
        first = self.layout.n_values + 1
        return self.sums[first : first + self.layout.n_numeric]

    @property
    def product(self) -> Floats:
        """(Q, Q, k) the sum of the products of two numbers; (Q, k) of squares if independent."""
        Q = self.layout.n_numeric
        products = self.sums[self.layout.n_values + 1 + Q :]
        return products if self.layout.diagonal else products.reshape(Q, Q, self.k)

    def __add__(self, other: Stats) -> Stats:
        return self._with(self.sums + other.sums, self.log_likelihood + other.log_likelihood)

    def __sub__(self, other: Stats) -> Stats:
        return self._with(self.sums - other.sums, self.log_likelihood - other.log_likelihood)

    def times(self, factor: float) -> Stats:
        """Return the statistics of records with their weights multiplied."""
        return self._with(factor * self.sums, factor * self.log_likelihood)

    def norm(self) -> float:
        """Return the Euclidean length of all sums."""
        sums = self.sums.ravel()
        return float(np.sqrt(sums @ sums))

    def at_least(self, least: Stats) -> Stats:
        """Return the statistics with no count below that of least."""
        sums = self.sums.copy()
        n_counts = self.layout.n_values + 1
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
class MoveStats:
    """The statistics of halves of components, and what each pair gains in log-likelihood."""

    stats: Stats
    gains: Floats

    def __add__(self, other: MoveStats) -> MoveStats:
        return MoveStats(self.stats + other.stats, self.gains + other.gains)


@dataclass(frozen=True, eq=False)
class Several:
    """The statistics of the same records under each of several mixtures."""

    of_each: tuple[Stats, ...]

    def __add__(self, other: Several) -> Several:
        pairs = zip(self.of_each, other.of_each, strict=True)
        return Several(tuple(mine + theirs for mine, theirs in pairs))


@dataclass(frozen=True, eq=False)
class Background:
    """What a prior shrinks towards: the distribution of each attribute over all records.

    One for all components, (., 1), or one for each, (., k).
    """

    G: Floats  # (V, 1) or (V, k)
    mu: Floats  # (Q, 1) or (Q, k)
    Sigma: Floats  # (Q, Q, 1) or (Q, Q, k), in the form that a mixture has it
    width: Floats  # (Q,) the standard deviation of each number over all records
    least: float  # the least prior strength on a covariance: one record has no spread of its own

    @property
    def var(self) -> Floats:
        """(Q, 1) or (Q, k), the variances."""
        return variances(self.Sigma)

    def within(self, mixture: Mixture, components: Ints) -> Background:
        """Return the distributions of components, as the background of what is inside them."""
        parts = mixture.take(components)
        return Background(parts.p, parts.mu, parts.Sigma, self.width, self.least)
