"""The hierarchical method of centroids on columns of 0 and 1, which ROCK was compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from galileomix._checks import check_number
from galileomix._table import Discretize, Missing
from galileomix.baselines import _centroid_loops
from galileomix.baselines._base import (
    CategoricalChoice,
    CategoryClusterer,
    CodedTable,
    Floats,
    Ints,
    RandomState,
    members,
)


class CentroidLinkage(CategoryClusterer):
    """Merge the clusters whose centroids are nearest, each value a column of 0 and 1.

    The traditional method of the ROCK paper [1]_: Euclidean distances between centroids, and
    clusters of a single record are dropped as outliers when a third as many clusters are left as
    there are records. Of equal distances that of the clusters that come first is taken, as far as
    rounding lets them be equal.

    Parameters
    ----------
    n_clusters : int, default=8
    weed_at : float, default=1/3
        Single records are dropped when the clusters are this share of the records; 0 drops none.
    categorical, missing_values, discretize
        As in `Rock`.
    missing : {"ignore", "category"}, default="ignore"
        Whether a missing value is 0 in all columns of its attribute, or has a column of its own.
    random_state : ignored
        There is no randomness; all baselines have this parameter.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row, the largest 0; -1 for outliers.
    n_clusters_ : int
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    .. [1] S. Guha, R. Rastogi and K. Shim, "ROCK: A robust clustering algorithm for categorical
       attributes", Information Systems 25(5), 2000.

    Examples
    --------
    >>> from galileomix.baselines import CentroidLinkage
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"], ["b", "y"], ["c", "z"]]
    >>> CentroidLinkage(n_clusters=2, weed_at=0.5).fit(table).labels_.tolist()
    [1, 1, 0, 0, 0, -1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        weed_at: float = 1 / 3,
        categorical: CategoricalChoice = "auto",
        missing: Missing = "ignore",
        missing_values: Sequence[str] = (),
        discretize: Discretize = "quantile",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, categorical, missing, missing_values, discretize, random_state)
        self.weed_at = weed_at

    def _check(self) -> None:
        check_number("weed_at", self.weed_at, 0, 1)

    def _cluster(self, table: CodedTable, random: np.random.RandomState) -> Ints:
        n = len(table)
        items = zeros_and_ones(table)
        centers = np.pad(items, ((0, 0), (0, -items.shape[1] % 4)))
        sizes, root = np.ones(n, dtype=np.int64), np.arange(n)
        stop = int(self.weed_at * n)
        if stop >= self.n_clusters:
            _centroid_loops.link(centers, sizes, root, stop)
            # Singles stay where fewer clusters than wanted would be left without them.
            if np.count_nonzero(sizes > 1) >= self.n_clusters:
                sizes[sizes == 1] = 0
        _centroid_loops.link(centers, sizes, root, self.n_clusters)
        return members(root, sizes)


def zeros_and_ones(table: CodedTable) -> Floats:
    """Return a column for each value of each attribute: 1 in the records that have it.

    Examples
    --------
    >>> from galileomix.baselines._base import coded
    >>> table = coded([["a", "x"], ["b", None], ["b", "y"]], missing="ignore")
    >>> zeros_and_ones(table).astype(int).tolist()
    [[1, 0, 1, 0], [0, 1, 0, 0], [0, 1, 0, 1]]
    """
    pairs = zip(table.codes.T, table.n_values, strict=True)
    items = [np.eye(size + 1)[column, :size] for column, size in pairs]
    return np.hstack([np.empty((len(table), 0)), *items])
