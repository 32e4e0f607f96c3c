"""Distances between all records of a table: Hamming's and Gower's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from galileomix.baselines._base import CodedTable

Matrix = NDArray[np.float32]


def hamming(table: CodedTable) -> Matrix:
    """Return the share of the categorical attributes, known in both records, that differ.

    It is 1 for two records that have no known attribute in common.

    Examples
    --------
    >>> from galileomix.baselines._base import coded
    >>> hamming(coded([["a", "x"], ["a", "y"], ["b", None]], missing="ignore")).tolist()
    [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    return _shares(*_mismatches(table))


def gower(table: CodedTable) -> Matrix:
    """Return Gower's distance: a mismatch is 1, and numbers count by their share of the range.

    It is the mean over the attributes known in both records; 1 where there is none.

    Examples
    --------
    >>> from galileomix.baselines._base import coded
    >>> gower(coded([["a", 1.5], ["a", 3.5], ["b", 5.5]])).tolist()
    [[0.0, 0.25, 1.0], [0.25, 0.0, 0.75], [1.0, 0.75, 0.0]]
    """
    total, both = _mismatches(table)
    for column in table.numbers.T.astype(np.float32):
        known = ~np.isnan(column)
        if known.any():
            spread = np.ptp(column[known])
            filled = np.where(known, column, np.float32(0.0)) / (spread if spread > 0 else 1)
            pairs = known[:, None] & known
            total += np.where(pairs, np.abs(filled[:, None] - filled), np.float32(0.0))
            both += pairs
    return _shares(total, both)


def _mismatches(table: CodedTable) -> tuple[Matrix, Matrix]:
    """Return how many attributes differ in each pair of records, and how many both know."""
    n = len(table)
    total, both = np.zeros((n, n), dtype=np.float32), np.zeros((n, n), dtype=np.float32)
    for column, known in zip(table.codes.T, table.known.T, strict=True):
        pairs = known[:, None] & known
        total += pairs & (column[:, None] != column)
        both += pairs
    return total, both


def _shares(total: Matrix, both: Matrix) -> Matrix:
    result = np.divide(total, both, out=np.ones_like(total), where=both > 0)
    np.fill_diagonal(result, 0.0)
    return result
