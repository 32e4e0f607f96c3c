"""Splits: which components come apart, and how, read from counts before any is tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import xlogy

from galileomix.model.choose import Criterion, own_log_likelihood
from galileomix.model.cuts import Cuts, HalfStats, Halves
from galileomix.model.em import Fit, Records, maximise
from galileomix.model.params import Floats, Ints, Layout, Mixture
from galileomix.model.stats import Background, Stats

WIDE = 256
"""Attributes of more values take no part in the search for cuts; they do in everything else."""
CUTS_EACH = 6
"""Cuts per component that are followed up."""
PRIOR_STEPS, STEPS = 4, 3
"""Steps of EM within a component, with and without a prior of `LOCAL_STRENGTH` records."""
LOCAL_STRENGTH = 2.0


class SplittingRecords(Records, Protocol):
    """Records that can also count within components."""

    def pair_counts(self, mixture: Mixture, wide: int) -> Floats:
        """Count pairs of values within each component, (k, V, V)."""
        ...

    def count_cuts(self, mixture: Mixture, cuts: Cuts) -> Stats:
        """Count the records that meet each cut within its component."""
        ...

    def expect_halves(self, mixture: Mixture, halves: Halves) -> HalfStats:
        """E-step within each parent, between the two of each pair."""
        ...


@dataclass(frozen=True, eq=False)
class Split:
    """A component parted in two, and what the merit is expected to gain by it."""

    parent: int
    halves: Stats
    gain: float


def splits(records: SplittingRecords, fit: Fit, criterion: Criterion) -> list[Split]:
    """Return the ways to part a component of the fit, the most promising first.

    Every value cuts a component into the records that have it and those that have not. The
    gain in classification log-likelihood of all these cuts is read from one pass that counts
    pairs; the best few of each component are then followed by EM within the component, all of
    them in the same passes. A cut by an attribute that is known everywhere never loses
    log-likelihood: what mixing two halves costs is what the cut attribute itself gains.
    """
    proposed = _proposals(records, fit)
    if len(proposed) == 0:
        return []
    has = records.count_cuts(fit.mixture, proposed)
    rest = fit.stats.take(proposed.parent).minus(has)
    proposed, has, rest = _best_cuts(proposed, has, rest)
    if len(proposed) == 0:
        return []
    halves = _follow(records, fit, proposed.parent, _interleave(has, rest))
    return _ranked(fit, proposed.parent, halves, criterion)


def _proposals(records: SplittingRecords, fit: Fit) -> Cuts:
    """Return the best categorical cuts of each component, and thresholds on every number."""
    layout = fit.mixture.layout
    parts = [_thresholds(fit, layout)]
    if layout.n_categorical:
        pairs = records.pair_counts(fit.mixture, WIDE)
        parts += [_value_cuts(pairs[i], i, layout) for i in range(fit.k)]
    return Cuts(
        np.concatenate([each.parent for each in parts]),
        np.concatenate([each.attribute for each in parts]),
        np.concatenate([each.value for each in parts]),
    )


def _value_cuts(pairs: Floats, i: int, layout: Layout) -> Cuts:
    """Return the cuts of component i that gain most by counts alone."""
    n = np.diag(pairs)
    size = layout.per_attribute(n).max()
    has, rest = pairs, n - pairs
    # Within each side an attribute's counts are shares of the records where it is known.
    of_has, of_rest = layout.per_attribute(has.T), layout.per_attribute(rest.T)
    gain = (
        (_x_log_x(has) + _x_log_x(rest)).sum(axis=1)
        - (_x_log_x(of_has) + _x_log_x(of_rest)).sum(axis=0)
        + _x_log_x(n)
        + _x_log_x(size - n)
    )
    possible = np.flatnonzero((n > LEAST) & (size - n > LEAST))
    order = possible[np.argsort(-gain[possible], kind="stable")]
    # Of an attribute with two values each cut is the other's mirror image: keep one.
    _, first = np.unique(-gain[order].round(6), return_index=True)
    top = order[first[:CUTS_EACH]]
    attribute = layout.attribute_of_value[top]
    value = (top - layout.offsets[attribute]).astype(float)
    return Cuts(np.full(len(top), i), attribute, value)


def _x_log_x(x: Floats) -> Floats:
    x = np.maximum(x, 0.0)
    return xlogy(x, x)


LEAST = 1e-3
"""Records on each side below which a cut is none."""


def _thresholds(fit: Fit, layout: Layout) -> Cuts:
    """Return cuts of every number at its mean and 0.7 standard deviations to each side."""
    mixture = fit.mixture
    sides = np.array([0.0, -0.7, 0.7])
    value = mixture.mu[:, :, None] + np.sqrt(mixture.var)[:, :, None] * sides
    attribute, parent, _ = np.indices(value.shape)
    return Cuts(parent.ravel(), layout.n_categorical + attribute.ravel(), value.ravel())


def _best_cuts(cuts: Cuts, has: Stats, rest: Stats) -> tuple[Cuts, Stats, Stats]:
    """Return the cuts that leave records on both sides, the best of each component, in order.

    Cuts of equal gain part the same records, or their mirror image: one of them is enough.
    """
    gain = (_plain_log_likelihood(has) + _plain_log_likelihood(rest)).round(6)
    real = np.flatnonzero((has.weight > LEAST) & (rest.weight > LEAST))
    keys = np.stack([cuts.parent[real], -gain[real]], axis=1)
    unique, first = np.unique(keys, axis=0, return_index=True)
    rank = np.arange(len(unique)) - np.searchsorted(unique[:, 0], unique[:, 0])
    chosen = real[first[rank < CUTS_EACH]]
    return cuts.take(chosen), has.take(chosen), rest.take(chosen)


def _plain_log_likelihood(stats: Stats) -> Floats:
    mixture = maximise(stats, Background.of(stats))
    return own_log_likelihood(stats, mixture) + xlogy(stats.weight, stats.weight)


def _interleave(has: Stats, rest: Stats) -> Stats:
    both = has.beside(rest)
    c = has.k
    return both.take(np.stack([np.arange(c), np.arange(c) + c], axis=1).ravel())


def _follow(records: SplittingRecords, fit: Fit, parent: Ints, halves: Stats) -> HalfStats:
    """Run EM between the two halves of every cut, within their component."""
    background = Background.of(fit.stats.take(np.repeat(parent, 2)))

    def step(halves: Stats, strength: float) -> HalfStats:
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
    return Mixture(mixture.layout, alpha, mixture.p, mixture.mu, mixture.var)


def _ranked(fit: Fit, parent: Ints, halves: HalfStats, criterion: Criterion) -> list[Split]:
    """Return the splits that came out as two, each once, by what they gain."""
    pairs = halves.stats.weight.reshape(-1, 2)
    if criterion.name == "density":
        background = Background.of(halves.stats)
        after = criterion.parts(halves.stats, maximise(halves.stats, background))
        before = criterion.parts(fit.stats, fit.mixture)[parent]
        gain = after.reshape(-1, 2).sum(axis=1) - before
    else:
        gain = halves.log_likelihoods - own_log_likelihood(fit.stats, fit.mixture)[parent]
    found: list[Split] = []
    seen: set[tuple[int, float]] = set()
    for c in np.argsort(-gain, kind="stable"):
        key = (int(parent[c]), float(np.round(gain[c], 4)))
        if pairs[c].min() > LEAST and key not in seen:
            seen.add(key)
            found.append(Split(int(parent[c]), halves.pair(int(c)), float(gain[c])))
    return found
