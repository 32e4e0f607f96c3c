"""What speaks against a record, and how much of it is usual.

A record may stand out at one resolution and not at another: a rare cluster is improbable among all
records, yet a model of many components has a component for it; a combination that never occurs
shows only to a model that knows the clusters; a single wrong cell is lost among many right ones.
So there is evidence at each of several sizes, how improbable the record is there, and that of its
most surprising cell. Each is measured by how its tail falls off where records are usual, with every
unit they are e times rarer, and they are combined.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from galileomix._fitted.fitted_model import TOGETHER, FittedModel
from galileomix._fitted.judge import JudgedRows
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._fitted.tail import Tail, largest_p
from galileomix._model.params import Floats, Ints
from galileomix._progress import Progress, Report
from galileomix._table import Block

VALUES, COMBINATION, CELL = "rare values", "rare combination", "one cell"
"""What may speak against a record most."""
TAILS = {0.1: 1.0, 0.0228: 0.5}
"""The shares of records above which a tail is measured, and how much each counts: what is often
far out is not unusual, but what is rare is not to be its own measure. Cells are measured by all:
most records have one that surprises a little."""
LEAST_SPREAD = 0.1
"""In deviations of what a model draws, or nats: where rows differ by less, they do not differ."""
SHARPNESS = 1.5
"""How much more the strongest evidence counts than others."""
NEARLY = 0.5
"""A single cell is named where it counts for this share of the strongest evidence."""
LARGE = 65_536
"""Records beyond which leaving one out makes no difference that counts."""


class ScoredPiece(NamedTuple):
    """Some rows, their scores, and the size by which each is explained best."""

    rows: CodedRows
    scores: Floats
    sizes: Ints
    kinds: NDArray[np.str_]


class Evidence(NamedTuple):
    """What speaks against rows, (n, number of sizes and one more), and how frequent they are."""

    against: Floats
    mass: Floats  # (n,) the probability of such a record itself, 0 where there are numbers

    @classmethod
    def joined(cls, pieces: Sequence[Evidence]) -> Evidence:
        """Return all pieces, one below the other."""
        against, mass = zip(*pieces, strict=True)
        return cls(np.concatenate(against), np.concatenate(mass))


@dataclass(frozen=True, eq=False)
class Yardstick:
    """What is usual: the median and spread of each kind of evidence, and of all together."""

    sizes: Ints
    medians: Floats  # one for each size, and one for the most surprising cell
    spreads: Floats
    usual: Tail  # how scores are distributed

    def p_values(self, scores: Floats) -> Floats:
        """Return how often a record stands out at least as much."""
        return self.usual.below(scores)

    def limit(self, scores: Floats, weights: Floats, fdr: float) -> float:
        """Return the score below which records are outliers, of which a share is false."""
        return float(self.usual.at(np.array(largest_p(self.p_values(scores), weights, fdr))))

    def judged(self, found: Evidence) -> tuple[Floats, Ints]:
        """Return the scores of rows, and which kind of evidence against each is strongest.

        Those that stand out at least as much as a record are at least as frequent as the record
        itself: where records are often equal, that is known better than the rank of its score.
        """
        away = (found.against[:, : len(self.medians)] - self.medians) / self.spreads
        return np.maximum(self._scores(away), self.usual.at(found.mass)), strongest(
            away, self.sizes
        )

    def scored(
        self, model: FittedModel, table: NewTable, fitted: bool = False
    ) -> Iterator[ScoredPiece]:
        """Yield all rows with their scores; rows that were fitted are left out of the model."""
        for rows in table.coded_rows():
            found = evidence_of(model, rows.block, rows.unseen, self.sizes, fitted)
            scores, which = self.judged(found)
            sizes = np.append(self.sizes, TOGETHER)[which]
            yield ScoredPiece(rows, scores, sizes, kinds(which, self.sizes))

    def _scores(self, away: Floats) -> Floats:
        # What earlier versions saved has no evidence of cells, and the greatest counts.
        return combined(away) if len(self.medians) > len(self.sizes) else -away.max(axis=1)


def combined(away: Floats) -> Floats:
    """Return scores from evidence in units of its tail, (n, number of kinds) to (n,).

    As p-values of exponential tails are added: the strongest counts most, and several that agree
    count for more than one. What is as usual as most records does not count for a record.
    """
    against = SHARPNESS * np.maximum(away, 0.0)
    total = np.asarray(logsumexp(against, axis=1)) - np.log(away.shape[1])
    return -total / SHARPNESS


def kinds(which: Ints, sizes: Ints) -> NDArray[np.str_]:
    """Return in words what speaks most against rows, from which evidence is strongest."""
    words = np.array([*(VALUES if k == 1 else COMBINATION for k in sizes), CELL])
    return words[which]


def strongest(away: Floats, sizes: Ints) -> Ints:
    """Return which evidence against rows is strongest; a cell that says nearly as much says all."""
    found = away.argmax(axis=1)
    if away.shape[1] == len(sizes):
        return found
    return np.where(away[:, -1] >= NEARLY * away.max(axis=1), len(sizes), found)


def evidence_of(
    model: FittedModel, block: Block, unseen: NDArray[np.bool_], sizes: Ints, fitted: bool
) -> Evidence:
    """Return the evidence against rows."""
    left_out = fitted and can_leave_out(model)

    def judged(size: int | None) -> JudgedRows:
        judge = model.judge(size)
        return (judge.judged_left_out if left_out else judge.judged)(block, unseen)

    columns = [judged(k).deviations() for k in sizes.tolist()]
    together = judged(None)
    against = np.stack([*columns, together.greatest_surprise()], axis=1)
    return Evidence(against, together.mass())


def evidence_of_fitted(
    model: FittedModel, table: NewTable, sizes: Ints, report: Report | None = None
) -> Evidence:
    """Return the evidence against all rows of the table that was fitted."""
    found: list[Evidence] = []
    began, n_rows, total = time.perf_counter(), 0, table.source.n_rows
    for rows in table.coded_rows():
        found.append(evidence_of(model, rows.block, rows.unseen, sizes, fitted=True))
        n_rows += len(rows.block)
        if report is not None:
            seconds, share = time.perf_counter() - began, n_rows / total if total else None
            report(Progress.at_share("judging", seconds, share, rows=n_rows))
    return Evidence.joined(found)


def can_leave_out(model: FittedModel) -> bool:
    """Whether a fitted record is to be left out: there is another, and it makes a difference."""
    return 2.0 <= model.N <= LARGE


def usual_of(evidence: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the median of each kind of evidence, and how far above it records are e times rarer.

    The last kind is that of cells (see `evidence_of`).
    """
    medians = quantiles(evidence, weights, 0.5)
    tails = [
        (quantiles(evidence, weights, 1.0 - share) - medians) / np.log(0.5 / share)
        for share in TAILS
    ]
    counted = zip(tails, TAILS.values(), strict=True)
    spreads = np.maximum.reduce([part * tail for tail, part in counted])
    spreads[-1] = max(tail[-1] for tail in tails)
    return medians, np.maximum(spreads, LEAST_SPREAD)


