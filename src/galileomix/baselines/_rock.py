"""ROCK: clusters of records that have many neighbours in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from galileomix._checks import check_choice, check_integer, check_number
from galileomix._table import Discretize, Missing
from galileomix._warn import warn
from galileomix.baselines import _rock_links, _rock_merges
from galileomix.baselines._base import (
    CategoricalChoice,
    CategoryClusterer,
    CodedTable,
    Floats,
    Ints,
    RandomState,
    largest_first,
    members,
)
from galileomix.errors import GalileoWarning

SIMILARITIES = ("jaccard", "matching")


class Rock(CategoryClusterer):
    """Cluster records by their links, the neighbours that they have in common.

    Two records are neighbours if their similarity is at least theta; the links of two records are
    the neighbours they have in common, neither of them counted. From single records, the two
    clusters of greatest goodness are merged again and again: their links, over
    (n + m)^(1+2f) - n^(1+2f) - m^(1+2f), with f = (1 - theta) / (1 + theta) [1]_. It ends with
    `n_clusters`, or with more where no two of them are linked. Of equally good pairs the one is
    merged whose clusters come first in the table, a cluster being where its first record is.

    Parameters
    ----------
    n_clusters : int, default=8
        How many clusters to end with. Records set aside do not count.
    theta : float, default=0.5
        The similarity from which on records are neighbours; at least 0, below 1.
    similarity : {"jaccard", "matching"}, default="jaccard"
        Of two records, the values they share over the values either has; or, of the attributes
        that are known in both, the share that agrees.
    min_neighbors : int, default=1
        Records with fewer neighbours are set aside as outliers before anything is merged. With 0
        none is, and a record without neighbours is a cluster of its own.
    min_cluster_size : int, default=1
        Clusters of fewer records are dropped as outliers once no more than `weed_at` times
        `n_clusters` are left.
    weed_at : float, default=3.0
        See `min_cluster_size`.
    sample_size : int, optional
        Cluster no more than so many records, drawn at random, and label all others by them: each
        goes to the cluster where it has most neighbours, over (n + 1)^f. Those that have none are
        outliers. All records are clustered by default, which takes time and room by the square of
        their number.
    categorical : "auto" or list of column names or positions, default="auto"
        Which columns are categories. By default all but those of floating-point numbers.
    missing : {"ignore", "category"}, default="ignore"
        Whether a missing value is left out, as in the ROCK paper, or is one more value.
    missing_values : sequence of str, default=()
        Text that means a missing value, such as ``"?"``.
    discretize : as in `galileomix.Galileo`, default="quantile"
        How numbers are cut into intervals.
    random_state : int, RandomState or None, default=None
        Draws the sample.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row, the largest 0; -1 for outliers.
    n_clusters_ : int
        How many clusters there are.
    merges_ : ndarray of shape (n_merges, 2)
        The rows that the two clusters of each merge begin with.
    goodness_ : ndarray of shape (n_merges,)
        The goodness of each merge.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    .. [1] S. Guha, R. Rastogi and K. Shim, "ROCK: A robust clustering algorithm for categorical
       attributes", Information Systems 25(5), 2000.

    Examples
    --------
    >>> from galileomix.baselines import Rock
    >>> table = [["a", "x", "p"], ["a", "x", "q"], ["a", "x", "r"], ["b", "y", "p"]]
    >>> Rock(n_clusters=1, theta=0.5).fit(table).labels_.tolist()
    [0, 0, 0, -1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        theta: float = 0.5,
        similarity: Literal["jaccard", "matching"] = "jaccard",
        min_neighbors: int = 1,
        min_cluster_size: int = 1,
        weed_at: float = 3.0,
        sample_size: int | None = None,
        categorical: CategoricalChoice = "auto",
        missing: Missing = "ignore",
        missing_values: Sequence[str] = (),
        discretize: Discretize = "quantile",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, categorical, missing, missing_values, discretize, random_state)
        self.theta = theta
        self.similarity: Literal["jaccard", "matching"] = similarity
        self.min_neighbors = min_neighbors
        self.min_cluster_size = min_cluster_size
        self.weed_at = weed_at
        self.sample_size = sample_size

    def _check(self) -> None:
        check_number("theta", self.theta, 0, 1, exclusive=True)
        check_choice("similarity", self.similarity, SIMILARITIES)
        check_integer("min_neighbors", self.min_neighbors, 0)
        check_integer("min_cluster_size", self.min_cluster_size, 1)
        if self.sample_size is not None:
            check_integer("sample_size", self.sample_size, 1, "an integer or None")
        check_number("weed_at", self.weed_at, 1)

    def _cluster(self, table: CodedTable, random: np.random.RandomState) -> Ints:
        n = len(table)
        if self.sample_size is None or self.sample_size >= n:
            labels = self._merged(table.codes, table.known, np.arange(n))
        else:
            labels = self._from_sample(table, np.sort(random.permutation(n)[: self.sample_size]))
        self._warn_of_unlinked(len(np.unique(labels[labels >= 0])))
        return labels

    def _from_sample(self, table: CodedTable, chosen: Ints) -> Ints:
        """Return the cluster of each record, where only those chosen are clustered."""
        labels = np.full(len(table), -1, dtype=np.int64)
        labels[chosen] = largest_first(
            self._merged(table.codes[chosen], table.known[chosen], chosen)
        )
        if labels.max() >= 0:
            others = np.setdiff1d(np.arange(len(table)), chosen)
            labels[others] = self._by_neighbors(table, labels, others)
        return labels

    def _merged(self, codes: NDArray[Any], known: NDArray[np.bool_], rows: Ints) -> Ints:
        """Return the cluster of each of these records, -1 for outliers; set ``merges_``."""
        graph: Any = _rock_links.neighbor_graph(codes, known, self.theta, self._jaccard)
        inside = np.flatnonzero(np.diff(graph.indptr) >= self.min_neighbors)
        links = _rock_links.link_counts(graph[inside][:, inside])
        del graph
        labels = np.full(len(codes), -1, dtype=np.int64)
        labels[inside], pairs = self._agglomerated(links)
        self.merges_ = rows[inside[pairs]]
        return labels

    def _agglomerated(self, links: Any) -> tuple[Ints, Ints]:
        """Return the cluster of each record, and the merges; set ``goodness_``."""
        n, k = links.shape[0], self.n_clusters
        power = _rock_merges.powers(n, self.theta)
        clusters, cells = _rock_merges.begin(links)
        drops = self.min_cluster_size > 1
        stop = int(self.weed_at * k) if drops else k
        pairs, values = _rock_merges.agglomerate(clusters, cells, power, n, stop)
        if drops:
            left = _rock_merges.drop_small(clusters, self.min_cluster_size)
            more, others = _rock_merges.agglomerate(clusters, cells, power, left, k)
            pairs, values = np.concatenate([pairs, more]), np.concatenate([values, others])
        self.goodness_: Floats = values
        return members(clusters.root, clusters.size), pairs

    def _by_neighbors(self, table: CodedTable, labels: Ints, others: Ints) -> Ints:
        """Return the clusters that the other records belong to by their neighbours."""
        counts = _rock_links.neighbor_counts(
            table.codes, table.known, others, labels, float(self.theta), self._jaccard
        )
        f = (1 - self.theta) / (1 + self.theta)
        expected = (np.bincount(labels[labels >= 0]) + 1.0) ** f
        return np.where(counts.any(axis=1), (counts / expected).argmax(axis=1), -1)

    def _warn_of_unlinked(self, found: int) -> None:
        if found == 0:
            warn(f"all records are outliers: theta={self.theta} is too large", GalileoWarning)
        elif found > self.n_clusters:
            left = f"{found} clusters are left, not {self.n_clusters}: no two of them are linked"
            warn(f"{left}; try a smaller theta or a larger min_cluster_size", GalileoWarning)

    @property
    def _jaccard(self) -> bool:
        return self.similarity == "jaccard"
