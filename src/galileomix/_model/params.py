"""What a mixture is: one weight per component, one distribution per component and attribute.

Symbols, as in the paper:

=========  =============================================================================
``N``      records, or the sum of their weights
``M``      categorical attributes; attribute m has ``L_m`` values
``V``      all values together, the sum of the L_m: the flat value axis
``Q``      numeric attributes
``k``      components
``alpha``  (k,) the weight of each component
``p``      (V, k) the probability of each value in each component
``mu``     (Q, k) the mean of each numeric attribute; ``Sigma`` (Q, Q, k) their covariance,
           or (Q, k) its diagonal where they are independent (see `covariance`)
``G``      the global distribution: the same, of all records as one component
``rho``    (k,) density, ``S`` entropy
``s``      prior strength: how many records' worth of G every component is given
=========  =============================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from galileomix._model import covariance

Floats = covariance.Floats
Ints = NDArray[np.intp]

USUAL_CELLS = 20
"""Cells of a record, products of numbers included, beyond which it costs more than usual."""
FREE_RANKS = 3
"""Ranks of an ordered attribute whose distribution two parameters leave free (see `ordered`)."""
LONG_SCALE = 16
"""Scales of up to so many ranks are worked on together: for fewer, numpy takes as long."""


@dataclass(frozen=True)
class Layout:
    """Which attributes there are, and where their values stand on the flat value axis.

    Examples
    --------
    >>> layout = Layout((2, 3))
    >>> layout.offsets.tolist(), layout.attribute_of_value.tolist()
    ([0, 2, 5], [0, 0, 1, 1, 1])
    """

    cardinalities: tuple[int, ...]  # the number of values of each categorical attribute
    n_numeric: int = 0
    diagonal: bool = False  # whether numeric attributes are independent within a component
    constant: tuple[int, ...] = ()  # numeric attributes without spread: they take no parameters
    # Categorical attributes whose values have an order, and how many of them are ranks: the first.
    ordered: tuple[tuple[int, int], ...] = ()

    @cached_property
    def offsets(self) -> Ints:
        """(M + 1,) the first row of each attribute, and the number of rows."""
        return np.concatenate([[0], np.cumsum(self.cardinalities, dtype=np.intp)]).astype(np.intp)

    @cached_property
    def attribute_of_value(self) -> Ints:
        """(V,) the attribute that each value belongs to."""
        return np.repeat(np.arange(len(self.cardinalities)), self.cardinalities)

    @cached_property
    def n_values(self) -> int:
        """V, the length of the value axis."""
        return int(self.offsets[-1])

    @property
    def n_categorical(self) -> int:
        """M, the number of categorical attributes."""
        return len(self.cardinalities)

    @cached_property
    def n_sums(self) -> int:
        """How many sums over records a component is known by (see `stats.Stats`)."""
        return self.n_values + 1 + self.n_numeric + self.n_products

    @property
    def n_products(self) -> int:
        """The products of numbers, of itself or of two, among those sums."""
        return self.n_numeric if self.diagonal else self.n_numeric**2

    @property
    def n_cells(self) -> int:
        """What a record costs in each component: its attributes, and the products of numbers."""
        return self.n_categorical + self.n_numeric + self.n_products

    @property
    def cost(self) -> float:
        """How many usual records one costs as much as."""
        return max(1.0, self.n_cells / USUAL_CELLS)

    @cached_property
    def _all_have_values(self) -> bool:
        return min(self.cardinalities, default=0) > 0

    @cached_property
    def scales(self) -> tuple[Ints, ...]:
        """Where the ranks of ordered attributes stand, (R, A): scales of similar length together.

        V stands beyond the end of a shorter one. With no more than `FREE_RANKS` an attribute is as
        free as one without an order, and none of these.
        """
        groups: dict[int, list[Ints]] = {}
        for m, n_ranks in self.ordered:
            if n_ranks > FREE_RANKS:
                length = max(LONG_SCALE, 2 ** (n_ranks - 1).bit_length())
                groups.setdefault(length, []).append(self.offsets[m] + np.arange(n_ranks))
        return tuple(self._side_by_side(scales) for _, scales in sorted(groups.items()))

    def _side_by_side(self, scales: list[Ints]) -> Ints:
        rows = np.full((max(map(len, scales)), len(scales)), self.n_values)
        for a, scale in enumerate(scales):
            rows[: len(scale), a] = scale
        return rows

    @cached_property
    def is_rank(self) -> NDArray[np.bool_]:
        """(V,) which values are ranks of a scale."""
        return np.isin(np.arange(self.n_values), [v for rows in self.scales for v in rows.flat])

    @property
    def free_parameters(self) -> tuple[int, ...]:
        """The free parameters of a component: of each categorical attribute, and of the Gaussian.

        Probabilities sum to one, so that an attribute has one fewer than it has values. Ranks
        beyond `FREE_RANKS` take none.
        """
        Q = self.n_numeric - len(self.constant)
        gaussian = 2 * Q if self.diagonal else Q + Q * (Q + 1) // 2
        own = [n_values - 1 for n_values in self.cardinalities]
        for m, n_ranks in self.ordered:
            own[m] -= max(n_ranks - FREE_RANKS, 0)
        return (*own, gaussian)

    @property
    def shared_parameters(self) -> int:
        """The free parameters that all components have in common: of ranks beyond `FREE_RANKS`."""
        return sum(max(n_ranks - FREE_RANKS, 0) for _, n_ranks in self.ordered)

    def degrees_of_freedom(self, k: int) -> int:
        """Return nu, the free parameters of a mixture of k components."""
        return (k - 1) + k * sum(self.free_parameters) + self.shared_parameters

    def rows_of(self, m: int) -> slice:
        """Return where the values of attribute m stand on the value axis."""
        return slice(int(self.offsets[m]), int(self.offsets[m + 1]))

    def per_attribute(self, values: Floats) -> Floats:
        """Sum rows of the value axis over each attribute: (V, k) to (M, k)."""
        if self._all_have_values:
            return np.add.reduceat(values, self.offsets[:-1], axis=0)
        sums = np.zeros((self.n_categorical, *values.shape[1:]))
        np.add.at(sums, self.attribute_of_value, values)
        return sums

    def __getstate__(self) -> dict[str, Any]:
        return _without_caches(self)


class Attributes(Protocol):
    """What a layout needs to know of a schema."""

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """The number of values of each categorical attribute."""
        ...

    @property
    def numeric(self) -> Sequence[object]:
        """The numeric attributes."""
        ...

    @property
    def ordered(self) -> tuple[tuple[int, int], ...]:
        """The positions of ordered attributes among the categorical ones; how many ranks each has.

        A missing value, where it is a value, is no rank.
        """
        ...


def layout_of(schema: Attributes, diagonal: bool = False) -> Layout:
    """Return where the schema's values stand on the value axis."""
    return Layout(schema.cardinalities, len(schema.numeric), diagonal, ordered=schema.ordered)


