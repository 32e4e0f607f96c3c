"""What clusters tables of categories, ours and that of other libraries, all called alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering
from sklearn.mixture import GaussianMixture

from galileomix._checks import check_integer
from galileomix._table import read
from galileomix.baselines._base import CodedTable, Ints, coded, largest_first
from galileomix.baselines._centroid_linkage import CentroidLinkage, zeros_and_ones
from galileomix.baselines._coolcat import Coolcat
from galileomix.baselines._distances import Matrix, gower, hamming
from galileomix.baselines._kmodes import KModes
from galileomix.baselines._rock import Rock
from galileomix.errors import TableError

Labeller = Callable[..., NDArray[Any] | tuple[NDArray[Any], float]]
"""Takes a table, k and options, returns labels in whatever order; some return their BIC besides."""
Numbers = Literal["taken", "cut", "left out"]
Distances = Callable[[CodedTable], Matrix]

MATRIX = 20_000
"""Rows of which a matrix of distances in single precision takes 1.6 GB."""
LINKS = 10_000
"""Rows whose links take about 3 GB where all are linked; a sample can be drawn of more."""
PACKAGES = {"stepmix": "stepmix", "kmodes package": "kmodes"}
"""The rivals that need a package of their own, and what it is called."""


@dataclass(frozen=True)
class Rival:
    """A way to cluster a table.

    Parameters
    ----------
    label : callable
        What does the work.
    needs_k : bool
        Whether it must be told the number of clusters; otherwise that is not listened to.
    most_rows : int or None
        How many rows it can take; None where it goes by their number alone.
    numbers : {"taken", "cut", "left out"}
        What becomes of numbers: it knows what to do with them, cuts them into intervals, or looks
        at categories only.

    Examples
    --------
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]]
    >>> rivals()["agglomerative gower"](table, 2).tolist()
    [0, 0, 1, 1]
    >>> rivals()["rock"](table * 2, 2, theta=0.8).tolist()
    [0, 0, 1, 1, 0, 0, 1, 1]
    """

    label: Labeller
    needs_k: bool
    most_rows: int | None = None
    numbers: Numbers = "cut"

    def __call__(self, table: Any, k: int | None = None, **options: Any) -> Ints:
        """Return the labels of a table's rows, the largest cluster 0, -1 for outliers.

        Parameters
        ----------
        table : table
            What `galileomix._table.open_table` takes; missing cells are left out where the method
            can, and a value of their own elsewhere.
        k : int, optional
            The number of clusters, where it must be told.
        **options
            Passed on to the estimator behind it.
        """
        return self.clustering(table, k, **options)[0]

    def clustering(
        self, table: Any, k: int | None = None, **options: Any
    ) -> tuple[Ints, float | None]:
        """Return the labels, and the BIC where it is a mixture of the same kind as Galileo's.

        Parameters
        ----------
        table, k, **options
            As when it is called.
        """
        if self.needs_k:
            check_integer("k", k, 1)
        columns = read(table)
        if self.most_rows is not None and columns.n_rows > self.most_rows:
            raise TableError(f"{columns.n_rows} rows; this one can take {self.most_rows}")
        found = self.label(columns, k, **options)
        labels, bic = found if isinstance(found, tuple) else (found, None)
        return largest_first(np.asarray(labels)), bic


def rivals(random_state: int = 0) -> dict[str, Rival]:
    """Return all that can be compared with, by name; StepMix and kmodes where installed.

    Parameters
    ----------
    random_state : int, default=0
        Seeds those that draw.

    Returns
    -------
    dict of str to Rival

    Examples
    --------
    >>> found = rivals()
    >>> found["rock"].needs_k, found["hdbscan hamming"].needs_k, found["coolcat"].most_rows
    (True, False, None)
    """
    seed = random_state
    found = {
        "rock": Rival(partial(_ours, Rock, seed), True, LINKS),
        "coolcat": Rival(partial(_ours, Coolcat, seed), True),
        "k-modes": Rival(partial(_ours, KModes, seed), True),
        "centroid linkage": Rival(partial(_ours, CentroidLinkage, seed), True, MATRIX),
        "gaussian mixture": Rival(partial(_gaussian_mixture, seed), True, 1_000_000, "taken"),
        **_by_distances("hamming", hamming, "left out"),
        **_by_distances("gower", gower, "taken"),
        "stepmix": Rival(partial(_stepmix, seed), True),
        "kmodes package": Rival(partial(_kmodes, seed), True),
    }
    absent = {name for name, package in PACKAGES.items() if find_spec(package) is None}
    return {name: rival for name, rival in found.items() if name not in absent}


def _by_distances(name: str, distances: Distances, numbers: Numbers) -> dict[str, Rival]:
    return {
        f"dbscan {name}": Rival(partial(_dbscan, distances), False, MATRIX, numbers),
        f"hdbscan {name}": Rival(partial(_hdbscan, distances), False, MATRIX, numbers),
        f"agglomerative {name}": Rival(partial(_agglomerative, distances), True, MATRIX, numbers),
    }


def _ours(kind: Any, seed: int, table: Any, k: int, **options: Any) -> NDArray[Any]:
    return kind(k, random_state=seed, **options).fit(table).labels_


def _dbscan(distances: Distances, table: Any, k: Any, **options: Any) -> NDArray[Any]:
    matrix = distances(coded(table, missing="ignore"))
    if "eps" not in options:
        # As far as the fifth neighbour of the median record; a radius of 0 is not allowed.
        place = min(5, len(matrix) - 1)
        radius = float(np.median(np.partition(matrix, place, axis=1)[:, place]))
        options["eps"] = max(radius, 1e-9)
    return DBSCAN(metric="precomputed", **options).fit_predict(matrix)


def _hdbscan(distances: Distances, table: Any, k: Any, **options: Any) -> NDArray[Any]:
    matrix = distances(coded(table, missing="ignore")).astype(np.float64)
    given: dict[str, Any] = {"copy": False} | options
    return HDBSCAN(metric="precomputed", **given).fit_predict(matrix)


def _agglomerative(distances: Distances, table: Any, k: int, **options: Any) -> NDArray[Any]:
    matrix = distances(coded(table, missing="ignore"))
    given: dict[str, Any] = {"linkage": "average"} | options
    return AgglomerativeClustering(k, metric="precomputed", **given).fit_predict(matrix)


def _gaussian_mixture(seed: int, table: Any, k: int, **options: Any) -> NDArray[Any]:
    """Fit Gaussians to columns of 0 and 1 and to numbers, unknown ones at their centre."""
    cells = coded(table)
    columns = np.hstack([zeros_and_ones(cells), np.nan_to_num(cells.numbers)])
    given: dict[str, Any] = {"covariance_type": "diag", "n_init": 5} | options
    return GaussianMixture(k, random_state=seed, **given).fit_predict(columns)


def _stepmix(seed: int, table: Any, k: int, **options: Any) -> tuple[NDArray[Any], float]:
    StepMix = import_module("stepmix").StepMix  # may not be there
    cells = coded(table, discretize="quantile")
    given: dict[str, Any] = {"n_init": 20, "progress_bar": 0} | options
    model = StepMix(k, measurement="categorical", random_state=seed, **given).fit(cells.codes)
    # StepMix itself counts as many values for every attribute as the widest has.
    parameters = (k - 1) + k * int((cells.n_values - 1).sum())
    log_likelihood = len(cells) * float(model.score(cells.codes))
    return model.predict(cells.codes), parameters * np.log(len(cells)) - 2 * log_likelihood


def _kmodes(seed: int, table: Any, k: int, **options: Any) -> NDArray[Any]:
    Packaged = import_module("kmodes.kmodes").KModes  # may not be there
    codes = coded(table, discretize="quantile").codes
    given: dict[str, Any] = {"init": "Huang", "n_init": 10} | options
    return Packaged(k, random_state=seed, **given).fit_predict(codes)
