"""The weights of rows, in the form that goes with their table."""

from __future__ import annotations

from typing import Any

from galileomix._table import is_dask, is_spark, weights_in
from galileomix.errors import ParameterError


def check_form(sample_weight: Any, X: Any) -> None:
    """Raise `ParameterError` where weights are given in a form that a table does not take.

    Rows of a Spark frame have no numbers by which an array could be laid beside them.
    """
    if sample_weight is None:
        return
    if is_spark(X):
        _check_column(sample_weight, X.columns)
    elif isinstance(sample_weight, str):
        raise ParameterError(
            f"sample_weight={sample_weight!r}: the name of a column is for Spark frames; give an "
            f"array with one weight for each row"
        )
    elif is_spark(sample_weight) or (is_dask(sample_weight) and not is_dask(X)):
        raise ParameterError(
            "sample_weight is of a cluster, and the table is not: give an array with one weight "
            "for each row"
        )


def _check_column(sample_weight: Any, names: list[str]) -> None:
    if not isinstance(sample_weight, str):
        raise ParameterError(
            "sample_weight must be the name of a column where the table is a Spark frame, whose "
            "rows have no numbers: add the weights to the frame as a column"
        )
    if sample_weight not in names:
        shown = ", ".join(map(repr, names[:10]))
        raise ParameterError(
            f"sample_weight={sample_weight!r}: the frame has no such column; it has {shown}"
        )


def in_memory(sample_weight: Any, X: Any) -> Any:
    """Return the weights of the rows of a table as an array, or whatever else was given."""
    if isinstance(sample_weight, str) and is_spark(X):
        return weights_in(X, sample_weight)
    lazy: Any = sample_weight
    return lazy.compute() if is_dask(lazy) else lazy
