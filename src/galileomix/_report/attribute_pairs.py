"""Which attributes carry the same information, as a matrix of those that tell most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.dependence import share_of_pair
from galileomix._fitted.fitted_model import FittedModel
from galileomix._table import Numeric

MOST_ATTRIBUTES = 30
MOST_WORK = 2_000
"""Pairs of numbers times components: those are computed by quadrature."""


@dataclass(frozen=True)
class AttributePairs:
    """The dependence of attributes, in hundredths, row by row."""

    attributes: list[int]  # positions among those of the page
    shares: list[list[int]]


def attribute_pairs(
    model: FittedModel, attributes: Sequence[int], separates: Sequence[int]
) -> AttributePairs:
    """Return how dependent the attributes are that separate the clusters best."""
    best = sorted(range(len(attributes)), key=lambda n: -separates[n])[: _most(model, attributes)]
    chosen = sorted(best)
    shares = np.zeros((len(chosen), len(chosen)))
    for i, n in enumerate(chosen):
        for j in range(i):
            pair = attributes[n], attributes[chosen[j]]
            shares[i, j] = shares[j, i] = share_of_pair(model, *pair)
    np.fill_diagonal(shares, 1.0)
    return AttributePairs(chosen, np.rint(100 * shares).astype(int).tolist())


def _most(model: FittedModel, attributes: Sequence[int]) -> int:
    """Return how many attributes there is time for."""
    if not any(isinstance(model.schema.attributes[a], Numeric) for a in attributes):
        return MOST_ATTRIBUTES
    return min(MOST_ATTRIBUTES, max(2, int(np.sqrt(2.0 * MOST_WORK / model.k))))
