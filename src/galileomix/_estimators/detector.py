"""Anomaly detection by scikit-learn's outlier interface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import OutlierMixin
from sklearn.utils.validation import check_is_fitted

from galileomix._estimators.galileo import Galileo
from galileomix._estimators.meta_estimator import MetaEstimator, check_array
from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._fitted.explain import JudgedPiece, explanation_of, judged_at, surprises_of
from galileomix._fitted.explanation import Explanation, Reason
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._table import check_weights, refuse_once
from galileomix.errors import ParameterError

Floats = NDArray[np.float64]

ONE_DEVIATION = 0.8413447460685429
"""The share of a normal distribution below its mean and one standard deviation."""
MOST_DEVIATIONS = 1e12
"""No record surprises by more: a log density has its limits (see `_model.params.LOG_ZERO`)."""
MOST_RANKS = 2000
"""The most scores of fitted records to remember."""
ROUNDING = 1e-9
LEAST_SPREAD = 0.1
"""In deviations of what a model draws: where rows differ by less, they do not differ."""


class GalileoDetector(OutlierMixin, MetaEstimator):
    """Find the records that fit no cluster, and the cells that are to blame.

    A record may stand out at one resolution and not at another: a rare cluster is improbable among
    all records, yet a model of many components has a component for it; a combination that never
    occurs shows only to a model that knows the clusters. So a record is judged by models of 1, 2,
    4, ... components, up to the chosen one, all from one fit: how improbable it is there, in
    deviations of the records that were fitted. The size at which it stands out most counts.

    The detector finds outliers in the table that is fitted (`fit_predict`) and novelties in others
    (`predict`) alike; fitted records are scored like any others.

    Parameters
    ----------
    model : Galileo, optional
        The settings of the model to fit; ``Galileo(criterion="aic")`` by default, which resolves
        more clusters than BIC.
    contamination : float, default=0.1
        The share of the fitted records that are taken for outliers, above 0 and at most 0.5.

    Attributes
    ----------
    model_ : Galileo
        The fitted model.
    offset_ : float
        Records with a lower score than this are outliers.
    sizes_, medians_, spreads_ : ndarray
        The sizes of the models that judge, and what is usual at each: the median surprise of the
        fitted records, and its deviation above that.
    usual_scores_, usual_shares_ : ndarray
        The scores of the fitted records, at most 2000 of them, and the share up to each.
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
    x1=y (expected x, 96%)
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        *("offset_", "sizes_", "medians_", "spreads_"),
        *("usual_scores_", "usual_shares_"),
    )

    def __init__(self, model: Galileo | None = None, *, contamination: float = 0.1) -> None:
        self.model = model
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GalileoDetector:
        """Fit a model, and learn what is usual under it.

        Parameters
        ----------
        X : table
            As in `Galileo.fit`, but for iterators: it is read twice.
        y : ignored
        sample_weight : array of shape (n_rows,), optional
            How many rows each row stands for.
        """
        self._check()
        refuse_once(X)
        model = self._unfitted(criterion="aic", predictive="chosen")
        self._use(model.fit(X, sample_weight=sample_weight))
        self.sizes_ = sizes_of(self.model_)
        surprises = self.model_.surprise(X, self.sizes_.tolist())
        weights = check_weights(sample_weight, len(surprises))
        self.medians_ = _quantiles(surprises, weights, 0.5)
        above = _quantiles(surprises, weights, ONE_DEVIATION)
        self.spreads_ = np.maximum(above - self.medians_, LEAST_SPREAD)
        scores = _yardstick(self).scores(surprises)
        self.offset_ = float(_quantiles(scores[:, None], weights, self.contamination)[0])
        self.usual_scores_, self.usual_shares_ = distribution(scores, weights)
        return self

    def score_samples(self, X: Any) -> Floats:
        """Return how usual each record is, (n_rows,): the lower, the more it stands out.

        It is minus the number of deviations by which a record surprises more than half of the
        fitted ones do, at the size at which it stands out most.
        """
        check_is_fitted(self)
        return _yardstick(self).scores(self.model_.surprise(X, self.sizes_.tolist()))

    def decision_function(self, X: Any) -> Floats:
        """Return the scores less `offset_`, (n_rows,): below zero for outliers."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return -1 for outliers and 1 for all others, (n_rows,)."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def explain(self, X: Any) -> Explanation:
        """Return which cells are surprising, at the size at which each record stands out most.

        See `Galileo.explain` for what is returned, but for ``p_value``: here it is the share of
        the fitted records that stand out at least as much.
        """
        check_is_fitted(self)
        model, table = model_of(self.model_), new_table(self.model_, X)
        pieces, scores = list[JudgedPiece](), list[Floats]()
        for rows, score, sizes in _yardstick(self).judged(model, table):
            scores.append(score)
            pieces.append(judged_at(model, rows, sizes))
        found = explanation_of(pieces, table.index)
        ranks = _ranks(self, np.concatenate(scores))
        p_value = pd.Series(ranks, found.p_value.index, name="p_value")
        return replace(found, p_value=p_value).like(table.given)

    def _check(self) -> None:
        value: Any = self.contamination
        real = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not real or not 0.0 < value <= 0.5:
            raise ParameterError(
                f"contamination={value!r}: it must be a number above 0 and at most 0.5"
            )

    def _check_loaded(self) -> None:
        self._check()
        if not isinstance(self.offset_, float) or not abs(self.offset_) < MOST_DEVIATIONS:
            raise ValueError(f"offset_ is {self.offset_!r}, not a number that a score may be")
        sizes = sizes_of(self.model_)
        for name in ("sizes_", "medians_", "spreads_"):
            check_array(name, getattr(self, name), sizes.shape)
        if not np.array_equal(self.sizes_, sizes):
            raise ValueError(f"sizes_ are not {sizes.tolist()}")
        if (self.spreads_ < LEAST_SPREAD).any() or (
            np.abs([self.medians_, self.spreads_]) >= MOST_DEVIATIONS
        ).any():
            raise ValueError("medians_ or spreads_ are not what surprises may be")
        self._check_distribution()

    def _check_distribution(self) -> None:
        """Raise ValueError where the scores of the fitted records are not in order."""
        for name in ("usual_scores_", "usual_shares_"):
            check_array(name, getattr(self, name), (np.size(self.usual_scores_),))
            if (np.diff(getattr(self, name)) < 0).any():
                raise ValueError(f"{name} is not in order")
        shares = self.usual_shares_
        if not len(shares) or not 0 <= shares[0] <= 1 or shares[-1] > 1 + ROUNDING:
            raise ValueError("usual_shares_ are not between 0 and 1")


@dataclass(frozen=True, eq=False)
class Yardstick:
    """The sizes that judge records, and the median and spread of what is usual at each."""

    sizes: NDArray[np.intp]
    medians: Floats | float = 0.0
    spreads: Floats | float = 1.0

    def scores(self, surprises: Floats) -> Floats:
        """Return how usual records are: minus the surprise at the size where it is greatest."""
        return -((surprises - self.medians) / self.spreads).max(axis=1)

    def judged(
        self, model: FittedModel, table: NewTable
    ) -> Iterator[tuple[CodedRows, Floats, NDArray[np.intp]]]:
        """Yield some rows, their scores, and the size at which each stands out most."""
        for rows in table.coded_rows():
            surprises = surprises_of(model, rows, self.sizes.tolist())
            away = (surprises - self.medians) / self.spreads
            yield rows, self.scores(surprises), self.sizes[away.argmax(axis=1)]


def _yardstick(judge: Galileo | GalileoDetector) -> Yardstick:
    """Return what is usual; of a model that is no detector nothing is known."""
    if isinstance(judge, GalileoDetector):
        return Yardstick(judge.sizes_, judge.medians_, judge.spreads_)
    return Yardstick(sizes_of(judge))


def _ranks(detector: GalileoDetector, scores: Floats) -> Floats:
    """Return the share of the fitted records, and one more, with at most such a score."""
    near = scores + ROUNDING * (1.0 + np.abs(scores))
    position = np.searchsorted(detector.usual_scores_, near, side="right")
    share = np.concatenate([[0.0], detector.usual_shares_])[position]
    N = detector.model_.n_records_
    return (share * N + 1.0) / (N + 1.0)


class ScoredRows(NamedTuple):
    """Some rows of a table: their positions, scores and p-values, and the cells to blame."""

    positions: NDArray[np.intp]
    scores: Floats
    p_values: Floats
    reasons: list[list[Reason]]


def scored_rows(
    estimator: Galileo | GalileoDetector, X: Any, worst: int | None, most: int, least: float
) -> Iterator[ScoredRows]:
    """Score every row of a table once, and explain all of them, or only the worst.

    Parameters
    ----------
    estimator : Galileo or GalileoDetector
        By a model that is no detector nothing is known of what is usual. The p-value is then at
        most how often the model would draw a row that stands out so, at any size (Bonferroni).
    X : table
    worst : int, optional
        How many rows to return of each part of the table: those of the lowest scores, in order.
    most : int
        The most cells to name for a row.
    least : float
        Cells that surprise by no more, in nats, are not named.
    """
    detector = isinstance(estimator, GalileoDetector)
    inner = estimator.model_ if detector else estimator
    yardstick, model, first = _yardstick(estimator), model_of(inner), 0
    for rows, scores, sizes in yardstick.judged(model, new_table(inner, X)):
        chosen = slice(None) if worst is None else np.argsort(scores, kind="stable")[:worst]
        judged = judged_at(model, rows.take(chosen), sizes[chosen])
        if detector:
            p_values = _ranks(estimator, scores[chosen])
        else:
            p_values = np.minimum(judged.p_values() * len(yardstick.sizes), 1.0)
        positions = first + np.arange(len(scores))[chosen]
        yield ScoredRows(positions, scores[chosen], p_values, judged.reasons(most, least))
        first += len(scores)


def sizes_of(model: Galileo) -> NDArray[np.intp]:
    """Return the sizes nearest to 1, 2, 4, ... on the path, up to the one that was chosen.

    Examples
    --------
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> sizes_of(Galileo(random_state=0).fit(table)).tolist()
    [1, 2]
    """
    sizes = np.array([k for k in model.path_.sizes if k <= model.n_components_])
    wanted = 2.0 ** np.arange(np.ceil(np.log2(model.n_components_)))
    nearest = [sizes[np.argmin(np.abs(sizes - k))] for k in wanted]
    return np.unique([*nearest, model.n_components_]).astype(np.intp)


def distribution(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return values in order and the share of the weight up to each; of many, the least and some.

    Examples
    --------
    >>> values, shares = distribution(np.array([3.0, 1.0]), np.array([1.0, 3.0]))
    >>> values.tolist(), shares.tolist()
    ([1.0, 3.0], [0.75, 1.0])
    """
    order = np.argsort(values, kind="stable")
    shares = np.cumsum(weights[order])
    # All of the least: there a rank matters.
    few = np.arange(min(len(order), MOST_RANKS // 2))
    rest = np.linspace(0, len(order) - 1, MOST_RANKS // 2).round().astype(np.intp)
    kept = np.unique([*few, *rest])
    return values[order[kept]], shares[kept] / shares[-1]


def _quantiles(values: Floats, weights: Floats, share: float) -> Floats:
    """Return for each column the least value with more than a share of the weight up to it."""
    # numpy's has at least the share below it: the mirrored one has more.
    return -np.quantile(-values, 1.0 - share, axis=0, weights=weights, method="inverted_cdf")
