"""Checks of what a user may set on a `Galileo`."""

from __future__ import annotations

from typing import Any

import numpy as np

from galileomix._checks import check_bool, check_choice, check_integer, check_number
from galileomix._table import binning_of, bytes_of
from galileomix.errors import ParameterError

CHOICES: dict[str, tuple[str, ...]] = {
    "criterion": ("bic", "aic", "density"),
    "pruning": ("entropy", "cartesian"),
    "centers": ("records", "marginals"),
    "covariance": ("full", "diagonal"),
    "missing": ("category", "ignore"),
    "unseen": ("ignore", "error"),
}


def check(estimator: Any) -> None:
    """Raise `ParameterError` for the first parameter that makes no sense."""
    for name, choices in CHOICES.items():
        check_choice(name, getattr(estimator, name), choices)
    if estimator.max_components != "auto":
        check_integer("max_components", estimator.max_components, 1, "an integer or 'auto'")
    check_integer("max_iter", estimator.max_iter, 1)
    check_bool("refine", estimator.refine)
    if not callable(estimator.progress):
        check_bool("progress", estimator.progress, "True, False or a function")
    if estimator.n_jobs is not None:
        _check_jobs(estimator.n_jobs)
    check_number("step_root", estimator.step_root, 1.0)
    check_number("prior_strength", estimator.prior_strength, 0.0)
    check_number("tol", estimator.tol, 0.0)
    bytes_of(estimator.memory_limit)
    binning_of(estimator.discretize)


def _check_jobs(value: Any) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value == 0:
        raise ParameterError(f"n_jobs={value!r}: it must be a number of threads, or -1 for all")
