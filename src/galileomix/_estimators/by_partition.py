"""Answers to the tables of Dask and Spark: lazy, a partition at a time, as tables of theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from galileomix._estimators import dask_answers, spark_answers
from galileomix._estimators.parameters import new_table
from galileomix._table import is_dask, is_spark

Method = TypeVar("Method", bound=Callable[..., Any])
Names = str | Callable[[Any], Sequence[str]]
"""What one number for each row is called, or the function that names several, of the estimator."""


def by_partition(names: Names, dtype: type[np.generic]) -> Callable[[Method], Method]:
    """Let a method that answers rows with numbers answer lazy tables with lazy tables.

    A frame of Dask is answered by a series with its index, or by a frame where each row has several
    numbers; an array by an array; a frame of Spark by the same frame with columns added.
    """

    def decorated(method: Method) -> Method:
        @wraps(method)
        def answer(self: Any, X: Any) -> Any:
            library = _library(X)
            if library is None:
                return method(self, X)
            check_columns(self, X)
            called = names if isinstance(names, str) else list(names(self))
            return library.answered(self, X, method.__name__, called, dtype)

        return cast(Method, answer)

    return decorated


def is_lazy_frame(table: Any) -> bool:
    """Whether a table is a frame of Dask or Spark."""
    return is_spark(table) or (is_dask(table) and hasattr(table, "map_partitions"))


def imputed_by_partition(estimator: Any, X: Any, jointly: bool) -> Any:
    """Return a lazy frame with its missing cells filled."""
    check_columns(estimator, X)
    library = spark_answers if is_spark(X) else dask_answers
    return library.imputed(estimator, X, jointly)


def check_columns(estimator: Any, X: Any) -> None:
    """Raise `TableError` at once where columns that were fitted are not in a lazy table."""
    check_is_fitted(estimator)
    new_table(getattr(estimator, "model_", estimator), X)


def _library(table: Any) -> ModuleType | None:
    """Return what answers tables of a library; None where they are answered at once."""
    if is_spark(table):
        return spark_answers
    return dask_answers if is_dask(table) else None
