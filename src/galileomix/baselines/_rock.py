"""ROCK: clusters of records that have many neighbours in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from galileomix._checks import check_choice, check_integer, check_number
from galileomix._table import Discretize, Missing
from galileomix._warn import warn
from galileomix.baselines import _rock_links, _rock_loops
from galileomix.baselines._base import (
    CategoricalChoice,
    CategoryClusterer,
    CodedTable,
    Floats,
    Ints,
    RandomState,
    largest_first,
)
from galileomix.errors import GalileoWarning, ParameterError

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
        Whether a missing cell is no item of a record, as in the ROCK paper, or one like others.
    missing_values : sequence of str, default=()
        Text that means that a cell is missing, such as ``"?"``.
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
        self.n_clusters = n_clusters
        self.theta = theta
        self.similarity: Literal["jaccard", "matching"] = similarity
        self.min_neighbors = min_neighbors
        self.min_cluster_size = min_cluster_size
        self.weed_at = weed_at
        self.sample_size = sample_size
        self.categorical: CategoricalChoice = categorical
        self.missing: Missing = missing
        self.missing_values = missing_values
        self.discretize: Discretize = discretize
        self.random_state = random_state

    def _check(self) -> None:
        check_number("theta", self.theta, 0, 1, exclusive=True)
        check_choice("similarity", self.similarity, SIMILARITIES)
        check_integer("min_neighbors", self.min_neighbors, 0)
        check_integer("min_cluster_size", self.min_cluster_size, 1)
        if self.sample_size is not None:
            check_integer("sample_size", self.sample_size, 1, "an integer or None")
        given: Any = self.weed_at
        if not isinstance(given, int | float) or isinstance(given, bool) or not given >= 1:
            raise ParameterError(f"weed_at={given!r}: it must be a number, at least 1")

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
        others = np.setdiff1d(np.arange(len(table)), chosen)
        found = largest_first(self._merged(table.codes[chosen], table.known[chosen], chosen))
        labels[chosen] = found
        labels[others] = self._labelled(table, chosen, found, others)
        return labels

    def _merged(self, codes: NDArray[Any], known: NDArray[np.bool_], rows: Ints) -> Ints:
        """Return the cluster of each of these records, -1 for outliers; keep the merges."""
        graph: Any = _rock_links.neighbor_graph(codes, known, self.theta, self._jaccard)
        inside = np.flatnonzero(np.diff(graph.indptr) >= self.min_neighbors)
        links = _rock_links.link_counts(graph[inside][:, inside])
        del graph
        labels = np.full(len(codes), -1, dtype=np.int64)
        labels[inside], pairs = self._agglomerated(links)
        self.merges_ = rows[inside[pairs]]
        return labels

    def _agglomerated(self, links: Any) -> tuple[Ints, Ints]:
        """Return the cluster of each record, and the merges."""
        n, k = links.shape[0], self.n_clusters
        power = _rock_loops.powers(n, self.theta)
        clusters, cells = _rock_loops.begin(links)
        weeds = self.min_cluster_size > 1
        stop = int(self.weed_at * k) if weeds else k
        pairs, values = _rock_loops.agglomerate(clusters, cells, power, n, stop)
        if weeds:
            left = _rock_loops.drop_small(clusters, cells, self.min_cluster_size)
            more, others = _rock_loops.agglomerate(clusters, cells, power, left, k)
            pairs, values = np.concatenate([pairs, more]), np.concatenate([values, others])
        self.goodness_: Floats = values
        return _rock_loops.members(clusters), pairs

    def _labelled(self, table: CodedTable, chosen: Ints, found: Ints, others: Ints) -> Ints:
        """Return the clusters that the other records belong to by their neighbours."""
        clusters = np.full(len(table), -1, dtype=np.int64)
        clusters[chosen] = found
        k = int(found.max(initial=-1)) + 1
        plan = (float(self.theta), self._jaccard, k)
        if k == 0:
            return np.full(len(others), -1, dtype=np.int64)
        counts = _rock_links.close_counts(table.codes, table.known, others, clusters, plan)
        f = (1 - self.theta) / (1 + self.theta)
        expected = (np.bincount(found[found >= 0], minlength=k) + 1.0) ** f
        return np.where(counts.any(axis=1), (counts / expected).argmax(axis=1), -1)

    def _warn_of_unlinked(self, found: int) -> None:
        if found == 0:
            warn(f"all records are outliers: theta={self.theta} is too much", GalileoWarning)
        elif found > self.n_clusters:
            left = f"{found} clusters are left, not {self.n_clusters}: no two of them are linked"
            warn(f"{left}; try a smaller theta or a larger min_cluster_size", GalileoWarning)

    @property
    def _jaccard(self) -> bool:
        return self.similarity == "jaccard"
