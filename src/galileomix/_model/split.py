"""Splits: which components come apart, and how, read from counts before any is tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from galileomix._model import categorical, gaussian
from galileomix._model.categorical import LEAST
from galileomix._model.criteria import Criterion
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.em import Fit, Records
from galileomix._model.families import maximise, own_log_likelihood
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._model.stats import Background, MoveStats, Stats

CUTS_EACH, FEW_CUTS_EACH = 6, 2
"""Cuts per component that are followed up, and of tables that cost more than `MANY_ROWS`."""
MANY_ROWS = 32_768
PRIOR_STEPS, STEPS = 4, 3
"""Steps of EM within a component, with and without a prior of `LOCAL_STRENGTH` records."""
LOCAL_STRENGTH = 2.0
MOST_COUNTED, FEWEST_COUNTED = 20_000_000, 16
"""Sums, over all values and cuts, that are taken for one model; cuts per component at least."""
MOST_PRODUCTS = 1_000_000_000
"""Products of numbers that are summed in one pass: there are fewer cuts where numbers are many."""
ROOM = 4_000_000
"""Sums that are held at once."""


@dataclass(frozen=True, eq=False)
class Split:
    """A component parted in two, and what the merit is expected to gain by it."""

    parent: int
    halves: Stats
    gain: float


def is_costly(records: Records) -> bool:
    """Whether passes cost as much as those over `MANY_ROWS` usual rows, or more."""
    return records.n_rows * records.everything.layout.cost > MANY_ROWS


def splits(records: Records, fit: Fit, criterion: Criterion) -> list[Split]:
    """Return the ways to part a component of the fit, the most promising first.

    Every value cuts a component into the records that have it and those that have not, and a
    number into those above a threshold and those below. One pass counts what is on each side;
    the gain in classification log-likelihood follows from the counts. The best few cuts of each
    component are then followed by EM within the component, all of them in the same passes. A
    cut by an attribute that is known everywhere never loses log-likelihood: what mixing two
    halves costs is what the cut attribute itself gains.
    """
    each = FEW_CUTS_EACH if is_costly(records) else CUTS_EACH
    kept = [_best_cuts(records, fit, part, each) for part in _proposals(fit)]
    kept = [candidates for candidates in kept if len(candidates.cuts)]
    if not kept:
        return []
    best = reduce(_Candidates.beside, kept).best(each)
    parent = best.cuts.parent
    halves = _follow(records, fit, parent, best.halves)
    fit.mixture.cache.clear()  # as when it was fitted
    return _ranked(records, fit, parent, halves, criterion)


def _proposals(fit: Fit) -> list[Cuts]:
    """Return the cuts worth counting, by component, in parts that fit in memory together."""
    layout, n_sums = fit.mixture.layout, fit.mixture.layout.n_sums
    products = max(1.0, float(fit.stats.weight.sum()) * layout.n_products)
    most = max(FEWEST_COUNTED, min(MOST_COUNTED // (n_sums * fit.k), int(MOST_PRODUCTS / products)))
    room = max(FEWEST_COUNTED, ROOM // n_sums)
    parts: list[Cuts] = []
    for i in range(fit.k):
        cuts = categorical.cuts(fit.stats, i, most).beside(gaussian.cuts(fit.mixture, i, most))
        if parts and len(parts[-1]) + len(cuts) <= room:
            parts[-1] = parts[-1].beside(cuts)
        else:
            parts += [
                cuts.take(np.arange(len(cuts))[a : a + room]) for a in range(0, len(cuts), room)
            ]
    return [part for part in parts if len(part)]


class _Candidates(NamedTuple):
    """Cuts of components: their two sides, columns 2c and 2c + 1, and what they gain."""

    cuts: Cuts
    halves: Stats
    gain: Floats

    def beside(self, other: _Candidates) -> _Candidates:
        """Return these and other's."""
        gain = np.concatenate([self.gain, other.gain])
        return _Candidates(self.cuts.beside(other.cuts), self.halves.beside(other.halves), gain)

    def best(self, each: int) -> _Candidates:
        """Return the best few of each component."""
        chosen = _leading(self.cuts.parent, self.gain, each)
        halves = self.halves.take(np.stack([2 * chosen, 2 * chosen + 1], axis=1).ravel())
        return _Candidates(self.cuts.take(chosen), halves, self.gain[chosen])


