"""Merges: which two components cost least to join, read from counts alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records
from galileomix._model.families import maximise
from galileomix._model.stats import Stats


@dataclass(frozen=True)
class Merge:
    """Two components to join, and what the merit is expected to lose by it."""

    first: int
    second: int
    cost: float


def merges(records: Records, fit: Fit, criterion: Criterion) -> list[Merge]:
    """Return all pairs of components, the cheapest to join first."""
    stats = fit.stats
    alone = criterion.parts(stats, maximise(stats, records.background))
    found: list[Merge] = []
    for i in range(fit.k - 1):
        rest = np.arange(i + 1, fit.k)
        joined = stats.take(np.full(len(rest), i)) + stats.take(rest)
        together = criterion.parts(joined, maximise(joined, records.background))
        cost = alone[i] + alone[rest] - together
        found += [Merge(i, int(j), float(c)) for j, c in zip(rest, cost, strict=True)]
    return sorted(found, key=lambda merge: merge.cost)


def join(stats: Stats, merge: Merge) -> Stats:
    """Return the statistics with two components joined; the joined one comes last."""
    pair = [merge.first, merge.second]
    return stats.without(pair).beside(stats.take(pair).merged())
