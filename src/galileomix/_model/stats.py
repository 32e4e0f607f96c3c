"""Additive statistics: all that EM, splits, merges and criteria ever read of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._model.params import Floats, Ints, Layout, Mixture

TINY = float(np.finfo(float).tiny)
TRACE = 1e-6
"""Records of which the moments are rounding."""
FLAT = float(np.finfo(float).eps)
"""The variance, in standardised units, of a column that is constant."""
NARROWEST = 1e-3
"""The least width of a component in any direction, as a share of that of all records."""


@dataclass(frozen=True, eq=False)
class Stats:
    """Expected counts of some records under the components they were shared among.

    A value with a zero (`Stats.zero`) and a ``+``; adding the statistics of two sets of records
    gives those of both. All sums stand in one array, below each other, so that whatever is done
    to one is done to all.

    Parameters
    ----------
    layout : Layout
    sums : ndarray of shape (V + 1 + Q + Q Q, k)
        How often each value occurs in each component (``counts``); the records of each component
        (``weight``, N_i); the sums of the numeric attributes and of their products (``total``,
        ``product``, in standardised units, so that they lose nothing). An unknown number stands
        there with what the component expects of it.
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
    def total(self) -> Floats:
        """(Q, k) the sum of each number."""
        first = self.layout.n_values + 1
        return self.sums[first : first + self.layout.n_numeric]

    @property
    def product(self) -> Floats:
        """(Q, Q, k) the sum of the products of two numbers."""
        Q = self.layout.n_numeric
        return self.sums[self.layout.n_values + 1 + Q :].reshape(Q, Q, self.k)

    @property
    def scatter(self) -> Floats:
        """(Q, Q, k) the sum of the products of two numbers' distances from their means.

        Where next to no record is left, what is left of the sums is rounding: there it is zero.
        """
        some = self.weight > TRACE
        held = np.where(some, self.weight, 1.0)
        scatter = np.where(some, self.product - self.total[:, None] * self.total[None] / held, 0.0)
        diagonal = np.eye(self.layout.n_numeric)[:, :, None]
        return scatter * diagonal if self.layout.diagonal else scatter

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
class Background:
    """What a prior leans on: the distribution of each attribute over all records.

    Parameters
    ----------
    G : ndarray of shape (V, 1) or (V, k)
        One distribution for all components, or one for each.
    mu : ndarray of shape (Q, 1) or (Q, k)
    Sigma : ndarray of shape (Q, Q, 1) or (Q, Q, k)
    width : ndarray of shape (Q,)
        The standard deviation of each number over all records.
    least : float
        The least prior strength on a covariance: a Gaussian on one record has none of its own.
    """

    G: Floats
    mu: Floats
    Sigma: Floats
    width: Floats
    least: float

    @property
    def var(self) -> Floats:
        """(Q, 1) or (Q, k), the variances."""
        return np.einsum("qqi->qi", self.Sigma)

    @classmethod
    def of(cls, stats: Stats, least: float) -> Background:
        """Return the distributions of all records, from their statistics as one component.

        A constant column carries nothing; one unit of width keeps its likelihood finite.
        """
        layout = stats.layout
        known = np.maximum(layout.per_attribute(stats.counts), TINY)
        G = stats.counts / known[layout.attribute_of_value]
        held = np.maximum(stats.weight, TINY)
        Sigma = stats.scatter / held
        flat = np.einsum("qqi->qi", Sigma)[:, 0] <= FLAT
        Sigma[flat] = Sigma[:, flat] = 0.0
        Sigma[flat, flat] = 1.0
        width = np.sqrt(np.einsum("qqi->qi", Sigma)[:, 0])
        return cls(G, stats.total / held, not_flat(Sigma, width), width, least)

    def within(self, mixture: Mixture, components: Ints) -> Background:
        """Return the distributions of components, as the background of what is inside them."""
        parts = mixture.take(components)
        return Background(parts.p, parts.mu, parts.Sigma, self.width, self.least)


def not_flat(Sigma: Floats, width: Floats) -> Floats:
    """Return the nearest covariances that are nowhere narrower than `NARROWEST` of the width.

    Among these the likelihood is greatest where the eigenvalues that are too small, relative to
    the width of all records, are raised to the least allowed. So columns that say the same cost
    every component alike.

    Examples
    --------
    >>> not_flat(np.array([[[1.0], [2.0]], [[2.0], [4.0]]]), np.array([1.0, 2.0])).round(7)[:, :, 0]
    array([[1.0000005, 1.999999 ],
           [1.999999 , 4.000002 ]])
    """
    if not len(width):
        return Sigma
    scale = (width[:, None] * width[None])[:, :, None]
    relative = (Sigma / scale).transpose(2, 0, 1)
    try:
        # Cheaper than the eigenvalues, and mostly all there is to do.
        np.linalg.cholesky(relative - NARROWEST**2 * np.eye(len(width)))
        return Sigma
    except np.linalg.LinAlgError:
        eigenvalues, axes = np.linalg.eigh(relative)
    raised = np.maximum(eigenvalues, NARROWEST**2)
    rebuilt = np.einsum("iqe,ie,ire->qri", axes, raised, axes)
    wide = eigenvalues[:, 0] >= NARROWEST**2
    return np.where(wide, Sigma, rebuilt * scale)
