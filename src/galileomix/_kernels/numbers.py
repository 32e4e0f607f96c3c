"""The numbers of a block under the components of a mixture, compiled (see `number_loops`)."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from galileomix._kernels import number_loops
from galileomix._kernels.tile import padded
from galileomix._model.cuts import Cuts
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Block

Holes = tuple[NDArray[np.bool_], Ints, Ints]
"""Which numbers are known together, (P, Q); the rows by their pattern; where each one begins."""

_MEMO: WeakKeyDictionary[Block, Holes] = WeakKeyDictionary()


def _holes(block: Block) -> Holes:
    holes = _MEMO.get(block)
    if holes is None:
        holes = _MEMO[block] = _found(~np.isnan(block.numbers))
    return holes


def _found(known: NDArray[np.bool_]) -> Holes:
    n, Q = known.shape
    if known.all():
        return np.ones((1, Q), np.bool_), np.arange(n), np.array([0, n])
    # Rows as bytes, eight numbers to each: what knows the same numbers is equal.
    packed = np.packbits(known, axis=1)
    keys = packed.view(f"V{packed.shape[1]}").reshape(-1)
    _, first, which, rows = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(which.reshape(-1), kind="stable")
    return known[first], order, np.concatenate([[0], np.cumsum(rows)])


class Gaussians:
    """The numbers of one block under the Gaussians of a mixture.

    Parameters
    ----------
    block : Block
    mixture : Mixture
    at : ndarray of int, optional
        Where each component stands in a row, in order from 0 where left out.
    width : int, optional
        How wide a row is.
    """

    def __init__(
        self, block: Block, mixture: Mixture, at: Ints | None = None, width: int | None = None
    ) -> None:
        self._block = block
        self._holes = _holes(block)
        self._width = padded(mixture.k) if width is None else width
        place = np.arange(mixture.k) if at is None else at
        Q = mixture.layout.n_numeric
        mu, Sigma = np.zeros((Q, self._width)), np.zeros((Q, Q, self._width))
        mu[:, place], Sigma[:, :, place] = mixture.mu, mixture.Sigma
        self._gaussians = mu.ravel(), Sigma.ravel(), mixture.layout.diagonal

    def log_density(self) -> Floats:
        """Return the log density of every record's known numbers, (n, width), flat."""
        out = np.empty(len(self._block) * self._width)
        number_loops.log_density(self._block.numbers, self._holes, self._gaussians, out)
        return out

    def moments(self, shares: Floats) -> Floats:
        """Return the sums of numbers and of their products, (Q + Q Q, width)."""
        Q = self._block.numbers.shape[1]
        sums = np.zeros((Q + Q * Q, self._width))
        number_loops.moments(
            self._block.numbers, self._holes, self._gaussians, shares, sums.reshape(-1)
        )
        return sums

    def cut_moments(self, shares: Floats, starts: Ints, cuts: Cuts, active: float) -> Floats:
        """Return the moments of the records that meet each rule, sorted by parent, (., c)."""
        return number_loops.cut_moments(
            self._block.numbers,
            self._holes,
            self._gaussians,
            (self._block.weights, shares),
            (starts, cuts.attribute, cuts.value),
            self._block.codes.astype(np.uint32),
            active,
        ).T
