"""Clustering methods for tables of categories, ours and those of libraries, all called alike."""

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
from galileomix._table import open_table, typed
from galileomix.baselines._base import CodedTable, Ints, coded, largest_first
from galileomix.baselines._centroid_linkage import CentroidLinkage, zeros_and_ones
from galileomix.baselines._coolcat import Coolcat
from galileomix.baselines._distances import Matrix, gower, hamming
from galileomix.baselines._kmodes import KModes
from galileomix.baselines._rock import Rock
from galileomix.errors import TableError

Labeller = Callable[..., NDArray[Any] | tuple[NDArray[Any], float]]
"""Takes a table, k and options; returns labels in any order, and some their BIC."""
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
    """A clustering method to compare with.

    Parameters
    ----------
    label : callable
        Takes a table, the number of clusters and options; returns labels, or labels and a BIC.
    needs_k : bool
        Whether it needs the number of clusters; others ignore it.
    most_rows : int or None
        How many rows it can take; None for any number.
    numbers : {"taken", "cut", "left out"}
        Whether it uses numbers as they are, cuts them into intervals, or ignores them.

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
            What `galileomix.Galileo.fit` takes. Missing values are left out where the method
            allows it, and are one more value elsewhere.
        k : int, optional
            The number of clusters, for methods that need it.
        **options
            Passed on to the estimator.
        """
        return self.clustering(table, k, **options)[0]

    def clustering(
        self, table: Any, k: int | None = None, **options: Any
    ) -> tuple[Ints, float | None]:
        """Return the labels, and the BIC where the method is a mixture model like Galileo.

        Parameters
        ----------
        table, k, **options
            As in `__call__`.
        """
        if self.needs_k:
            check_integer("k", k, 1)
        columns = typed(open_table(table))
        if self.most_rows is not None and columns.n_rows > self.most_rows:
            raise TableError(
                f"the table has {columns.n_rows} rows; this method takes at most {self.most_rows}"
            )
        found = self.label(columns, k, **options)
        labels, bic = found if isinstance(found, tuple) else (found, None)
        return largest_first(np.asarray(labels)), bic


def rivals(random_state: int = 0) -> dict[str, Rival]:
    """Return all methods to compare with, by name; StepMix and kmodes where installed.

    Parameters
    ----------
    random_state : int, default=0
        The seed of methods that draw at random.

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


def _ours(clusterer: Any, seed: int, table: Any, k: int, **options: Any) -> NDArray[Any]:
    return clusterer(k, random_state=seed, **options).fit(table).labels_


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
    settings: Any = {"metric": "precomputed", "copy": False} | options
    return HDBSCAN(**settings).fit_predict(matrix)


def _agglomerative(distances: Distances, table: Any, k: int, **options: Any) -> NDArray[Any]:
    matrix = distances(coded(table, missing="ignore"))
    settings: Any = {"metric": "precomputed", "linkage": "average"} | options
    return AgglomerativeClustering(k, **settings).fit_predict(matrix)


def _gaussian_mixture(seed: int, table: Any, k: int, **options: Any) -> NDArray[Any]:
    """Fit Gaussians to columns of 0 and 1 and to numbers, missing ones at their mean."""
    cells = coded(table)
    columns = np.hstack([zeros_and_ones(cells), np.nan_to_num(cells.numbers)])
    settings: Any = {"covariance_type": "diag", "n_init": 5} | options
    return GaussianMixture(k, random_state=seed, **settings).fit_predict(columns)


def _stepmix(seed: int, table: Any, k: int, **options: Any) -> tuple[NDArray[Any], float]:
    StepMix = import_module("stepmix").StepMix  # may not be there
    cells = coded(table, discretize="quantile")
    settings = {"n_init": 20, "progress_bar": 0} | options
    model = StepMix(k, measurement="categorical", random_state=seed, **settings).fit(cells.codes)
    # StepMix itself counts as many values for every attribute as the widest has.
    parameters = (k - 1) + k * int((cells.n_values - 1).sum())
    log_likelihood = len(cells) * float(model.score(cells.codes))
    return model.predict(cells.codes), parameters * np.log(len(cells)) - 2 * log_likelihood


def _kmodes(seed: int, table: Any, k: int, **options: Any) -> NDArray[Any]:
    Packaged = import_module("kmodes.kmodes").KModes  # may not be there
    codes = coded(table, discretize="quantile").codes
    settings = {"init": "Huang", "n_init": 10} | options
    return Packaged(k, random_state=seed, **settings).fit_predict(codes)
