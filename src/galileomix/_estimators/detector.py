"""Anomaly detection by scikit-learn's outlier interface."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import OutlierMixin
from sklearn.utils.validation import check_is_fitted

from galileomix._checks import check_share
from galileomix._estimators.by_partition import by_partition
from galileomix._estimators.checkpoints import forget
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.meta_estimator import MetaEstimator, check_array
from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._estimators.table_weights import in_memory
from galileomix._fitted import evidence
from galileomix._fitted.evidence import Yardstick
from galileomix._fitted.explain import JudgedPiece, explanation_of, judged_at
from galileomix._fitted.explanation import Explanation, Reason
from galileomix._fitted.new_table import CodedRows
from galileomix._fitted.tail import Tail
from galileomix._progress import shown
from galileomix._table import check_weights, refuse_once

Floats = NDArray[np.float64]

MOST_SCORE = 1e12
"""No record surprises by more: a log density has its limits (see `_model.params.LOG_ZERO`)."""
ROUNDING = 1e-9


class GalileoDetector(OutlierMixin, MetaEstimator):
    """Find the records that fit no cluster, and the cells that are to blame.

    Four things may speak against a record: rare values, a rare combination of values, a rare
    cluster, and one cell that does not go with the others. The first two show in how improbable it
    is under models of 1, 2, 4, ... components, all from one fit; the third in how few records are
    in clusters as small as its own; the fourth in how surprising a cell is, given the others and
    beside what is usual in its column. Each is measured by how its tail falls off among the fitted
    records, with every unit they are e times rarer, and they are combined into one score. Records
    that were fitted are judged as if they had been left out of the model, so that none is usual
    because it is in it (up to 65,536 of them: beyond, one makes no difference). Where numbers have
    full covariances, "rare values" may be a rare combination of numbers too.

    Parameters
    ----------
    model : Galileo, optional
        The settings of the model to fit; ``Galileo()`` by default.
    contamination : float, default=0.1
        The share of the fitted records that are taken for outliers, above 0 and at most 0.5.
    fdr : float, optional
        The share of false ones among the outliers, above 0 and at most 0.5. Where it is given it
        decides, by the p-values of the fitted records (Benjamini and Hochberg), and not
        ``contamination``: a table without any has no outliers.

    Attributes
    ----------
    model_ : Galileo
        The fitted model.
    offset_ : float
        Records with a lower score than this are outliers.
    scores_, kinds_ : ndarray
        The score of each fitted record, left out of the model, and what speaks most against it:
        "rare values", "rare combination", "rare cluster" or "one cell". They are not saved.
    sizes_, medians_, spreads_ : ndarray
        The sizes of the models that judge, and what is usual among the fitted records (16,384 of
        them at most, from all over the table) and how far above it they are e times rarer: at each
        size, then of the most unusual cell, then the mean and the deviation of how surprising the
        cells of each column are.
    usual_scores_, usual_shares_ : ndarray
        The scores of records that the model draws, at most 2000 of them, and the share up to each.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from galileomix import GalileoDetector
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25 + [["a", "y"]]
    >>> detector = GalileoDetector(contamination=0.01).fit(table)
    >>> detector.predict([["a", "x"], ["b", "y"], ["a", "y"]]).tolist()
    [1, 1, -1]
    >>> print(detector.explain([["a", "y"]]).reasons(0)[0])
    x1=y (expected x, 97%)
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        *("offset_", "sizes_", "medians_", "spreads_"),
        *("usual_scores_", "usual_shares_"),
    )

    def __init__(
        self,
        model: Galileo | None = None,
        *,
        contamination: float = 0.1,
        fdr: float | None = None,
    ) -> None:
        self.model = model
        self.contamination = contamination
        self.fdr = fdr

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GalileoDetector:
        """Fit a model, and learn what is usual under it.

        Parameters
        ----------
        X : table
            As in `Galileo.fit`, but for iterators: it is read twice.
        y : ignored
        sample_weight : array of shape (n_rows,), optional
            How many rows each row stands for; of Dask and Spark tables as in `Galileo.fit`.
        """
        self._check()
        refuse_once(X)
        unfitted: Any = self._unfitted()
        with shown(unfitted.progress) as report:
            self._use(unfitted._fit(X, sample_weight, report))
            model, table = model_of(self.model_), new_table(self.model_, X)
            weights = _weights(in_memory(sample_weight, X), model.N)
            judge = evidence.yardstick_of_fitted(model, table, weights)
            self.sizes_, self.medians_, self.spreads_ = judge.sizes, judge.medians, judge.spreads
            self.usual_scores_, self.usual_shares_ = judge.usual.scores, judge.usual.shares
            scored = judge.scored(model, table, fitted=True, report=report)
            pieces = [(piece.scores, piece.kinds) for piece in scored]
        self.scores_, self.kinds_ = map(np.concatenate, zip(*pieces, strict=True))
        self.offset_ = self._offset(weights)
        forget(unfitted)
        return self

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> NDArray[np.intp]:
        """Fit, and return -1 for the outliers among the fitted records, 1 for all others."""
        return np.where(self.fit(X, y, **fit_params).scores_ < self.offset_, -1, 1)

    @by_partition("score", np.float64)
    def score_samples(self, X: Any) -> Floats:
        """Return how usual each record is, (n_rows,): the lower, the more it stands out.

        It is minus how much a record stands out, all kinds of evidence combined: nearly zero for
        half of the records, and with every unit less they are about e times rarer.
        Records are judged as new ones; those of the fitted table are in ``scores_``.
        """
        check_is_fitted(self)
        table = new_table(self.model_, X)
        scored = yardstick(self).scored(model_of(self.model_), table)
        return np.concatenate([piece.scores for piece in scored])

    @by_partition("decision", np.float64)
    def decision_function(self, X: Any) -> Floats:
        """Return the scores less `offset_`, (n_rows,): below zero for outliers."""
        return self.score_samples(X) - self.offset_

    @by_partition("predicted", np.intp)
    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return -1 for outliers and 1 for all others, (n_rows,)."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def explain(self, X: Any) -> Explanation:
        """Return which cells are surprising, by what speaks most against each record.

        See `Galileo.explain` for what is returned, but for ``p_value``: here it is how often a
        record that the model draws stands out at least as much among such records as this one does
        among the fitted, and never less than the record's own probability. Records are judged as
        new ones.
        """
        check_is_fitted(self)
        model, table = model_of(self.model_), new_table(self.model_, X)
        pieces, p_values, judge = list[JudgedPiece](), list[Floats](), yardstick(self)
        for piece in judge.scored(model, table):
            p_values.append(judge.p_values(piece.scores))
            pieces.append(judged_at(model, piece.rows, piece.sizes))
        found = explanation_of(pieces, table.index)
        p_value = pd.Series(np.concatenate(p_values), found.p_value.index, name="p_value")
        return replace(found, p_value=p_value).like(table.given)

    def _offset(self, weights: Floats) -> float:
        """Return the score below which the records are outliers."""
        if self.fdr is None:
            return float(evidence.quantiles(self.scores_[:, None], weights, self.contamination)[0])
        return yardstick(self).limit(self.scores_, weights, self.fdr)

    def _check(self) -> None:
        check_share("contamination", self.contamination)
        if self.fdr is not None:
            check_share("fdr", self.fdr)

    def _check_loaded(self) -> None:
        self._check()
        if not isinstance(self.offset_, float) or not abs(self.offset_) < MOST_SCORE:
            raise ValueError(f"offset_ is {self.offset_!r}, not a number that a score may be")
        check_array("sizes_", self.sizes_, (np.size(self.sizes_),))
        known = {*self.model_.path_.sizes, *model_of(self.model_).predictive_weights}
        if not len(self.sizes_) or not known.issuperset(self.sizes_.tolist()):
            raise ValueError(f"sizes_ are not among {sorted(known)}")
        # Files of the first versions have no evidence of cells.
        length = len(self.sizes_)
        if np.size(self.medians_) > length:
            length += 1 + self.model_.schema_.n_attributes
        for name in ("medians_", "spreads_"):
            check_array(name, getattr(self, name), (length,))
        if (self.spreads_ < evidence.LEAST_SPREAD).any() or (
            np.abs([self.medians_, self.spreads_]) >= MOST_SCORE
        ).any():
            raise ValueError("medians_ or spreads_ are not what surprises may be")
        self._check_distribution()

    def _check_distribution(self) -> None:
        """Raise ValueError where the scores of usual records are not in order."""
        for name in ("usual_scores_", "usual_shares_"):
            check_array(name, getattr(self, name), (np.size(self.usual_scores_),))
            if (np.diff(getattr(self, name)) < 0).any():
                raise ValueError(f"{name} is not in order")
        shares = self.usual_shares_
        if not len(shares) or not 0 <= shares[0] <= 1 or shares[-1] > 1 + ROUNDING:
            raise ValueError("usual_shares_ are not between 0 and 1")