@dataclass(frozen=True, eq=False)
class Mixture:
    """A mixture of components: a product of categorical distributions times a Gaussian."""

    layout: Layout
    alpha: Floats  # (k,)
    p: Floats  # (V, k)
    mu: Floats  # (Q, k), as Sigma in the standardised units of the schema
    Sigma: Floats  # (Q, Q, k), or (Q, k) where they are independent

    def __init__(
        self,
        layout: Layout,
        alpha: Floats,
        p: Floats,
        mu: Floats | None = None,
        Sigma: Floats | None = None,
    ) -> None:
        mu = np.zeros((0, len(alpha))) if mu is None else mu
        Sigma = np.zeros((0, 0, len(alpha))) if Sigma is None else Sigma
        Sigma = covariance.variances(Sigma) if layout.diagonal else Sigma
        vars(self).update(layout=layout, alpha=alpha, p=p, mu=mu, Sigma=Sigma)

    @property
    def k(self) -> int:
        """The number of components."""
        return len(self.alpha)

    @property
    def var(self) -> Floats:
        """(Q, k) the variance of each numeric attribute."""
        return covariance.variances(self.Sigma)

    @cached_property
    def log_det(self) -> Floats:
        """(k,) log det Sigma_i."""
        return covariance.log_det(self.Sigma)

    @cached_property
    def precision(self) -> Floats:
        """The inverse of each Sigma_i, in its form."""
        return covariance.inverse(self.Sigma)

    @property
    def cache(self) -> dict[object, Any]:
        """What kernels have prepared from this mixture: freed with it, never pickled.

        It can be much larger than the mixture. Whoever holds many mixtures clears it.
        """
        return vars(self).setdefault("_cache", {})

    def values_of(self, m: int) -> Floats:
        """Return the probabilities of one attribute's values, (L_m, k)."""
        return self.p[self.layout.rows_of(m)]

    def weighted(self, alpha: Floats) -> Mixture:
        """Return the same components with other weights."""
        return Mixture(self.layout, alpha, self.p, self.mu, self.Sigma)

    def take(self, components: Sequence[int] | Ints) -> Mixture:
        """Return some components with the weights they have."""
        index = np.asarray(components, dtype=np.intp)
        parts = (self.alpha, self.p, self.mu, self.Sigma)
        return Mixture(self.layout, *(np.ascontiguousarray(part[..., index]) for part in parts))

    def beside(self, other: Mixture) -> Mixture:
        """Return these components and other's, with the weights they have."""
        parts = (
            np.concatenate([getattr(self, name), getattr(other, name)], axis=-1)
            for name in ("alpha", "p", "mu", "Sigma")
        )
        return Mixture(self.layout, *parts)

    def keep(self, components: Sequence[int] | Ints) -> Mixture:
        """Return the mixture of some components, alpha renormalised (the paper's pruning)."""
        kept = self.take(components)
        return kept.weighted(kept.alpha / kept.alpha.sum())

    def __getstate__(self) -> dict[str, Any]:
        return _without_caches(self)


def _without_caches(value: Layout | Mixture) -> dict[str, Any]:
    """Return what is pickled: the fields, not what was computed from them."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


LOG_ZERO = -1e8
"""Stands for log 0, the limit of s -> 0: a record goes first where fewest of its values are
impossible, then where the rest is likeliest. Far below any sum of logarithms of real
probabilities, and of densities of numbers within 10 000 of the narrowest standard deviations; small
enough that adding it to one keeps seven digits after the point."""


def safe_log(x: Floats) -> Floats:
    """Return log x, with `LOG_ZERO` for log 0."""
    return np.log(x, out=np.full(x.shape, LOG_ZERO), where=x > 0)
