"""Models that commands fit to a table, with a status line on stderr."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from galileomix._cli.model_arguments import mixture_of
from galileomix._cli.options import FitOptions
from galileomix._cli.reporting import fit_progress
from galileomix._cli.table_arguments import table_name
from galileomix._cli.terminal import print_line
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.loading import Model
from galileomix._fitted.results import FitSummary
from galileomix._table import cells, open_table, read
from galileomix.errors import TableError

QUICK = {"effort": 0.1, "tol": 1e-6}
"""How models are fitted that are asked about rows, not looked at: the last digits do not matter."""
Estimator = TypeVar("Estimator", Galileo, GalileoClassifier, GalileoDetector)


def fit_clusters(table: Any, name: str, parameters: dict[str, Any]) -> tuple[Galileo, FitSummary]:
    """Find the clusters of a table."""
    began = time.perf_counter()
    model = _fitted(lambda unfitted: unfitted, open_table(table), name, parameters)
    return model, _summary(model, name, began)


def fit_classifier(
    table: Any, classes: Any, name: str, parameters: dict[str, Any]
) -> tuple[GalileoClassifier, FitSummary]:
    """Find the clusters of each class; `classes` is a table of one column."""
    began = time.perf_counter()
    column = read(classes).columns[0]
    labels = cells(column).tolist()
    if None in labels:
        row = labels.index(None) + 1
        raise TableError(f"the class is missing in row {row}", column=column.name)
    model = _fitted(GalileoClassifier, table, name, parameters, labels)
    return model, _summary(model, name, began)


def fit_detector(
    source: Any, contamination: float, fdr: float | None, fitting: FitOptions, engine: Any
) -> GalileoDetector:
    """Fit a detector of outliers."""
    parameters = {**QUICK, "engine": engine, **fitting.parameters(source.names)}
    detector = partial(GalileoDetector, contamination=contamination, fdr=fdr)
    return _fitted(detector, source, table_name(source), parameters)


def fit_imputer(source: Any, fitting: FitOptions, engine: Any) -> Galileo:
    """Fit a model that predicts missing values."""
    given = {"missing": "ignore", "engine": engine}
    parameters = {**QUICK, **given, **fitting.parameters(source.names)}
    return _fitted(lambda unfitted: unfitted, source, table_name(source), parameters)


def _fitted(
    estimator: Callable[[Galileo], Estimator],
    source: Any,
    name: str,
    parameters: dict[str, Any],
    labels: Any = None,
) -> Estimator:
    with fit_progress(source, name) as progress:
        unfitted = Galileo(**parameters, progress=progress)
        fitted = estimator(unfitted).fit(source, labels)
    for model in (unfitted, mixture_of(fitted)):
        # Neither a function nor the client of a cluster can be saved.
        model.progress, model.engine = False, "auto"
    print_line(f"columns: {mixture_of(fitted).schema_.in_words()}", stderr=True)
    return fitted


def _summary(model: Model, name: str, began: float) -> FitSummary:
    mixture = mixture_of(model)
    return FitSummary(
        name,
        round(mixture.n_records_),
        mixture.n_features_in_,
        mixture.path_,
        tuple(mixture.components()),
        mixture.search_,
        time.perf_counter() - began,
        mixture.n_components != "auto",
        mixture.schema_.columns,
    )
