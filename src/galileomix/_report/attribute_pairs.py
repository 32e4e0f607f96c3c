"""Which attributes carry the same information, as a matrix of those that tell most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.dependence import of_pair, side_by_side
from galileomix._fitted.fitted_model import FittedModel
from galileomix._table import Numeric

MOST_ATTRIBUTES = 30
MOST_WORK = 2_000
"""Pairs of numbers times components: those are computed by quadrature."""


@dataclass(frozen=True)
class AttributePairs:
    """The dependence of attributes, row by row; those that depend on each other are neighbours."""

    attributes: list[int]  # positions among those of the page
    shares: list[list[int]]  # of what they could share, in hundredths
    information: list[list[float]]  # that they share, in nats


def attribute_pairs(
    model: FittedModel, attributes: Sequence[int], separates: Sequence[int]
) -> AttributePairs:
    """Return how dependent the attributes are that separate the clusters best."""
    best = sorted(range(len(attributes)), key=lambda n: -separates[n])[: _most(model, attributes)]
    chosen = np.sort(best)
    found = np.zeros((2, len(chosen), len(chosen)))
    for i, n in enumerate(chosen):
        for j in range(i):
            pair = attributes[n], attributes[chosen[j]]
            found[:, i, j] = found[:, j, i] = of_pair(model, *pair)
    order = side_by_side(found[1])
    information, shares = found[:, order][:, :, order]
    np.fill_diagonal(shares, 1.0)
    hundredths = np.rint(100 * shares).astype(int).tolist()
    return AttributePairs(chosen[order].tolist(), hundredths, information.round(4).tolist())


def _most(model: FittedModel, attributes: Sequence[int]) -> int:
    """Return how many attributes there is time for."""
    if not any(isinstance(model.schema.attributes[a], Numeric) for a in attributes):
        return MOST_ATTRIBUTES
    return min(MOST_ATTRIBUTES, max(2, int(np.sqrt(2.0 * MOST_WORK / model.k))))
