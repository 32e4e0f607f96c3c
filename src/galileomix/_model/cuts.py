"""Cuts: ways to part one component in two, and the statistics they are judged by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._model.params import Floats, Ints, Mixture


@dataclass(frozen=True, eq=False)
class Cuts:
    """Rules, each parting the records of one component into those that meet it and the rest."""

    parent: Ints  # (c,) the component that each rule parts
    attribute: Ints  # (c,) categorical attribute m; M + q: numeric q; M + Q + m: the ranks of m
    value: Floats  # (c,) the code it must have, the number to exceed, the rank not to exceed

    def __len__(self) -> int:
        """Return the number of rules."""
        return len(self.parent)

    def beside(self, other: Cuts) -> Cuts:
        """Return these rules and other's."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Cuts(*(np.concatenate(pair) for pair in pairs))

    def take(self, index: Ints) -> Cuts:
        """Return some of the rules."""
        return Cuts(self.parent[index], self.attribute[index], self.value[index])


@dataclass(frozen=True, eq=False)
class Halves:
    """Pairs of components, each pair within one parent: columns 2c and 2c + 1 are pair c."""

    parent: Ints
    mixture: Mixture

    def take(self, pairs: Ints) -> Halves:
        """Return some of the pairs."""
        columns = np.stack([2 * pairs, 2 * pairs + 1], axis=1).ravel()
        return Halves(self.parent[pairs], self.mixture.take(columns))
