"""The predictive: mixtures of several sizes together, weighted by how well each predicts.

The size that describes a table best is not the one that predicts best. Here the sizes of the path,
and a few larger ones that growth adds, are mixed: each is smoothed by as many records' worth of the
background, and given the weight, for which records are likeliest that it has not seen. A record is
left out of the mixtures in a few passes (see `weighing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.left_out import Part, Shrinkage
from galileomix._fitted.weighing import Judged, Weighed, in_folds, one_by_one
from galileomix._model.criteria import InformationCriterion
from galileomix._model.em import Fit, Stop, em
from galileomix._model.families import smoothed
from galileomix._model.grow import parted
from galileomix._model.params import Floats, Mixture
from galileomix._model.split import Split, is_costly, splits
from galileomix._model.stats import TINY, Background
from galileomix._passes.records import BlockRecords, SampledRecords
from galileomix._table import Block, concatenate, sample

JUDGED = 2_048
"""The most records by which sizes are weighed."""
LARGE = 65_536
"""Rows beyond which larger sizes are grown in a sample of as many."""
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Sizes of the path that are weighed, or the nearest ones; the chosen and the largest are too."""
STRENGTHS = tuple(2.0**power for power in range(-4, 6))
"""By how many records' worth of the background mixtures may be smoothed."""
GROWN = Stop(tol=1e-4, max_iter=30)
GROWN_STRENGTH = 0.5
WORTH = 0.7
"""The share of AIC's price of a component that a split has to gain to be made."""
GROWTH, MOST_GROWN, FEW_GROWN, IN_VAIN = 0.5, 12, 3, 2
"""By what share a size grows at most, how often, also where passes are costly, and how often
without a better prediction."""
GAINED = 1e-4
"""What counts as better, as a share of the log-likelihood."""
LEAST_WEIGHT = 0.01
"""Sizes of less weight are left out."""
STEPS, TOL = 500, 1e-6


@dataclass(frozen=True)
class Share:
    """What one size is in the predictive."""

    weight: float
    strength: float  # by how many records' worth of the background it is smoothed


@dataclass(frozen=True, eq=False)
class Predictive:
    """Which sizes predict together, and the mixtures of those that are not on the path."""

    shares: Mapping[int, Share]
    beyond: Mapping[int, Mixture]

    def parts(
        self, mixtures: Mapping[int, Mixture], background: Background, N: float
    ) -> list[Part]:
        """Return the mixtures of all sizes, in which nothing is impossible."""
        every = {**self.beyond, **mixtures}
        return [
            Part(smoothed(every[k], background, N, one.strength), one.strength, one.weight)
            for k, one in self.shares.items()
        ]


def predictive_of(
    mixtures: Mapping[int, Mixture], chosen: int, records: BlockRecords, grows: bool
) -> Predictive | None:
    """Return how sizes predict together; None where there is but one record."""
    N = records.N
    if N < 2.0:
        return None
    judged = _judged(records, fits=grows).beside(mixtures[min(mixtures)], N)
    weighed = weigh(mixtures, chosen, judged, N)
    if grows:
        largest = mixtures[max(mixtures)]
        weighed |= dict(_grown(largest, records, judged, weighed))
    shares = shares_of(weighed, judged, N)
    beyond = {k: weighed[k].mixture for k in shares if k not in mixtures}
    return Predictive(shares, beyond)


def _judged(records: BlockRecords, fits: bool) -> Judged:
    """Return the records by which sizes are weighed; few are left out by fits, if there is time."""
    n, background = records.n_rows, records.background
    some = concatenate(sample(records.total, min(JUDGED, n), n))
    if fits and n <= JUDGED:
        return in_folds(some, background, STRENGTHS, records.before_pass)
    G = background.G
    return one_by_one(some, background, Shrinkage(records.N, G, G, 1.0, 1.0), STRENGTHS)


def weigh(
    mixtures: Mapping[int, Mixture], chosen: int, judged: Judged, N: float
) -> dict[int, Weighed]:
    """Return the sizes of a path that are weighed, each with the strength that suits it."""
    return {k: Weighed.of(mixtures[k], judged, N) for k in _sizes(list(mixtures), chosen)}


def shares_of(weighed: Mapping[int, Weighed], judged: Judged, N: float) -> dict[int, Share]:
    """Return what each size is among those that predict together; N is that of all records."""
    weights = _weights(np.stack([one.scores for one in weighed.values()], axis=1), judged.records)
    kept = np.flatnonzero(weights >= LEAST_WEIGHT * weights.max())
    weights = weights / weights[kept].sum()
    sizes = list(weighed)
    return {
        sizes[i]: Share(
            float(weights[i]),
            weighed[sizes[i]].strength * N / weighed[sizes[i]].N,
        )
        for i in kept.tolist()
    }


def _grown(
    largest: Mixture, records: BlockRecords, judged: Judged, weighed: Mapping[int, Weighed]
) -> Iterator[tuple[int, Weighed]]:
    """Yield larger mixtures, until they predict no better."""
    if records.n_rows > LARGE:
        records = SampledRecords(records, sample(records.total, LARGE, records.n_rows))
    N, criterion = records.N, InformationCriterion("aic", records.N)
    best = max(one.mean for one in weighed.values())
    fit, in_vain = em(records, largest, GROWN_STRENGTH, GROWN), 0
    for _ in range(FEW_GROWN if is_costly(records) else MOST_GROWN):
        found = _paying(splits(records, fit, criterion), fit, criterion)
        if not found or in_vain == IN_VAIN:
            return
        fit = em(records, parted(fit.stats, found), GROWN_STRENGTH, GROWN)
        one = Weighed.of(fit.mixture, judged, N)
        in_vain = 0 if one.mean > best + GAINED * abs(best) else in_vain + 1
        best = max(best, one.mean)
        if fit.k not in weighed:
            yield fit.k, one


def _paying(found: Sequence[Split], fit: Fit, criterion: InformationCriterion) -> list[Split]:
    """Return the best splits of different components, as many as a size may grow by."""
    price = WORTH * criterion.price(fit.mixture.layout)
    by_parent: dict[int, Split] = {}
    for split in sorted(found, key=lambda split: -split.gain):
        if split.gain > price:
            by_parent.setdefault(split.parent, split)
    return list(by_parent.values())[: max(1, int(GROWTH * fit.k))]


def _sizes(sizes: Sequence[int], chosen: int) -> list[int]:
    """Return the sizes to weigh, the smallest first.

    >>> _sizes([1, 2, 3, 4, 5, 6, 7], 5)
    [1, 2, 4, 5, 7]
    """
    nearest = {min(sizes, key=lambda k: abs(k - size)) for size in SIZES if size <= max(sizes)}
    return sorted(nearest | {chosen, max(sizes)})


def _weights(scores: Floats, records: Block) -> Floats:
    """Return the weights of sizes for which records are likeliest, (number of sizes,)."""
    share = records.weights / records.weights.sum()
    weights = np.full(scores.shape[1], 1.0 / scores.shape[1])
    likelihood = np.exp(scores - scores.max(axis=1, keepdims=True))
    for _ in range(STEPS):
        joint = likelihood * weights
        total = np.maximum(joint.sum(axis=1, keepdims=True), TINY)
        last, weights = weights, share @ (joint / total)
        if np.abs(weights - last).max() < TOL:
            break
    return weights
