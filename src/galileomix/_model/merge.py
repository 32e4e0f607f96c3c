"""Merges: which two components cost least to join, read from counts alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records
from galileomix._model.families import maximise
from galileomix._model.params import Floats
from galileomix._model.stats import Stats


@dataclass(frozen=True)
class Merge:
    """Two components to join, and what the merit is expected to lose by it."""

    first: int
    second: int
    cost: float


def merges(
    records: Records, fit: Fit, criterion: Criterion, most: int | None = None
) -> list[Merge]:
    """Return pairs of components, the cheapest to join first: all of them, or so many."""
    first, second = np.triu_indices(fit.k, 1)
    cost = merge_costs(records, fit, criterion)[first, second]
    order = np.argsort(cost, kind="stable")[:most]
    pairs = zip(first[order].tolist(), second[order].tolist(), cost[order].tolist(), strict=True)
    return [Merge(*pair) for pair in pairs]


def merge_costs(records: Records, fit: Fit, criterion: Criterion) -> Floats:
    """Return what it costs to join any two components, (k, k); one with itself is infinite."""
    stats, cost = fit.stats, np.full((fit.k, fit.k), np.inf)
    alone = criterion.parts(stats, maximise(stats, records.background))
    for i in range(fit.k - 1):
        rest = np.arange(i + 1, fit.k)
        joined = stats.take(np.full(len(rest), i)) + stats.take(rest)
        together = criterion.parts(joined, maximise(joined, records.background))
        cost[i, rest] = cost[rest, i] = alone[i] + alone[rest] - together
    return cost


def disjoint(found: Iterable[Merge], most: int | None = None) -> list[Merge]:
    """Return the first merges that have no component in common: all of them, or so many."""
    joined: set[int] = set()
    chosen: list[Merge] = []
    for merge in found:
        if joined.isdisjoint((merge.first, merge.second)) and len(chosen) != most:
            joined.update((merge.first, merge.second))
            chosen.append(merge)
    return chosen


def join(stats: Stats, *found: Merge) -> Stats:
    """Return the statistics with pairs of components joined; what is joined comes last."""
    pairs = [[merge.first, merge.second] for merge in found]
    rest = stats.without(sorted(i for pair in pairs for i in pair))
    for pair in pairs:
        rest = rest.beside(stats.take(pair).merged())
    return rest