def yardstick_of(model: FittedModel, most: int | None = None) -> Yardstick:
    """Return what is usual among records that the model itself draws, all of them or the first."""
    sizes, block = sizes_of(model), model.judge().draws.block.rows(slice(most))
    unseen = np.zeros(block.codes.shape, np.bool_)
    found = evidence_of(model, block, unseen, sizes, fitted=False).against
    medians, spreads = usual_of(found, block.weights)
    return Yardstick(sizes, medians, spreads, Tail.of(combined((found - medians) / spreads)))


def sizes_of(model: FittedModel) -> Ints:
    """Return the sizes nearest to 1, 2, 4, ..., up to the largest that predicts."""
    largest = max(model.k, *model.predictive_weights)
    beyond = model.predictive.beyond if model.predictive is not None else {}
    known = np.array([k for k in sorted({*model.mixtures, *beyond}) if k <= largest])
    wanted = 2.0 ** np.arange(np.ceil(np.log2(largest)))
    nearest = [known[np.argmin(np.abs(known - k))] for k in wanted]
    return np.unique([*nearest, model.k, largest]).astype(np.intp)


def quantiles(values: Floats, weights: Floats, share: float) -> Floats:
    """Return for each column the least value with more than a share of the weight up to it."""
    # numpy's has at least the share below it: the mirrored one has more.
    return -np.quantile(-values, 1.0 - share, axis=0, weights=weights, method="inverted_cdf")
