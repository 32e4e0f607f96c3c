"""The numbers of a block under the components of a mixture, compiled (see `gaussian_loops`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from galileomix._kernels.gaussian import gaussian_loops
from galileomix._kernels.gaussian.gaussian_loops import Gaussians, Patterns
from galileomix._kernels.loops import Cells, Flat, Rules
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Block


class Numbers:
    """The numbers of one block under the Gaussians of a mixture.

    ``at`` is where each component stands in a row, ``width`` how wide a row is.
    """

    def __init__(self, block: Block, mixture: Mixture, at: Ints | slice, width: int) -> None:
        self._block = block
        self._width = width
        self._patterns = _patterns(block)
        Q = mixture.layout.n_numeric
        mu, Sigma = np.zeros((Q, width)), np.zeros((Q, Q, width))
        mu[:, at], Sigma[:, :, at] = mixture.mu, mixture.Sigma
        self._gaussians = Gaussians(mu.ravel(), Sigma.ravel(), mixture.layout.diagonal)

    def log_density(self) -> Floats:
        """Return the log density of every record's known numbers, (n, width), flat."""
        out = np.empty(len(self._block) * self._width)
        gaussian_loops.log_density(self._block.numbers, self._patterns, self._gaussians, out)
        return out

    def moments(self, shares: Flat) -> Floats:
        """Return the sums of numbers and of their products, (Q + Q Q, width)."""
        numbers, shares = self._block.numbers, shares.astype(np.float64, copy=False)
        Q = numbers.shape[1]
        sums = np.zeros((Q + Q * Q, self._width))
        gaussian_loops.moments(numbers, self._patterns, self._gaussians, shares, sums.reshape(-1))
        return sums

    def cut_moments(self, cells: Cells, rules: Rules, shares: Flat) -> Floats:
        """Return the moments of the records that meet each rule, (Q + Q Q, c)."""
        return gaussian_loops.cut_moments(
            cells, self._block.weights, self._patterns, self._gaussians, rules, shares
        ).T


def _patterns(block: Block) -> Patterns:
    """Return which numbers are missing together; kept with the block."""
    found = block.cache.get(Patterns)
    if found is None:
        found = block.cache[Patterns] = _sorted_out(~np.isnan(block.numbers))
    return found


def _sorted_out(known: NDArray[np.bool_]) -> Patterns:
    n, Q = known.shape
    if known.all():
        return Patterns(np.ones((1, Q), np.bool_), np.arange(n), np.array([0, n]))
    # Rows as bytes, eight numbers to each: what knows the same numbers is equal.
    packed = np.packbits(known, axis=1)
    keys = packed.view(f"V{packed.shape[1]}").reshape(-1)
    _, first, which, rows = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(which.reshape(-1), kind="stable")
    return Patterns(known[first], order, np.concatenate([[0], np.cumsum(rows)]))
