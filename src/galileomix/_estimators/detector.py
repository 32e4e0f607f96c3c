"""Anomaly detection by scikit-learn's outlier interface."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import OutlierMixin
from sklearn.utils.validation import check_is_fitted

from galileomix._estimators.galileo import Galileo
from galileomix._estimators.meta import AroundGalileo, check_array
from galileomix._fitted.answers import Explanation
from galileomix._table import check_weights, refuse_once
from galileomix.errors import ParameterError

Floats = NDArray[np.float64]

ONE_DEVIATION = 0.8413447460685429
"""The share of a normal distribution below its mean and one standard deviation."""
MOST_DEVIATIONS = 1e12
"""No record surprises by more: a log density has its limits (see `model.params.LOG_ZERO`)."""
MOST_RANKS = 2000
"""The most scores of fitted records to remember."""
ROUNDING = 1e-9
LEAST_SPREAD = 0.1
"""In deviations of what a model draws: where rows differ by less, they do not differ."""


class GalileoDetector(OutlierMixin, AroundGalileo):
    """Find the records that fit no kind, and say why.

    A record may stand out at one resolution and not at another: a rare kind is improbable among
    all records, yet a model of many components has a component for it; a combination that never
    occurs shows only to a model that knows the kinds. So a record is judged by models of 1, 2,
    4, ... components, up to the one that the criterion chose, all from the one fit: how improbable
    it is there, beside the records that were fitted, counted in their deviations. What counts is
    the size at which it stands out most.

    It serves for outliers in the table that is fitted (`fit_predict`) and for novelties in others
    (`predict`) alike; records that were fitted are scored like any others.

    Parameters
    ----------
    model : Galileo, optional
        The settings of the model to fit; ``Galileo(criterion="aic")`` by default, which resolves
        more kinds than BIC.
    contamination : float, default=0.1
        The share of the fitted records that are taken for outliers, above 0 and at most 0.5.

    Attributes
    ----------
    model_ : Galileo
        The fitted model.
    offset_ : float
        Records with a lower score than this are outliers.
    sizes_, medians_, spreads_ : ndarray
        The sizes of the models that judge, and what is usual in each: the median surprise of the
        fitted records, and its deviation above that.
    usual_scores_, usual_shares_ : ndarray
        The scores of the fitted records, or a thousand of them, and the share up to each.
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

    _stored: ClassVar[tuple[str, ...]] = (
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
        self._use(self._unfitted(criterion="aic").fit(X, sample_weight=sample_weight))
        self.sizes_ = sizes_of(self.model_)
        surprises = self._surprises(X)
        weights = check_weights(sample_weight, len(surprises))
        self.medians_ = np.array([quantile(each, weights, 0.5) for each in surprises.T])
        above = np.array([quantile(each, weights, ONE_DEVIATION) for each in surprises.T])
        self.spreads_ = np.maximum(above - self.medians_, LEAST_SPREAD)
        scores = self._scores(surprises)
        self.offset_ = quantile(scores, weights, self.contamination)
        self.usual_scores_, self.usual_shares_ = distribution(scores, weights)
        return self

    def score_samples(self, X: Any) -> Floats:
        """Return how usual each record is, (n_rows,): the lower, the more it stands out.

        It is minus the number of deviations by which a record surprises more than half of the
        fitted ones do, at the size at which it stands out most.
        """
        check_is_fitted(self)
        return self._scores(self._surprises(X))

    def decision_function(self, X: Any) -> Floats:
        """Return the scores less `offset_`, (n_rows,): below zero for outliers."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return -1 for outliers and 1 for all others, (n_rows,)."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def explain(self, X: Any) -> Explanation:
        """Say of every record which cells are surprising, at the size at which it stands out most.

        See `Galileo.explain` for what is returned, but for ``p_value``: here it is the share of
        the fitted records that stand out at least as much.
        """
        check_is_fitted(self)
        refuse_once(X)
        surprises = self._surprises(X)
        away = (surprises - self.medians_) / self.spreads_
        found = self.model_.explain(X, self.sizes_[away.argmax(axis=1)])
        ranks = pd.Series(self._ranks(self._scores(surprises)), found.p_value.index, name="p_value")
        return replace(found, p_value=ranks)

    def _ranks(self, scores: Floats) -> Floats:
        """Return the share of the fitted records, and one more, with at most such a score."""
        near = scores + ROUNDING * (1.0 + np.abs(scores))
        position = np.searchsorted(self.usual_scores_, near, side="right")
        share = np.concatenate([[0.0], self.usual_shares_])[position]
        N = self.model_.n_records_
        return (share * N + 1.0) / (N + 1.0)

    def _scores(self, surprises: Floats) -> Floats:
        return -((surprises - self.medians_) / self.spreads_).max(axis=1)

    def _surprises(self, X: Any) -> Floats:
        return self.model_.surprise(X, self.sizes_.tolist())

    def _check(self) -> None:
        value: Any = self.contamination
        real = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not real or not 0.0 < value <= 0.5:
            raise ParameterError(
                f"contamination={value!r}: it must be a number above 0 and at most 0.5"
            )

    def _check_fitted_state(self) -> None:
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
        if not len(self.usual_shares_) or not 0 <= self.usual_shares_[0] <= 1:
            raise ValueError("usual_shares_ are no shares")
        if self.usual_shares_[-1] > 1 + ROUNDING:
            raise ValueError("usual_shares_ are no shares")


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
    >>> [each.tolist() for each in distribution(np.array([3.0, 1.0]), np.array([1.0, 3.0]))]
    [[1.0, 3.0], [0.75, 1.0]]
    """
    order = np.argsort(values, kind="stable")
    shares = np.cumsum(weights[order])
    # The strangest ones all: there a rank matters.
    few = np.arange(min(len(order), MOST_RANKS // 2))
    rest = np.linspace(0, len(order) - 1, MOST_RANKS // 2).round().astype(np.intp)
    kept = np.unique([*few, *rest])
    return values[order[kept]], shares[kept] / shares[-1]


def quantile(values: Floats, weights: Floats, share: float) -> float:
    """Return the least value with more than a share of the weight up to it.

    Examples
    --------
    >>> quantile(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0]), 0.5)
    2.0
    """
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    position = np.searchsorted(below, share * below[-1], side="right")
    return float(values[order[min(position, len(order) - 1)]])
