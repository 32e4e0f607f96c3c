"""Answers to Dask's tables: lazy, a partition at a time, as tables of Dask."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from galileomix._table import is_dask

Method = TypeVar("Method", bound=Callable[..., Any])
Names = str | Callable[[Any], Sequence[str]]
"""What one number for each row is called, or the function that names several, of the estimator."""
OF_FITTED_ROWS = ("labels_", "scores_", "kinds_")
"""Attributes that no answer needs, and that may be as long as the table that was fitted."""


def by_partition(names: Names, dtype: type[np.generic]) -> Callable[[Method], Method]:
    """Let a method that answers rows with numbers answer Dask's tables with tables of Dask.

    A frame is answered by a series with its index, or by a frame where each row has several
    numbers; an array by an array.
    """

    def decorated(method: Method) -> Method:
        @wraps(method)
        def answer(self: Any, X: Any) -> Any:
            if not is_dask(X):
                return method(self, X)
            check_is_fitted(self)
            called = names if isinstance(names, str) else list(names(self))
            if is_dask_frame(X):
                return _of_frame(self, X, method.__name__, _no_rows(called, dtype))
            return _of_array(self, X, method.__name__, called, dtype)

        return cast(Method, answer)

    return decorated


def is_dask_frame(table: Any) -> bool:
    """Whether a table is a frame of Dask."""
    return is_dask(table) and hasattr(table, "map_partitions")


def imputed_by_partition(estimator: Any, X: Any, jointly: bool) -> Any:
    """Return a Dask frame with its missing cells filled."""
    return X.map_partitions(_imputed, sent(estimator), jointly, meta=X._meta)


def sent(estimator: Any) -> Any:
    """Return a fitted estimator as a task that goes out once, without what no answer needs."""
    from dask.delayed import delayed  # here: who has a Dask table has Dask

    light = copy.copy(estimator)
    for name in OF_FITTED_ROWS:
        vars(light).pop(name, None)
    if hasattr(light, "progress"):
        light.progress = False
    return delayed(light, traverse=False, pure=False)


def _of_frame(estimator: Any, X: Any, method: str, empty: Any) -> Any:
    return X.map_partitions(_rows_answered, sent(estimator), method, empty, meta=empty)


def _of_array(
    estimator: Any, X: Any, method: str, called: str | list[str], dtype: type[np.generic]
) -> Any:
    rows, asked = X.rechunk({1: -1}), {"estimator": sent(estimator), "method": method}
    if isinstance(called, str):
        return rows.map_blocks(_block_answered, drop_axis=1, meta=np.empty(0, dtype), **asked)
    chunks, meta = (rows.chunks[0], (len(called),)), np.empty((0, 0), dtype)
    return rows.map_blocks(_block_answered, chunks=chunks, meta=meta, **asked)


def _no_rows(called: str | list[str], dtype: type[np.generic]) -> Any:
    """Return the answer to no rows."""
    if isinstance(called, str):
        return pd.Series([], dtype=dtype, name=called)
    return pd.DataFrame({name: pd.Series([], dtype=dtype) for name in called})


def _rows_answered(partition: Any, estimator: Any, method: str, empty: Any) -> Any:
    """Return what a method says of the rows of a partition, with their index."""
    if not len(partition):
        return empty
    found = getattr(estimator, method)(partition)
    if isinstance(empty, pd.Series):
        return pd.Series(found, index=partition.index, name=empty.name)
    return pd.DataFrame(found, index=partition.index, columns=empty.columns)


def _block_answered(block: Any, estimator: Any, method: str) -> Any:
    return getattr(estimator, method)(block)


def _imputed(partition: Any, estimator: Any, jointly: bool) -> Any:
    return estimator.impute(partition, jointly=jointly) if len(partition) else partition
