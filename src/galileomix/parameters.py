"""Checks of what a user may set, in words that name the parameter and what would be right."""

from __future__ import annotations

from typing import Any

import numpy as np

from galileomix.errors import ParameterError
from galileomix.table import binning_of, bytes_of

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
        value = getattr(estimator, name)
        if value not in choices:
            raise ParameterError(f"{name}={value!r}: it must be one of {', '.join(choices)}")
    if estimator.max_components != "auto":
        check_at_least("max_components", estimator.max_components, 1, "an integer or 'auto'")
    check_at_least("max_iter", estimator.max_iter, 1)
    _check_bool("refine", estimator.refine)
    if not callable(estimator.progress):
        _check_bool("progress", estimator.progress, "True, False or a function")
    if estimator.n_jobs is not None:
        _check_jobs(estimator.n_jobs)
    _check_real("step_root", estimator.step_root, 1.0)
    _check_real("prior_strength", estimator.prior_strength, 0.0)
    _check_real("tol", estimator.tol, 0.0)
    bytes_of(estimator.memory_limit)
    binning_of(estimator.discretize)


def check_at_least(name: str, value: Any, least: int, kind: str = "an integer") -> None:
    """Raise `ParameterError` unless the value is an integer of at least so much."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ParameterError(f"{name}={value!r}: it must be {kind}, at least {least}")


def _check_real(name: str, value: Any, least: float) -> None:
    real = isinstance(value, int | float | np.integer | np.floating)
    if not real or isinstance(value, bool) or not least <= value < float("inf"):
        raise ParameterError(f"{name}={value!r}: it must be a number, at least {least:g}")


def _check_bool(name: str, value: Any, kind: str = "True or False") -> None:
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name}={value!r}: it must be {kind}")


def _check_jobs(value: Any) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value == 0:
        raise ParameterError(f"n_jobs={value!r}: it must be a number of threads, or -1 for all")
