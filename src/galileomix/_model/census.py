"""All records counted once, before there is any mixture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from galileomix._model.gaussian import FLAT
from galileomix._model.params import Floats, Layout
from galileomix._model.stats import TINY, Stats


@dataclass(frozen=True, eq=False)
class Census:
    """Sums over records that need no model to be known; ``+`` joins two sets of records.

    The last three, (Q, Q), are over the records where numbers q and r are both known.
    """

    layout: Layout
    n_rows: int  # whatever they weigh
    counts: Floats  # (V + 1,) how often each value occurs; then the weight of all records
    known: Floats  # the weight of the records
    cross: Floats  # the sum of q
    product: Floats  # the sum of q times r

    def __add__(self, other: Census) -> Census:
        names = ("n_rows", "counts", "known", "cross", "product")
        return Census(self.layout, *(getattr(self, name) + getattr(other, name) for name in names))

    def stats(self) -> Stats:
        """Return the statistics of all records as one component.

        A missing number counts as one with the mean and the variance of those known. The layout
        of the statistics says which numbers are constant.
        """
        N, seen = self.counts[-1], np.diag(self.known)
        mean = np.diag(self.cross) / np.maximum(seen, TINY)
        square = np.diag(self.product) / np.maximum(seen, TINY)
        only = np.diag(self.cross)[:, None] - self.cross  # q known, r not
        neither = N - seen[:, None] - seen[None] + self.known
        product = self.product + only * mean + (only * mean).T + neither * np.outer(mean, mean)
        np.fill_diagonal(product, np.diag(self.product) + (N - seen) * square)
        products = np.diag(product) if self.layout.diagonal else product.ravel()
        sums = np.concatenate([self.counts, N * mean, products])
        constant = np.flatnonzero(square - mean**2 <= FLAT).tolist()
        return Stats(replace(self.layout, constant=tuple(constant)), sums[:, None], 0.0)
