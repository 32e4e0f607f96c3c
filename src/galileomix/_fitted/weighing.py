"""What mixtures say of records that they have not seen, by which sizes are weighed.

Of many records each is left out analytically (see `left_out`), which costs one pass. That takes a
record out of its components, but they stay where it helped to put them, and of few records this
flatters large sizes. So there the mixtures are fitted again, for a few steps of EM, to what is left
without a fold of the records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from galileomix._fitted.left_out import LeftOut, Shrinkage
from galileomix._kernels import KERNEL
from galileomix._model.em import EMPTY
from galileomix._model.families import maximise, smoothed
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import Background
from galileomix._table import Block, concatenate

FOLDS, STEPS, STRENGTH = 3, 10, 0.5
"""How many folds there are, and how mixtures are fitted without one: EM's steps, and its prior but
for the last one, for what comes out is smoothed as the mixture of all records is."""

EXCEPTIONS = 0.05
"""The share of records that the strength of a size need not suit."""

Scores = Callable[[float], Floats]
"""From how much a mixture is smoothed to the log density of each record, (n,)."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Records by which sizes are weighed, and what a mixture of N records says of each without it.

    Mixtures are smoothed by one of the strengths towards the background.
    """

    records: Block
    background: Background
    strengths: tuple[float, ...]
    left_out: Callable[[Mixture, float], Scores]
    other: Floats | None = None  # what another mixture says of them, (n,)

    def beside(self, mixture: Mixture, N: float) -> Judged:
        """Return the same records, of which a few are for this mixture to explain.

        As sizes predict together, none has to suit the few records that a small one explains best.
        """
        return replace(self, other=Weighed.of(mixture, self, N).scores)

    def mean(self, scores: Floats) -> float:
        """Return the mean over the records."""
        if self.other is not None:
            exceptions = np.log(EXCEPTIONS) + self.other
            scores = np.logaddexp(np.log1p(-EXCEPTIONS) + scores, exceptions)
        return float(self.records.weights @ scores / self.records.weights.sum())


class Weighed(NamedTuple):
    """A mixture of N records, the strength that suits it, and what it says of others, (n,)."""

    mixture: Mixture
    N: float
    strength: float
    scores: Floats
    mean: float

    @classmethod
    def of(cls, mixture: Mixture, judged: Judged, N: float) -> Weighed:
        """Return what a mixture says of records that are left out of it."""
        left_out = judged.left_out(mixture, N)

        def smoothed_by(strength: float) -> Weighed:
            scores = left_out(strength)
            return cls(mixture, N, strength, scores, judged.mean(scores))

        return max(map(smoothed_by, judged.strengths), key=lambda one: one.mean)


def one_by_one(
    records: Block, background: Background, shrinkage: Shrinkage, strengths: tuple[float, ...]
) -> Judged:
    """Return some records of a table, each to be left out analytically."""

    def scores(mixture: Mixture, N: float, strength: float) -> Floats:
        shrunk = smoothed(mixture, background, N, strength)
        joint = LeftOut(records, shrunk, replace(shrinkage, N=N, s_class=strength)).log_joint()
        return np.asarray(logsumexp(joint, axis=1)) - np.log(N - 1.0)

    return Judged(records, background, strengths, lambda mixture, N: partial(scores, mixture, N))


def in_folds(
    records: Block,
    background: Background,
    strengths: tuple[float, ...],
    before_pass: Callable[[], None],
) -> Judged:
    """Return all records of a table, to be left out a fold at a time."""
    folds = dealt(records)
    others = [concatenate([*folds[:f], *folds[f + 1 :]]) for f in range(len(folds))]

    def left_out(mixture: Mixture, _: float) -> Scores:
        refitted = [_refitted(mixture, rest, background, before_pass) for rest in others]
        return partial(scores, refitted)

    def scores(refitted: list[Mixture], strength: float) -> Floats:
        found = list[Floats]()
        for fold, rest, mixture in zip(folds, others, refitted, strict=True):
            shrunk = smoothed(mixture, background, float(rest.weights.sum()), strength)
            found.append(np.asarray(logsumexp(KERNEL.log_joint(fold, shrunk), axis=1)))
        return np.concatenate(found)

    return Judged(concatenate(folds), background, strengths, left_out)


def _refitted(
    mixture: Mixture, rest: Block, background: Background, before_pass: Callable[[], None]
) -> Mixture:
    """Return what becomes of a mixture where other records alone are there."""
    for s in (*[STRENGTH] * (STEPS - 1), 0.0):
        before_pass()
        stats = KERNEL.expect(rest, mixture)
        held = np.flatnonzero(stats.weight > EMPTY * stats.weight.sum())
        mixture = maximise(stats.take(held), background, s)
    return mixture


def dealt(records: Block) -> list[Block]:
    """Return records dealt out to folds, copy by copy: weight 2 is as good as the row twice.

    >>> block = Block(np.zeros((3, 0)), np.array([[7.0], [8.0], [9.0]]), np.array([2.0, 1.0, 3.0]))
    >>> [(fold.numbers[:, 0].tolist(), fold.weights.tolist()) for fold in dealt(block)]
    [([7.0, 9.0], [1.0, 1.0]), ([7.0, 9.0], [1.0, 1.0]), ([8.0, 9.0], [1.0, 1.0])]
    """
    ends = np.cumsum(records.weights)
    lines = np.stack([ends - records.weights, ends])
    folds = list[Block]()
    for f in range(FOLDS):
        # How much of the line up to a point is of the fold: every so many-th unit of it.
        before = lines // FOLDS + np.clip(lines % FOLDS - f, 0.0, 1.0)
        weights = before[1] - before[0]
        mine = np.flatnonzero(weights > 0)
        folds.append(Block(records.codes[mine], records.numbers[mine], weights[mine]))
    return [fold for fold in folds if len(fold)]
