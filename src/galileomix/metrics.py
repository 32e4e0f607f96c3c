"""Measures of how good a clustering of a table of categories is."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import xlogy

from galileomix._table import Missing, check_missing, check_weights
from galileomix.errors import TableError

FloatArray = npt.NDArray[np.float64]


def category_utility(
    X: Any,
    labels: npt.ArrayLike,
    *,
    per_cluster: bool = True,
    missing: Missing = "category",
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Measure how much better values can be guessed once the cluster is known.

    CU = (1/k) sum_i (n_i/N) sum_m sum_v [P(v|i)^2 - P(v)^2], over k clusters i, attributes m and
    their values v; the form of the summary table of the GALILEO paper.

    Parameters
    ----------
    X : table of shape (n_records, n_attributes)
        A frame, an array or a list of rows. Every value counts as a category.
    labels : array-like of shape (n_records,)
        The cluster of each record.
    per_cluster : bool, default=True
        Divide by the number of clusters, so that many clusters are no merit in themselves.
    missing : {"category", "ignore"}, default="category"
        Whether None and NaN count as one more value, or each attribute is measured on the records
        where it is not missing.
    sample_weight : array-like of shape (n_records,), optional
        How many records each record stands for.

    Returns
    -------
    float
        The category utility; 0 if the clusters do not help.

    Examples
    --------
    >>> from galileomix.metrics import category_utility
    >>> category_utility([["red"], ["red"], ["blue"], ["blue"]], [0, 0, 1, 1])
    0.25
    >>> category_utility([["red"], ["blue"], ["red"], ["blue"]], [0, 0, 1, 1])
    0.0
    """
    k, tables = _tables(X, labels, missing, sample_weight)
    gain = sum(map(_guessing_gain, tables), 0.0)
    return gain / k if per_cluster else gain


