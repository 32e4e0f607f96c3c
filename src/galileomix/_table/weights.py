"""Sample weights: how many rows each row stands for."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix.errors import TableError

LEAST_WEIGHT, LARGEST_WEIGHT = 1e-6, 1e12
"""What a weight above zero may be: less is no row at all where rows are counted (`Digest`), and
sums of more have no digits left for single rows."""


def check_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return sample weights as an array; None is a weight of one for every row.

    A single number is the weight of every row. Raises TableError where weights do not have the
    shape ``(n_rows,)``, or are negative, too small or too large, or all zero.

    Examples
    --------
    >>> check_weights(None, 3)
    array([1., 1., 1.])
    >>> check_weights([1, -2], 2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    galileomix.errors.TableError: sample_weight, row 1: -2.0 is not a weight; ...
    """
    if sample_weight is None:
        return np.ones(n_rows)
    weights = usable_weights(sample_weight, n_rows)
    if not weights.any():
        raise no_weight()
    return weights


def no_weight() -> TableError:
    """Return the error for weights that are all zero."""
    return TableError("Sample weights must contain at least one non-zero number.")


def usable_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return the weights of some rows as an array; all of them may be zero."""
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(n_rows, _float(sample_weight))
    weights = _floats(sample_weight)
    if weights.ndim != 1:
        raise TableError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array. Expected "
            f"either a scalar value or a 1D array of length {n_rows}."
        )
    if weights.shape != (n_rows,):
        raise TableError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!")
    wrong = ~((weights >= LEAST_WEIGHT) & (weights <= LARGEST_WEIGHT)) & (weights != 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise TableError(
            f"sample_weight, row {row}: {weights[row]} is not a weight; weights are zero, or "
            f"from {LEAST_WEIGHT:.0e} to {LARGEST_WEIGHT:.0e}: how many rows each row stands for"
        )
    return weights


def _floats(sample_weight: Any) -> NDArray[np.float64]:
    array = np.asarray(sample_weight)
    if array.dtype.kind == "c":
        raise TableError("Complex data not supported: sample_weight holds complex numbers")
    try:
        return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
    except OverflowError:
        return np.array([_float(weight) for weight in array.flat]).reshape(array.shape)
    except (TypeError, ValueError) as error:
        raise TableError(f"sample_weight must hold numbers: {error}") from None


def _float(weight: Any) -> float:
    """Return a weight as a float, infinite where none can hold it."""
    try:
        return float(weight)
    except OverflowError:
        return math.inf
