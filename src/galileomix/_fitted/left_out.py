"""What components say of the records they were fitted to when each is left out of them.

A record is likelier under the components it helped to make. Taking its own share out of the
counts costs one pass, where fitting again without it would cost a fit for every record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.rowwise import responsibilities
from galileomix._kernels import KERNEL
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import TINY
from galileomix._table import Block

NEARLY_ALL = 1.0 - 1e-6
"""The most that one record may make of a component, or of its variance."""
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Shrinkage:
    """What components are shrunk towards: their class, itself shrunk towards all records.

    Where there are no classes that is all records.
    """

    N: float  # the records of the class
    p: Floats  # (V, 1) its distributions, shrunk by `s_all` records towards G
    G: Floats  # (V, 1) those of all records
    s_all: float  # by how many records the class is shrunk
    s_class: float  # and a component of it

    @property
    def has_classes(self) -> bool:
        """Whether the class is not all records."""
        return self.p is not self.G


@dataclass(frozen=True, eq=False)
class Part:
    """One of the mixtures that judge together."""

    mixture: Mixture  # in which nothing is impossible
    strength: float  # by how many records' worth of the background it is smoothed
    weight: float = 1.0


class LeftOut:
    """The rows of a block under the components of a mixture, each row left out of them.

    Of a row that stands for several, one is left out.
    """

    def __init__(self, block: Block, mixture: Mixture, shrinkage: Shrinkage) -> None:
        self._block, self._mixture, self._shrinkage = block, mixture, shrinkage
        self._gone = np.minimum(block.weights, 1.0)[:, None]
        self._held = shrinkage.N * mixture.alpha
        shares = self._gone * responsibilities(block, mixture)
        self._shares = np.minimum(shares, NEARLY_ALL * self._held)

    def log_joint(self) -> Floats:
        """Return log N_i Pr(x_a | C_i), (n, k)."""
        joint = np.log(np.maximum(self._held - self._shares, TINY)) + self._numbers()
        for m in range(self._mixture.layout.n_categorical):
            joint += self.log_p(m)
        return joint

    def log_p(self, m: int) -> Floats:
        """Return the log probabilities of one category, (n, k); 0 where it is missing."""
        layout, shrinkage = self._mixture.layout, self._shrinkage
        s_all, s_class = shrinkage.s_all, shrinkage.s_class
        first, size = layout.offsets[m], layout.cardinalities[m]
        result = np.zeros_like(self._shares)
        rows = np.flatnonzero(self._block.codes[:, m] < size)
        v = first + self._block.codes[rows, m].astype(np.intp)
        out, share = self._gone[rows], self._shares[rows]
        of_class = (shrinkage.N + s_all) * shrinkage.p[v] - out
        middle = np.maximum(of_class, s_all * shrinkage.G[v]) / (shrinkage.N + s_all - out)
        counts = (self._held + s_class) * self._mixture.p[v] - s_class * shrinkage.p[v] - share
        counts = np.maximum(counts, 0.0) + s_class * middle
        result[rows] = np.log(np.maximum(counts / (self._held + s_class - share), TINY))
        if shrinkage.has_classes:
            return result
        # Without the one record that has it nobody has seen the value.
        only = rows[(shrinkage.N * shrinkage.G[v] - out)[:, 0] <= ROUNDING]
        result[only] = -np.log(shrinkage.N + 1.0)
        return result

    def _numbers(self) -> Floats:
        """Take each row out of mean and covariance: Sherman and Morrison's formula."""
        if not self._mixture.layout.n_numeric:
            return np.zeros_like(self._shares)
        shares, held = self._shares, self._held
        total, left = held + self._shrinkage.s_class, held - shares
        squares, log_det = KERNEL.distances(self._block, self._mixture)
        most = NEARLY_ALL / np.maximum(squares, TINY)
        rest = 1.0 - np.minimum(shares * held / left / total, most) * squares
        n_known = (~np.isnan(self._block.numbers)).sum(axis=1)[:, None]
        log_det += n_known * np.log(total / (total - shares)) + np.log(rest)
        squares *= (held / left) ** 2 * (total - shares) / total / rest
        return -0.5 * (squares + log_det)


def together(block: Block, parts: Sequence[Part], N: float, G: Floats) -> list[LeftOut]:
    """Return the rows of a block, left out of every part."""
    return [LeftOut(block, part.mixture, Shrinkage(N, G, G, 1.0, part.strength)) for part in parts]