def expected_entropy(
    X: Any,
    labels: npt.ArrayLike,
    *,
    missing: Missing = "category",
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Measure how uncertain values are once the cluster is known.

    sum_i (n_i/N) sum_m S_im, with S_im the entropy of attribute m in cluster i, in natural units:
    the quantity that COOLCAT minimises.

    Parameters
    ----------
    X, labels, missing, sample_weight
        As in `category_utility`.

    Returns
    -------
    float
        The expected entropy; 0 if every cluster holds copies of one record.

    Examples
    --------
    >>> from galileomix.metrics import expected_entropy
    >>> expected_entropy([["red"], ["red"], ["blue"], ["blue"]], [0, 0, 1, 1])
    0.0
    >>> round(expected_entropy([["red"], ["blue"], ["red"], ["blue"]], [0, 0, 1, 1]), 4)
    0.6931
    """
    _, tables = _tables(X, labels, missing, sample_weight)
    return sum(map(_entropy_within, tables), 0.0)


def mean_density(
    X: Any, labels: npt.ArrayLike, *, sample_weight: npt.ArrayLike | None = None
) -> float:
    """Measure how densely the clusters fill the space of all possible records.

    sum_i (n_i/N) rho_i with rho_i = n_i exp(-sum_m S_im), the entropy-based density of the GALILEO
    paper, S_im being the entropy of attribute m in cluster i. A missing value is one more value.

    Parameters
    ----------
    X, labels, sample_weight
        As in `category_utility`.

    Returns
    -------
    float
        Above 0; 1 if every cluster is a box that holds each possible record once.

    Examples
    --------
    >>> from galileomix.metrics import mean_density
    >>> mean_density([["red"], ["red"], ["blue"], ["blue"]], [0, 0, 1, 1])
    2.0
    >>> round(mean_density([["red"], ["blue"], ["red"], ["blue"]], [0, 0, 1, 1]), 4)
    1.0
    """
    sizes: FloatArray = np.ones(1)
    log_volumes: FloatArray = np.zeros(1)
    for counts in _tables(X, labels, "category", sample_weight)[1]:
        sizes = counts.sum(axis=1)
        log_volumes = log_volumes + np.log(sizes) - xlogy(counts, counts).sum(axis=1) / sizes
    return float(sizes / sizes.sum() @ (sizes * np.exp(-log_volumes)))


def purity(
    classes: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Measure how well clusters separate known classes.

    The share of the records that are of the commonest class of their cluster. Many small clusters
    are always pure. Records of no cluster, labelled -1, count as one more cluster; leave them out
    where that is not intended.

    Parameters
    ----------
    classes : array-like of shape (n_records,)
        The class of each record.
    labels, sample_weight
        As in `category_utility`.

    Returns
    -------
    float
        Above 0, and 1 if every cluster holds one class only.

    Examples
    --------
    >>> from galileomix.metrics import purity
    >>> purity(["edible", "edible", "poisonous", "edible"], [0, 0, 1, 1])
    0.75
    """
    given = np.asarray(classes)
    if given.ndim != 1:
        raise TableError(f"classes must be one per record, not of shape {given.shape}")
    weight = _weights(sample_weight, len(given))
    known, cluster = _numbered(given, len(given), "classes"), _numbered(labels, len(given))
    counts = next(_contingencies(pd.DataFrame(known), cluster, weight, "category"))
    return float(counts.max(axis=1).sum() / weight.sum())


def _guessing_gain(counts: FloatArray) -> float:
    """sum_i (n_i/N) sum_v [P(v|i)^2 - P(v)^2] of one attribute's counts (cluster, value)."""
    n_i = counts.sum(axis=1)
    total = n_i.sum()
    within = ((counts**2).sum(axis=1) / n_i).sum() / total
    return float(within - ((counts.sum(axis=0) / total) ** 2).sum())


def _entropy_within(counts: FloatArray) -> float:
    """sum_i (n_i/N) S_i of one attribute's counts (cluster, value)."""
    n_i = counts.sum(axis=1)
    # n_i S_i = n_i log n_i - sum_v n_iv log n_iv, and abs() turns -0.0 into 0.0.
    return abs(float((xlogy(n_i, n_i) - xlogy(counts, counts).sum(axis=1)).sum() / n_i.sum()))


def _tables(
    X: Any, labels: npt.ArrayLike, missing: Missing, sample_weight: npt.ArrayLike | None
) -> tuple[int, Iterator[FloatArray]]:
    """Count the clusters, and the values of each attribute within them."""
    check_missing(missing)
    frame: pd.DataFrame = X.to_pandas() if hasattr(X, "to_pandas") else pd.DataFrame(X)
    weight = _weights(sample_weight, len(frame))
    cluster = _numbered(labels, len(frame))
    used = weight > 0
    k = len(np.unique(cluster[used]))
    return k, _contingencies(frame.loc[used], cluster[used], weight[used], missing)


def _contingencies(
    frame: pd.DataFrame, cluster: npt.NDArray[np.intp], weight: FloatArray, missing: Missing
) -> Iterator[FloatArray]:
    """Yield for each attribute the weight of every value in every cluster that has any."""
    for m in range(frame.shape[1]):
        code, values = pd.factorize(frame.iloc[:, m])
        n_values = len(values) + 1
        known = code >= 0 if missing == "ignore" else np.ones(len(code), dtype=np.bool_)
        # The code of a missing value is -1; modulo, it is the last one.
        cell = cluster[known] * n_values + code[known] % n_values
        size = (cluster.max() + 1) * n_values
        counts = np.bincount(cell, weight[known], minlength=size).astype(np.float64)
        counts = counts.reshape(-1, n_values)
        counts = counts[counts.sum(axis=1) > 0]
        if len(counts):
            yield counts


def _numbered(labels: npt.ArrayLike, n_records: int, name: str = "labels") -> npt.NDArray[np.intp]:
    """Return the clusters numbered from 0."""
    given = np.asarray(labels)
    if given.shape != (n_records,):
        raise TableError(f"{name} must be one per record ({n_records}), not of shape {given.shape}")
    cluster, _ = pd.factorize(given)
    if (cluster < 0).any():
        raise TableError(f"{name} has no value in row {int(np.argmin(cluster))}")
    return cluster


def _weights(sample_weight: npt.ArrayLike | None, n_records: int) -> FloatArray:
    """Return the checked weights, or a weight of 1 for every record."""
    if n_records == 0:
        raise TableError("X has no records")
    return check_weights(sample_weight, n_records)
