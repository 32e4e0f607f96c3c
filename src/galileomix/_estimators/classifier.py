"""Classes by Bayes over a mixture."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from galileomix._estimators import parameters
from galileomix._estimators.checkpoints import checkpointed, forget
from galileomix._estimators.class_mixtures import Classes, ClassMixture, class_mixtures, joined
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.meta_estimator import MetaEstimator, check_array
from galileomix._estimators.report_method import ReportMethod
from galileomix._estimators.saving import from_saved
from galileomix._fitted.explanation import Explanation
from galileomix._fitted.fit import as_model, records_of, with_covariance
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.results import SearchRecord
from galileomix._fitted.watch import Watch
from galileomix._model.em import Fit
from galileomix._model.params import Floats
from galileomix._passes.records import BlockRecords
from galileomix._progress import shown
from galileomix._storage import SavedModel
from galileomix._table import Folder, Prepared, bytes_of, check_weights, is_dask, is_spark
from galileomix._warn import warn
from galileomix._words import counted
from galileomix.errors import TableError, TableTypeError

Labels = NDArray[np.intp]
ROUNDING = 1e-9


class GalileoClassifier(ClassifierMixin, ReportMethod, MetaEstimator):
    """Classify records by Bayes' rule over a mixture for each class.

    Every class is a mixture of its own, found by the search of `Galileo`; a record belongs to
    the classes under which it is likely. Components of one class may hold records of others. How
    many, and how far to trust a difference in likelihood, is learnt from every record left out of
    its class, so that probabilities are calibrated. (Components that all classes share, from one
    search, do as well for two classes and far worse for many: see docs/results.md.)

    Parameters
    ----------
    model : Galileo, optional
        The settings of the search and of reading tables; it is not fitted itself.
        ``Galileo(random_state=0)`` by default. Of the sizes on the path of a class, that of least
        AIC is taken, whatever the criterion of the search: it has more components, which separates
        classes better.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    model_ : Galileo
        The components of all classes, as one fitted model of the table without its classes.
        Where that lowers the loss, the whole class is one more, broad component. No value of the
        table is impossible.
    class_probabilities_ : ndarray of shape (n_classes, n_components)
        P(class | component), for the components of ``model_``.
    temperature_ : float
        What log-likelihoods are divided by before components are compared, at least one.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from galileomix import GalileoClassifier
    >>> table = [["a", "x"], ["b", "y"], ["a", "y"], ["b", "x"]] * 25
    >>> same = ["same", "same", "other", "other"] * 25
    >>> classifier = GalileoClassifier().fit(table, same)
    >>> classifier.predict([["b", "y"], ["b", "x"]]).tolist()
    ['same', 'other']
    >>> classifier.classes_.tolist(), classifier.predict_proba([["b", "y"]]).round(2).tolist()
    (['other', 'same'], [[0.02, 0.98]])
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "classes_",
        "class_probabilities_",
        "temperature_",
    )

    def __init__(self, model: Galileo | None = None) -> None:
        self.model = model

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GalileoClassifier:
        """Find the components of every class.

        Parameters
        ----------
        X : table
            As in `Galileo.fit`.
        y : array of shape (n_rows,)
            The class of each row: texts, whole numbers or booleans.
        sample_weight : array of shape (n_rows,), optional
            How many rows each row stands for.

        Returns
        -------
        GalileoClassifier
            The fitted classifier itself.

        Raises
        ------
        TableError
            Where the table, the classes or the weights cannot be used.
        ParameterError
        """
        unfitted = self._unfitted(random_state=0)
        parameters.check(unfitted)
        labels = _labels(y)
        if sample_weight is not None:
            labels = labels[check_weights(sample_weight, len(labels)) > 0]
        classes, codes = _classes(labels)
        with shown(unfitted.progress) as report, Folder() as folder:
            settings = parameters.fit_settings(unfitted, report)
            table = parameters.prepared(unfitted, X, sample_weight, folder, report)
            _check_rows(table, codes)
            settings = checkpointed(unfitted, table, settings, codes)
            everything = records_of(table.blocks, table.schema, settings)
            everything, settings = with_covariance(everything, settings)
            memory = bytes_of(unfitted.memory_limit)
            watch = Watch(settings.time_limit, settings.journal.seconds)
            each_class = class_mixtures(table, codes, everything, settings, memory, watch)
            watch.tell()
            found = joined(each_class)
            model = _model(table, everything, found, each_class, settings.criterion, watch)
        given = unfitted.get_params(deep=False)
        self._use(from_saved(Galileo, SavedModel(Galileo.__name__, given, model, {})))
        self.classes_, self.class_probabilities_ = classes, found.probabilities
        self.temperature_ = found.temperature
        forget(unfitted)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class for each row, (n_rows, n_classes)."""
        check_is_fitted(self)
        _refuse_lazy(X)
        shares = self.model_.predict_proba(X) ** (1.0 / self.temperature_)
        shares /= shares.sum(axis=1, keepdims=True)
        proba = shares @ self.class_probabilities_.T
        return proba / proba.sum(axis=1, keepdims=True)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row, (n_rows,)."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def explain(self, X: Any) -> Explanation:
        """Return which cells of every record are surprising, whatever its class.

        See `Galileo.explain` for what is returned.
        """
        check_is_fitted(self)
        return self.model_.explain(X)

    def _check_loaded(self) -> None:
        if not isinstance(self.temperature_, float) or not 1.0 <= self.temperature_ < np.inf:
            raise ValueError(f"temperature_ is {self.temperature_!r}, not a number of at least 1")
        self.classes_ = _different(self.classes_)
        shape = (len(self.classes_), self.model_.n_components_)
        check_array("class_probabilities_", self.class_probabilities_, shape)
        p = self.class_probabilities_
        if (p < 0).any() or (np.abs(p.sum(axis=0) - 1.0) > ROUNDING).any():
            raise ValueError("class_probabilities_ do not sum to one")


def _refuse_lazy(X: Any) -> None:
    """Refuse a table of Dask or Spark: classes may be of any type."""
    if is_dask(X) or is_spark(X):
        raise TableTypeError(
            "a classifier answers no tables of Dask or Spark: give it a partition at a time, as "
            "`map_partitions` of Dask and `mapInPandas` of Spark do"
        )


def _different(held: Any) -> NDArray[Any]:
    """Return saved classes, if that is what they are."""
    classes = np.array(held)
    if classes.ndim != 1 or classes.dtype.kind not in "biufU" or classes.tolist() != list(held):
        raise ValueError("classes_ are no texts, numbers or truth values")
    if len(classes) < 2 or len(np.unique(classes)) < len(classes):
        raise ValueError("classes_ are not two or more different classes")
    return classes


def _labels(y: Any) -> NDArray[Any]:
    """Return one label for each row, all of them known and of one type."""
    if y is None:
        raise TableError("GalileoClassifier requires y to be passed, but the target y is None")
    try:
        # numpy would make texts of all labels in a list where some are.
        given = np.array(y, object) if isinstance(y, list | tuple) else y
        labels = column_or_1d(given)
    except (TypeError, ValueError) as error:
        raise TableError(f"y: {error}") from None
    if np.asarray(given).ndim == 2:
        warn("A column-vector y was passed when a 1d array was expected.", DataConversionWarning)
    _refuse(np.asarray(pd.isna(labels)), "NaN")
    if labels.dtype.kind == "f":
        _refuse(~np.isfinite(labels), "infinity")
    if labels.dtype == object:
        types = sorted({type(label).__name__ for label in labels})
        if len(types) > 1:
            raise TableError(f"y mixes labels of different types: {', '.join(types)}")
        # At the end of a text numpy takes it for none, so that two labels would be one.
        _refuse(np.array([isinstance(x, str) and "\0" in x for x in labels]), "a NUL character")
        labels = np.array(labels.tolist())
    if labels.dtype.kind == "S":
        raise TableError("y holds bytes: turn them into text, as in np.char.decode(y, 'utf-8')")
    target = type_of_target(labels) if len(labels) else "multiclass"
    if target not in ("binary", "multiclass"):
        raise TableError(f"Unknown label type: {target}. y must hold classes, not quantities")
    return labels


def _refuse(wrong: NDArray[np.bool_], what: str) -> None:
    if wrong.any():
        raise TableError(f"no class: Input y contains {what}", row=int(wrong.argmax()))


def _classes(labels: NDArray[Any]) -> tuple[NDArray[Any], Labels]:
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        held = f"the one class {classes[0].item()!r}" if len(classes) else "no class"
        raise TableError(f"y holds {held}: there must be at least two classes to tell apart")
    return classes, codes.reshape(-1)


def _check_rows(table: Prepared, codes: Labels) -> None:
    n_rows = sum(map(len, table.blocks))
    if n_rows != len(codes):
        labels, rows = counted(len(codes), "label"), counted(n_rows, "row")
        raise TableError(f"y has {labels}, but the table has {rows}: give one for each")


def _model(
    table: Prepared,
    records: BlockRecords,
    found: Classes,
    classes: list[ClassMixture],
    criterion: str,
    watch: Watch,
) -> FittedModel:
    """Return the components of all classes as a fitted model of one size."""
    stats = records.expect(found.mixture)
    n_iter, converged = max(one.n_iter for one in classes), all(one.converged for one in classes)
    fit = Fit(found.mixture, stats, stats.log_likelihood, n_iter, converged)
    n_passes = records.n_passes + sum(one.n_passes for one in classes)
    took = SearchRecord(n_passes, watch.seconds, complete=not watch.has_stopped)
    return as_model([fit], fit, table, records, criterion, took)
