"""Growth: from few components to about as many as pay, many at a time.

Every component whose best split pays its price is split in the same step. EM with a prior follows,
and pairs that cost less than a component's price are merged again. A handful of steps comes near to
the best size, whatever that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.merge import disjoint, join, merges
from galileomix._model.split import Split, splits
from galileomix._model.stats import Stats

STRENGTHS = (2.0, 0.5)
"""Of the prior: a strong one sees large structure first, a weak one small clusters too. Which of
the two leads to the better model differs from table to table."""
ROUGH = Stop(tol=1e-4, max_iter=30)
WORTH = 1 / 3
"""The share of a component's price that the best split must promise, where none pays."""
LEAST_GAIN = 1e-6
"""Of the criterion: splits and merges that undo each other creep ahead by less, for ever."""
AHEAD, AHEAD_BY_ONE = 2, 8
"""Steps without a better model after which growth ends: of all splits that pay, or of the best."""
STILL = 20
"""Better models in a row that have no component more: EM goes on between splits and merges."""


@dataclass(frozen=True)
class Limits:
    """How many components there may be, and how many there have to be, if that is given."""

    most: int
    wanted: int | None = None


def grow(
    records: Records, start: Fit, criterion: Criterion, limits: Limits, s: float
) -> Iterator[Fit]:
    """Yield models with a prior of strength s, each better than the one before, as they are found.

    ::

        repeat
            split every component that gains its price by it; else the best, if it gains a third
            EM with a prior
            merge pairs that cost less than their price; EM again
        until nothing pays, or nothing is better for a while, or it stays at a size
    """
    best = fit = start
    ahead = still = 0
    while still < STILL:
        found = _chosen(splits(records, fit, criterion), fit, criterion, limits)
        if not found or ahead >= (AHEAD if len(found) > 1 else AHEAD_BY_ONE):
            return
        fit = em(records, parted(fit.stats, found), s, ROUGH)
        if limits.wanted is None and len(found) > 1:
            fit = _merged(records, fit, criterion, s)
        if _is_better(fit, best, criterion, limits):
            still = still + 1 if fit.k == best.k else 0
            best, ahead = fit, 0
            yield best
        else:
            ahead += 1


def _chosen(found: list[Split], fit: Fit, criterion: Criterion, limits: Limits) -> list[Split]:
    """Return the best split of every component that pays, or the best of all."""
    by_parent: dict[int, Split] = {}
    for split in found:
        by_parent.setdefault(split.parent, split)
    best = sorted(by_parent.values(), key=lambda split: -split.gain)
    if limits.wanted is not None:
        return best[: max(limits.wanted - fit.k, 0)]
    price = criterion.price(fit.mixture.layout)
    room = limits.most - fit.k
    paying = [split for split in best if split.gain >= price][:room]
    if paying or not best or room < 1 or best[0].gain < WORTH * price:
        return paying
    return best[:1]


def _is_better(fit: Fit, best: Fit, criterion: Criterion, limits: Limits) -> bool:
    if limits.wanted is not None:
        return fit.k > best.k
    least = LEAST_GAIN * max(abs(criterion.loss(best)), 1.0)
    return criterion.loss(fit) < criterion.loss(best) - least


def _merged(records: Records, fit: Fit, criterion: Criterion, s: float) -> Fit:
    """Return the model with pairs joined that cost less than they pay, each component once."""
    price = criterion.price(fit.mixture.layout)
    found = disjoint(merge for merge in merges(records, fit, criterion) if merge.cost < price)
    return em(records, join(fit.stats, *found), s, ROUGH) if found else fit


def parted(stats: Stats, found: list[Split]) -> Stats:
    """Return the statistics with components parted in two; the parts come last."""
    rest = stats.without([split.parent for split in found])
    for split in found:
        rest = rest.beside(split.halves)
    return rest
