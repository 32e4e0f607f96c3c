"""What speaks against a record, and how much of it is usual.

A record may stand out in one way and not in another: a combination that never occurs shows only to
a model that knows the clusters, but a model of many components has a component for every rare
cluster; and a single wrong cell is lost among many right ones. So there are four kinds of evidence:
how improbable the record is under one component and under several, how rare clusters are that are
as small as its own, and its most unusual cell. Each is measured in units of its tail: with every
unit records are e times rarer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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

VALUES, COMBINATION = "rare values", "rare combination"
CLUSTER, CELL = "rare cluster", "one cell"
"""What may speak against a record most."""
FAR_OUT, FAR_COUNTS, FAR_CELLS_COUNT = 0.0228, 1 / 2, 2 / 3
"""A tail is measured by how far above the median records are in the mean, those beyond this share
no farther, or by this much of how far those are: what is often far out is not unusual, but what is
rare is not to be its own measure."""
CELL_COUNTS = 1.0
"""In units of its tail, from where a cell counts: every record has a most unusual one."""
LEAST_SPREAD, LEAST_OF_CELLS = 0.1, 0.5
"""In deviations of what a model draws: where rows differ by less, they do not differ. And in nats,
added to the deviation of a column: where all its cells are equally expected."""
NEARLY = 0.5
"""A single cell is named where it counts for this share of the strongest evidence."""
LARGE = 65_536
"""Records beyond which leaving one out makes no difference that counts."""
MOST_ROWS = 16_384
"""Records that show what is usual."""


class ScoredPiece(NamedTuple):
    """Some rows, their scores, and the size by which each is explained best."""

    rows: CodedRows
    scores: Floats
    sizes: Ints
    kinds: NDArray[np.str_]


class Evidence(NamedTuple):
    """What speaks against rows, and how frequent they are."""

    density: Floats  # (n, number of sizes) how improbable rows are, in deviations
    cluster: Floats  # (n,) how rare clusters are that are as small as theirs, over all sizes
    surprise: Floats  # (n, number of attributes) of each cell, given the others
    mass: Floats  # (n,) the probability of such a record itself, 0 where there are numbers

    @classmethod
    def joined(cls, pieces: Sequence[Evidence]) -> Evidence:
        """Return all pieces, one below the other."""
        return cls(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))


@dataclass(frozen=True, eq=False)
class Yardstick:
    """What is usual: the median and spread of each kind of evidence, and of all together."""

    sizes: Ints
    medians: Floats  # at each size, of the most unusual cell, and of the cells of each attribute
    spreads: Floats
    usual: Tail  # how scores are distributed

    def p_values(self, scores: Floats) -> Floats:
        """Return how often a record stands out at least as much."""
        return self.usual.below(scores)

    def limit(self, scores: Floats, weights: Floats, fdr: float) -> float:
        """Return the score below which records are outliers, of which a share is false."""
        return float(self.usual.at(np.array(largest_p(self.p_values(scores), weights, fdr))))

    def away(self, found: Evidence) -> Floats:
        """Return the evidence in units of its tail: of each size, of the cluster, of a cell."""
        n = len(self.sizes)
        medians, spreads = self.medians, self.spreads
        density = (found.density - medians[:n]) / spreads[:n]
        if len(medians) == n:  # as earlier versions saved it
            return density
        unusual = unusual_cell(found.surprise, medians[n + 1 :], spreads[n + 1 :])
        return np.column_stack([density, found.cluster, (unusual - medians[n]) / spreads[n]])

    def judged(self, found: Evidence) -> tuple[Floats, Ints]:
        """Return the scores of rows, and which evidence against each is strongest.

        Those that stand out at least as much as a record are at least as frequent as the record
        itself: where records are often equal, that is known better than the rank of its score.
        """
        away = self.away(found)
        scores = np.maximum(self._scores(away), self.usual.at(found.mass))
        return scores, strongest(away, self.sizes)

    def scored(
        self,
        model: FittedModel,
        table: NewTable,
        fitted: bool = False,
        report: Report | None = None,
    ) -> Iterator[ScoredPiece]:
        """Yield all rows with their scores; rows that were fitted are left out of the model."""
        for rows in _told(table, report):
            found = evidence_of(model, rows.block, rows.unseen, self.sizes, fitted)
            scores, which = self.judged(found)
            by_size = explained_by(which, self.sizes)
            yield ScoredPiece(rows, scores, by_size, kinds(which, self.sizes))

    def _scores(self, away: Floats) -> Floats:
        n_sizes = len(self.sizes)
        return -away.max(axis=1) if away.shape[1] == n_sizes else combined(away, n_sizes)


def combined(away: Floats, n_sizes: int) -> Floats:
    """Return scores from evidence in units of its tail, (n, number of sizes and two) to (n,).

    As p-values of exponential tails are added: the strongest counts most, and several that agree
    count for more than one; sizes beyond the first are one kind of evidence. What is as usual as
    most records does not count for a record.
    """
    combination = _over_sizes(away[:, :n_sizes])
    return -_log_mean(np.column_stack([away[:, 0], combination, away[:, n_sizes:]]))


def _over_sizes(away: Floats) -> Floats:
    """Return the evidence of all sizes beyond the first together, (n, sizes) to (n,)."""
    return _log_mean(away[:, 1:]) if away.shape[1] > 1 else np.zeros(len(away))


def _log_mean(away: Floats) -> Floats:
    return np.asarray(logsumexp(np.maximum(away, 0.0), axis=1)) - np.log(away.shape[1])


def kinds(which: Ints, sizes: Ints) -> NDArray[np.str_]:
    """Return in words what speaks most against rows, from which evidence is strongest."""
    words = np.array([*(VALUES if k == 1 else COMBINATION for k in sizes), CLUSTER, CELL])
    return words[which]


def explained_by(which: Ints, sizes: Ints) -> Ints:
    """Return the size by which each row is explained, from which evidence is strongest."""
    return np.concatenate([sizes, [TOGETHER, TOGETHER]])[which]


def strongest(away: Floats, sizes: Ints) -> Ints:
    """Return which evidence against rows is strongest; a cell that says nearly as much says all."""
    found = away.argmax(axis=1)
    if away.shape[1] == len(sizes):
        return found
    return np.where(away[:, -1] >= NEARLY * away.max(axis=1), len(sizes) + 1, found)


def evidence_of(
    model: FittedModel, block: Block, unseen: NDArray[np.bool_], sizes: Ints, fitted: bool
) -> Evidence:
    """Return the evidence against rows."""
    left_out = fitted and can_leave_out(model)

    def judged(size: int | None) -> JudgedRows:
        judge = model.judge(size)
        return (judge.judged_left_out if left_out else judge.judged)(block, unseen)

    density, rarity = np.empty((2, len(block), len(sizes)))
    for column, size in enumerate(sizes.tolist()):
        rows = judged(size)
        density[:, column], rarity[:, column] = rows.deviations(), rows.rarity_of_cluster()
    together = judged(None)
    return Evidence(density, _over_sizes(rarity), together.surprises(), together.mass())


def evidence_of_fitted(model: FittedModel, table: NewTable, sizes: Ints, step: int = 1) -> Evidence:
    """Return the evidence against every so many-th row of the table that was fitted."""
    found, first = list[Evidence](), 0
    for rows in table.coded_rows():
        some = rows.take(slice(-first % step, None, step))
        if len(some.block):
            found.append(evidence_of(model, some.block, some.unseen, sizes, fitted=True))
        first += len(rows.block)
    return Evidence.joined(found)


def _told(table: NewTable, report: Report | None) -> Iterator[CodedRows]:
    """Yield the rows of a table, and tell how many have been judged."""
    began, n_rows, total = time.perf_counter(), 0, table.source.n_rows
    for rows in table.coded_rows():
        yield rows
        n_rows += len(rows.block)
        if report is not None:
            seconds, share = time.perf_counter() - began, n_rows / total if total else None
            report(Progress.at_share("judging", seconds, share, rows=n_rows))


def can_leave_out(model: FittedModel) -> bool:
    """Whether a fitted record is to be left out: there is another, and it makes a difference."""
    return 2.0 <= model.N <= LARGE


def unusual_cell(surprise: Floats, means: Floats, deviations: Floats) -> Floats:
    """Return how unusual the most unusual cell of each row is, beside others of its column."""
    return ((surprise - means) / deviations).max(axis=1)


def usual_of(found: Evidence, weights: Floats) -> tuple[Floats, Floats]:
    """Return what is usual among rows, and how far above it they are e times rarer.

    First at each size (the median), then of the most unusual cell (from where it counts), then of
    the cells of each attribute (mean and deviation).
    """
    cells = np.average(found.surprise, axis=0, weights=weights)
    variance = np.average((found.surprise - cells) ** 2, axis=0, weights=weights)
    of_cells = LEAST_OF_CELLS + np.sqrt(variance)
    unusual = unusual_cell(found.surprise, cells, of_cells)[:, None]
    evidence = np.column_stack([found.density, unusual])
    usual = quantiles(evidence, weights, 0.5)
    far = quantiles(evidence, weights, 1.0 - FAR_OUT) - usual
    mean = np.average(np.clip(evidence - usual, 0.0, far), axis=0, weights=weights)
    far[:-1] *= FAR_COUNTS
    far[-1] *= FAR_CELLS_COUNT
    tails = mean / (0.5 - FAR_OUT), far / np.log(0.5 / FAR_OUT)
    spreads = np.maximum.reduce([*tails, np.full(len(far), LEAST_SPREAD)])
    usual[-1] += CELL_COUNTS * spreads[-1]
    return np.concatenate([usual, cells]), np.concatenate([spreads, of_cells])


def yardstick_of(model: FittedModel, most: int | None = None) -> Yardstick:
    """Return what is usual among records that the model itself draws, all of them or the first."""
    sizes, block = sizes_of(model), model.judge().draws.block.rows(slice(most))
    unseen = np.zeros(block.codes.shape, np.bool_)
    found = evidence_of(model, block, unseen, sizes, fitted=False)
    usual = Yardstick(sizes, *usual_of(found, block.weights), Tail.of(np.zeros(1)))
    return replace(usual, usual=Tail.of(combined(usual.away(found), len(sizes))))


def yardstick_of_fitted(model: FittedModel, table: NewTable, weights: Floats) -> Yardstick:
    """Return what is usual among the rows that were fitted, each left out of the model."""
    drawn, step = yardstick_of(model), -(-len(weights) // MOST_ROWS)
    found = evidence_of_fitted(model, table, drawn.sizes, step)
    medians, spreads = usual_of(found, weights[::step])
    return replace(drawn, medians=medians, spreads=spreads)


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
