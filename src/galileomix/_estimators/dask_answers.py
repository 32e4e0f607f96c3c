"""Answers to Dask's tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from galileomix._estimators.light import light


def answered(
    estimator: Any, X: Any, method: str, called: str | list[str], dtype: type[np.generic]
) -> Any:
    """Return what a method says of the rows of a frame or an array."""
    if hasattr(X, "map_partitions"):
        empty = _no_rows(called, dtype)
        return X.map_partitions(_rows_answered, _sent(estimator), method, empty, meta=empty)
    rows, asked = X.rechunk({1: -1}), {"estimator": _sent(estimator), "method": method}
    if isinstance(called, str):
        return rows.map_blocks(_block_answered, drop_axis=1, meta=np.empty(0, dtype), **asked)
    chunks, meta = (rows.chunks[0], (len(called),)), np.empty((0, 0), dtype)
    return rows.map_blocks(_block_answered, chunks=chunks, meta=meta, **asked)


def imputed(estimator: Any, X: Any, jointly: bool) -> Any:
    """Return a frame with its missing cells filled."""
    return X.map_partitions(_imputed, _sent(estimator), jointly, meta=X._meta)


def _sent(estimator: Any) -> Any:
    """Return a fitted estimator as a task that goes out once."""
    from dask.delayed import delayed  # here: who has a Dask table has Dask

    return delayed(light(estimator), traverse=False, pure=False)


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
