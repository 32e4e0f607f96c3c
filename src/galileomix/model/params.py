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
``mu``     (Q, k) the mean of each numeric attribute, ``var`` its variance
``G``      the global distribution: the same, of all records as one component
``rho``    (k,) density, ``S`` entropy
``s``      prior strength: how many records' worth of G every component is given
=========  =============================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Layout:
    """Where each attribute's values stand on the flat value axis.

    Parameters
    ----------
    cardinalities : tuple of int
        The number of values of each categorical attribute.
    n_numeric : int
        The number of numeric attributes.

    Examples
    --------
    >>> layout = Layout((2, 3))
    >>> layout.offsets.tolist(), layout.attribute_of_value.tolist()
    ([0, 2, 5], [0, 0, 1, 1, 1])
    """

    cardinalities: tuple[int, ...]
    n_numeric: int = 0

    @cached_property
    def offsets(self) -> Ints:
        """(M + 1,) the first row of each attribute, and the number of rows."""
        return np.concatenate([[0], np.cumsum(self.cardinalities, dtype=np.intp)]).astype(np.intp)

    @cached_property
    def attribute_of_value(self) -> Ints:
        """(V,) the attribute that each value belongs to."""
        return np.repeat(np.arange(len(self.cardinalities)), self.cardinalities)

    @cached_property
    def spaced(self) -> Ints:
        """(V,) where the values stand in a table with a spare row after each attribute."""
        return np.arange(self.n_values) + self.attribute_of_value

    @property
    def n_values(self) -> int:
        """V, the length of the value axis."""
        return int(self.offsets[-1])

    @property
    def n_categorical(self) -> int:
        """M, the number of categorical attributes."""
        return len(self.cardinalities)

    @property
    def n_sums(self) -> int:
        """How many sums over records a component is known by (see `stats.Stats`)."""
        return self.n_values + 1 + 3 * self.n_numeric

    def degrees_of_freedom(self, k: int) -> int:
        """Return nu, the free parameters of a mixture of k components."""
        return (k - 1) + k * (self.n_values - self.n_categorical + 2 * self.n_numeric)

    def per_attribute(self, values: Floats) -> Floats:
        """Sum rows of the value axis over each attribute: (V, k) to (M, k)."""
        if not self.cardinalities:
            return np.zeros((0, *values.shape[1:]))
        return np.add.reduceat(values, self.offsets[:-1], axis=0)


@dataclass(frozen=True, eq=False)
class Mixture:
    """A mixture of components, each a product of simple distributions.

    Parameters
    ----------
    layout : Layout
    alpha : ndarray of shape (k,)
    p : ndarray of shape (V, k)
    mu, var : ndarray of shape (Q, k)
        In the standardised units of the schema.

    Examples
    --------
    >>> one = Mixture(Layout((2,)), np.ones(1), np.array([[0.25], [0.75]]))
    >>> one.k
    1
    """

    layout: Layout
    alpha: Floats
    p: Floats
    mu: Floats
    var: Floats

    def __init__(
        self,
        layout: Layout,
        alpha: Floats,
        p: Floats,
        mu: Floats | None = None,
        var: Floats | None = None,
    ) -> None:
        none = np.zeros((0, len(alpha)))
        for name, value in (
            ("layout", layout),
            ("alpha", alpha),
            ("p", p),
            ("mu", none if mu is None else mu),
            ("var", none if var is None else var),
        ):
            object.__setattr__(self, name, value)

    @property
    def k(self) -> int:
        """The number of components."""
        return len(self.alpha)

    def keep(self, components: Sequence[int] | Ints) -> Mixture:
        """Return the mixture of some components, alpha renormalised (the paper's pruning)."""
        index = np.asarray(components, dtype=np.intp)
        alpha = self.alpha[index]
        return Mixture(
            self.layout,
            alpha / alpha.sum(),
            np.ascontiguousarray(self.p[:, index]),
            np.ascontiguousarray(self.mu[:, index]),
            np.ascontiguousarray(self.var[:, index]),
        )


LOG_ZERO = -1e7
"""Stands for log 0, the limit of s -> 0: a record goes first where fewest of its values are
impossible, then where the rest is likeliest. Far below any sum of logarithms of real
probabilities, and small enough that adding it to one keeps eight digits after the point."""


def safe_log(x: Floats) -> Floats:
    """Return log x, with `LOG_ZERO` for log 0.

    Examples
    --------
    >>> safe_log(np.array([0.0, 1.0])).tolist()
    [-10000000.0, 0.0]
    """
    return np.log(x, out=np.full(x.shape, LOG_ZERO), where=x > 0)