def _weights(given: Any, N: float) -> Floats:
    """Return the weights of rows, of which the sum is N; one number is the weight of every row."""
    if given is None or isinstance(given, numbers.Real):
        each_row = 1.0 if given is None else float(given)
        return np.full(round(N / each_row), each_row)
    weights = np.asarray(given)
    return check_weights(weights, len(weights))


def yardstick(judge: Galileo | GalileoDetector) -> Yardstick:
    """Return what is usual; of a model that is no detector, what the model itself draws."""
    if not isinstance(judge, GalileoDetector):
        return evidence.yardstick_of(model_of(judge))
    usual = Tail(judge.usual_scores_, judge.usual_shares_)
    return Yardstick(judge.sizes_, judge.medians_, judge.spreads_, usual)


class ScoredRows(NamedTuple):
    """Some rows of a table: positions, scores and p-values, what speaks against them, and cells."""

    rows: CodedRows
    positions: NDArray[np.intp]
    scores: Floats
    p_values: Floats
    kinds: NDArray[np.str_]
    reasons: list[list[Reason]]


def scored_rows(
    estimator: Galileo | GalileoDetector,
    X: Any,
    judge: Yardstick,
    worst: int | None,
    most: int,
    least: float,
    fitted: bool = False,
) -> Iterator[ScoredRows]:
    """Score every row of a table once, and explain all of them, or only the worst.

    Parameters
    ----------
    estimator : Galileo or GalileoDetector
    X : table
    judge : Yardstick
        What is usual (see `yardstick`).
    worst : int, optional
        How many rows to return of each part of the table: those of the lowest scores, in order.
    most : int
        The most cells to name for a row.
    least : float
        Cells that surprise by no more, in nats, are not named.
    fitted : bool
        Whether these are the rows that were fitted.
    """
    inner = estimator.model_ if isinstance(estimator, GalileoDetector) else estimator
    model, first = model_of(inner), 0
    for piece in judge.scored(model, new_table(inner, X), fitted):
        order = np.argsort(piece.scores, kind="stable")
        chosen = np.arange(len(order)) if worst is None else order[:worst]
        left_out = fitted and evidence.can_leave_out(model)
        rows = piece.rows.take(chosen)
        judged = judged_at(model, rows, piece.sizes[chosen], left_out)
        scores, kinds = piece.scores[chosen], piece.kinds[chosen]
        known = (rows, first + chosen, scores, judge.p_values(scores), kinds)
        yield ScoredRows(*known, judged.reasons(most, least))
        first += len(order)
