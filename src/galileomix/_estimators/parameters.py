"""The parameters of a `Galileo`: checked, and as what the rooms below take."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from typing import Any

import numpy as np

from galileomix._checks import (
    check_bool,
    check_choice,
    check_integer,
    check_number,
    check_positive,
)
from galileomix._estimators.engine_choice import check_engine, is_session
from galileomix._estimators.table_input import model_of
from galileomix._estimators.table_weights import check_form, in_memory
from galileomix._fitted.fit import FitSettings
from galileomix._fitted.new_table import NewTable, ReadingOptions
from galileomix._fitted.seeds import random_numbers, seed_of
from galileomix._model.criteria import CRITERION_NAMES
from galileomix._passes import RemoteTable
from galileomix._progress import Report
from galileomix._table import (
    AttributeRules,
    Folder,
    MissingValues,
    Prepared,
    Rules,
    Source,
    SparkSource,
    TypeChoices,
    binning_of,
    bytes_of,
    open_table,
    prepare,
)
from galileomix.errors import ParameterError

CHOICES: dict[str, tuple[str, ...]] = {
    "criterion": CRITERION_NAMES,
    "pruning": ("entropy", "cartesian"),
    "centers": ("records", "marginals"),
    "covariance": ("auto", "full", "diagonal"),
    "predictive": ("stack", "chosen"),
    "missing": ("category", "ignore"),
    "unseen": ("ignore", "error"),
    "transform_numbers": ("auto", "none"),
}
MOST_EFFORT = 1e6
OF_A_FIT = ("seed", "report", "journal")
"""Settings of a fit that are no parameters."""


def check(estimator: Any) -> None:
    """Raise `ParameterError` for the first parameter that makes no sense."""
    for name, choices in CHOICES.items():
        check_choice(name, getattr(estimator, name), choices)
    _check_numbers_of_components(estimator.n_components, estimator.max_components)
    check_integer("max_iter", estimator.max_iter, 1)
    check_bool("refine", estimator.refine)
    check_bool("default_missing", estimator.default_missing)
    if not callable(estimator.progress):
        check_bool("progress", estimator.progress, "True, False or a function")
    if estimator.n_jobs is not None:
        _check_jobs(estimator.n_jobs)
    check_number("step_root", estimator.step_root, 1.0)
    check_number("prior_strength", estimator.prior_strength, 0.0)
    check_number("tol", estimator.tol, 0.0)
    check_positive("effort", estimator.effort, MOST_EFFORT)
    if estimator.time_limit is not None:
        check_positive("time_limit", estimator.time_limit)
    bytes_of(estimator.memory_limit)
    random_numbers(estimator.random_state)
    if not isinstance(estimator.checkpoint, str | os.PathLike | None):
        raise ParameterError(f"checkpoint={estimator.checkpoint!r}: it must be a directory or None")
    check_engine(estimator.engine)
    binning_of(estimator.discretize)


def _check_numbers_of_components(n_components: Any, max_components: Any) -> None:
    given = {"n_components": n_components, "max_components": max_components}
    numbers = {name: number for name, number in given.items() if number != "auto"}
    for name, number in numbers.items():
        check_integer(name, number, 1, "an integer or 'auto'")
    if len(numbers) == 2 and n_components > max_components:
        raise ParameterError(
            f"n_components={n_components} is more than max_components={max_components}: "
            f"leave one of them out"
        )


def _check_jobs(value: Any) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value == 0:
        raise ParameterError(f"n_jobs={value!r}: it must be a number of threads, or -1 for all")


def fit_settings(estimator: Any, report: Report | None = None) -> FitSettings:
    """Return how an estimator searches for its model, and what is told of progress."""
    names = (field.name for field in fields(FitSettings) if field.name not in OF_A_FIT)
    given = {name: getattr(estimator, name) for name in names}
    return FitSettings(**given, seed=seed_of(estimator.random_state), report=report)


def new_table(estimator: Any, X: Any) -> NewTable:
    """Return a table for a fitted estimator to judge."""
    model = model_of(estimator)
    missing = missing_of(estimator)
    reading = ReadingOptions(missing, estimator.unseen, type(estimator).__name__)
    return NewTable.open(X, model.schema, model.named, reading)


def missing_of(estimator: Any) -> MissingValues:
    """Return what means missing."""
    return MissingValues.of(estimator.missing_values, estimator.default_missing)


def opened(estimator: Any, X: Any, sample_weight: Any = None) -> Source:
    """Open a table, with what an estimator says of its columns.

    A column that holds the weights is left out.
    """
    binning = binning_of(estimator.discretize)
    cut = () if binning is None else tuple(binning.columns)
    names = ("categorical", "numeric", "ordered", "drop")
    said: dict[str, Any] = {name: getattr(estimator, name) for name in names}
    if isinstance(sample_weight, str):
        said["drop"] = [*said["drop"], sample_weight]
    return open_table(X, TypeChoices(**said, cut=cut), missing_of(estimator))


def prepared(
    estimator: Any, X: Any, sample_weight: Any, folder: Folder, report: Report | None = None
) -> Prepared:
    """Return a table in blocks, which may lie in the folder."""
    check_form(sample_weight, X)
    source = opened(estimator, X, sample_weight)
    rules = Rules(bytes_of(estimator.memory_limit), _attribute_rules(estimator, source))
    return prepare(source, folder, rules, in_memory(sample_weight, X), report)


def prepared_on(cluster: Any, estimator: Any, X: Any, sample_weight: Any) -> Prepared | RemoteTable:
    """Return a table whose blocks lie on a cluster, of Dask or Spark, unless they are few."""
    if is_session(cluster):  # imported here: neither Dask nor Spark need be installed
        from galileomix._passes.spark_blocks import prepare_on
    else:
        from galileomix._passes.dask_blocks import prepare_on

    check_form(sample_weight, X)
    source = opened(estimator, X, sample_weight)
    if isinstance(source, SparkSource):
        source = replace(source, weight=sample_weight)
    rules = _attribute_rules(estimator, source)
    return prepare_on(cluster, source, rules, estimator.n_jobs, sample_weight)


def _attribute_rules(estimator: Any, source: Source) -> AttributeRules:
    binning = binning_of(estimator.discretize)
    named = None if binning is None else binning.by_name(source.names)
    reshape = estimator.transform_numbers == "auto"
    return AttributeRules(estimator.missing, named, estimator.criterion, reshape)
