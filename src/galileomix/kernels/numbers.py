"""The numbers of a block under the components of a mixture, compiled (see `number_loops`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from galileomix.kernels import number_loops
from galileomix.kernels.tile import padded
from galileomix.model.cuts import Cuts
from galileomix.model.params import Floats, Ints, Mixture
from galileomix.table import Block


@dataclass(frozen=True, eq=False)
class _Holes:
    """Which numbers are known together: patterns (P, Q), and the pattern of each row."""

    patterns: NDArray[np.bool_]
    which: Ints


_MEMO: WeakKeyDictionary[Block, _Holes] = WeakKeyDictionary()


def _holes(block: Block) -> _Holes:
    holes = _MEMO.get(block)
    if holes is None:
        known = ~np.isnan(block.numbers)
        patterns, which = np.unique(known, axis=0, return_inverse=True)
        holes = _MEMO[block] = _Holes(patterns, which.reshape(-1).astype(np.intp))
    return holes


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
        self._numbers = block.numbers
        self._holes = _holes(block)
        self._width = padded(mixture.k) if width is None else width
        self._at = np.arange(mixture.k) if at is None else at
        self._mu, self._tables = _prepared(
            mixture, self._at.tobytes(), self._width, self._holes.patterns.tobytes()
        )

    def log_density(self) -> Floats:
        """Return the log density of every record's known numbers, (n, width), flat."""
        whiten, _, _, level = self._tables
        out = np.empty(len(self._numbers) * self._width)
        number_loops.log_density(self._numbers, self._holes.which, self._mu, whiten, level, out)
        return out

    def moments(self, shares: Floats) -> Floats:
        """Return the sums of numbers and of their products, (Q + Q Q, width)."""
        _, fill, left, _ = self._tables
        Q = self._numbers.shape[1]
        sums = np.zeros((Q + Q * Q, self._width))
        number_loops.moments(
            self._numbers, self._holes.which, self._mu, fill, left, shares, sums.reshape(-1)
        )
        return sums

    def cut_moments(
        self, block: Block, shares: Floats, rules: tuple[Ints, Cuts], active: float
    ) -> Floats:
        """Return the moments of the records that meet each rule, sorted by parent, (., c)."""
        _, fill, left, _ = self._tables
        starts, cuts = rules
        return number_loops.cut_moments(
            self._numbers,
            self._holes.which,
            (self._mu, fill, left),
            (block.weights, shares),
            (starts, cuts.attribute, cuts.value),
            block.codes.astype(np.uint32),
            active,
        ).T


# A pass asks once for every block, mostly with the same holes. A mixture is its own key.
@lru_cache(maxsize=16)
def _prepared(
    mixture: Mixture, at: bytes, width: int, patterns: bytes
) -> tuple[Floats, tuple[Floats, Floats, Floats, Floats]]:
    Q = mixture.layout.n_numeric
    place = np.frombuffer(at, np.intp)
    mu, Sigma = np.zeros((Q, width)), np.zeros((Q, Q, width))
    mu[:, place], Sigma[:, :, place] = mixture.mu, mixture.Sigma
    known = np.frombuffer(patterns, np.bool_).reshape(-1, Q)
    return mu.ravel(), number_loops.prepare(Sigma, known)