def _leading(parent: Ints, gain: Floats, each: int) -> Ints:
    """Return which cuts are the best few of their component.

    Cuts of equal gain part the same records, or their mirror image: one of them is enough.
    """
    keys = np.stack([parent, -gain], axis=1)
    unique, first = np.unique(keys, axis=0, return_index=True)
    rank = np.arange(len(unique)) - np.searchsorted(unique[:, 0], unique[:, 0])
    return first[rank < each]


def _best_cuts(records: Records, fit: Fit, cuts: Cuts, each: int) -> _Candidates:
    """Return the best few cuts of each component that leave records on both sides."""
    has = records.count_cuts(fit.mixture, cuts)
    rest = fit.stats.take(cuts.parent).minus(has)
    parent = records.background.within(fit.mixture, cuts.parent)
    gain = (_plain_log_likelihood(has, parent) + _plain_log_likelihood(rest, parent)).round(6)
    real = np.flatnonzero((has.weight > LEAST) & (rest.weight > LEAST))
    chosen = real[_leading(cuts.parent[real], gain[real], each)]
    halves = _interleave(has.take(chosen), rest.take(chosen))
    return _Candidates(cuts.take(chosen), halves, gain[chosen])


def _plain_log_likelihood(stats: Stats, parent: Background) -> Floats:
    """Return the classification log-likelihood of each component, wide attributes apart."""
    mixture = maximise(stats, parent)
    counts = stats.counts * categorical.narrow(stats.layout)[:, None]
    return own_log_likelihood(stats.with_counts(counts), mixture) + xlogy(
        stats.weight, stats.weight
    )


def _interleave(has: Stats, rest: Stats) -> Stats:
    both = has.beside(rest)
    c = has.k
    return both.take(np.stack([np.arange(c), np.arange(c) + c], axis=1).ravel())


def _follow(records: Records, fit: Fit, parent: Ints, halves: Stats) -> MoveStats:
    """Run EM between the two halves of every cut, within their component."""
    background = records.background.within(fit.mixture, np.repeat(parent, 2))

    def step(halves: Stats, strength: float) -> MoveStats:
        mixture = _pairwise(maximise(halves, background, strength), halves.weight)
        return records.expect_halves(fit.mixture, Halves(parent, mixture))

    for _ in range(PRIOR_STEPS):
        halves = step(halves, LOCAL_STRENGTH).stats
    for _ in range(STEPS - 1):
        halves = step(halves, 0.0).stats
    return step(halves, 0.0)


def _pairwise(mixture: Mixture, weight: Floats) -> Mixture:
    """Return the mixture with the weights of each pair summing to one."""
    pairs = weight.reshape(-1, 2)
    alpha = (pairs / pairs.sum(axis=1, keepdims=True)).ravel()
    return mixture.weighted(alpha)


def _ranked(
    records: Records, fit: Fit, parent: Ints, halves: MoveStats, criterion: Criterion
) -> list[Split]:
    """Return the splits that came out as two, each once, by what they gain."""
    pairs = halves.stats.weight.reshape(-1, 2)
    gain = criterion.split_gains(fit, parent, halves, records.background)
    found: list[Split] = []
    seen: set[tuple[int, float]] = set()
    for c in np.argsort(-gain, kind="stable"):
        key = (int(parent[c]), float(np.round(gain[c], 4)))
        if pairs[c].min() > LEAST and key not in seen:
            seen.add(key)
            found.append(
                Split(int(parent[c]), halves.stats.take([2 * c, 2 * c + 1]), float(gain[c]))
            )
    return found
