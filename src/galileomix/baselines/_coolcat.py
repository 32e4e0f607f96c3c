"""COOLCAT: records placed one by one where they raise the entropy least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from galileomix._checks import check_integer, check_number
from galileomix._table import Discretize, Missing
from galileomix.baselines import _coolcat_loops
from galileomix.baselines._base import (
    CategoricalChoice,
    CategoryClusterer,
    CodedTable,
    Floats,
    Ints,
    RandomState,
)
from galileomix.baselines._coolcat_loops import ClusterCounts


class Coolcat(CategoryClusterer):
    """Cluster records by placing each where it raises the expected entropy least.

    The clusters begin with `n_clusters` records of a sample that are as unlike as can be: the pair
    that would make the cluster of greatest entropy, then always the record whose least such
    entropy with those chosen is greatest. The other records follow in the order of the table, in
    batches. After a batch those that fit their clusters worst, by the probability of their values
    there, are taken out and placed again [1]_. Of equal choices the first is taken.

    Parameters
    ----------
    n_clusters : int, default=8
        How many clusters to make.
    sample_size : int, default=1000
        How many records, drawn at random, the first ones are chosen from; the time for that grows
        with its square.
    batch_size : int, default=100
        After how many records the worst are placed again.
    replaced : float, default=0.2
        The share of a batch that is placed again, m in the paper; with 0 none is.
    n_passes : int, default=3
        How often the whole table is a last batch, of which the same share is placed again. It has
        0 in the COOLCAT paper, and 1 in the R package that the GALILEO paper compares with; more
        depend less on the order of the rows.
    n_init : int, default=1
        How many orders of the records are tried, the first that of the table, the others drawn at
        random; the one that ends with the least expected entropy is taken.
    categorical, missing_values, discretize
        As in `Rock`.
    missing : {"category", "ignore"}, default="category"
        Whether a missing value is one more value, or is ignored.
    random_state : int, RandomState or None, default=None
        Draws the orders, and the sample where the table has more records than that.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row, the largest 0.
    n_clusters_ : int
    expected_entropy_ : float
        The expected entropy of the clusters, as `galileomix.metrics.expected_entropy` has it.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    .. [1] D. Barbará, J. Couto and Y. Li, "COOLCAT: An entropy-based algorithm for categorical
       clustering", CIKM 2002.

    Examples
    --------
    >>> from galileomix.baselines import Coolcat
    >>> table = [
    ...     ["a", "x", "p"],
    ...     ["b", "y", "q"],
    ...     ["a", "x", "p"],
    ...     ["b", "y", "q"],
    ...     ["b", "y", "p"],
    ... ]
    >>> Coolcat(n_clusters=2).fit(table).labels_.tolist()
    [1, 0, 1, 0, 0]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        sample_size: int = 1000,
        batch_size: int = 100,
        replaced: float = 0.2,
        n_passes: int = 3,
        n_init: int = 1,
        categorical: CategoricalChoice = "auto",
        missing: Missing = "category",
        missing_values: Sequence[str] = (),
        discretize: Discretize = "quantile",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, categorical, missing, missing_values, discretize, random_state)
        self.sample_size = sample_size
        self.batch_size = batch_size
        self.replaced = replaced
        self.n_passes = n_passes
        self.n_init = n_init

    def _check(self) -> None:
        check_integer("sample_size", self.sample_size, max(self.n_clusters, 2))
        check_integer("batch_size", self.batch_size, 1)
        check_integer("n_passes", self.n_passes, 0)
        check_integer("n_init", self.n_init, 1)
        check_number("replaced", self.replaced, 0, 1)

    def _cluster(self, table: CodedTable, random: np.random.RandomState) -> Ints:
        orders = [np.arange(len(table))]
        orders += [random.permutation(len(table)) for _ in range(self.n_init - 1)]
        runs = (self._run(table, order, random) for order in orders)
        self.expected_entropy_, labels = min(runs, key=lambda run: run[0])
        return labels

    def _run(
        self, table: CodedTable, order: Ints, random: np.random.RandomState
    ) -> tuple[float, Ints]:
        """Return the expected entropy and the labels, the records placed in that order."""
        codes, known, n = table.codes, table.known, len(table)
        clusters, log = empty_clusters(table, self.n_clusters), n_log_n(n + 1)
        labels = np.full(n, -1, dtype=np.int64)
        sample = order[np.sort(random.permutation(n)[: self.sample_size])]
        for cluster, a in enumerate(_coolcat_loops.seeds(codes, known, sample, self.n_clusters)):
            labels[a] = cluster
            _coolcat_loops.put(codes, known, a, cluster, clusters, 1)
        for first in range(0, n, self.batch_size):
            rows = order[first : first + self.batch_size]
            _coolcat_loops.place_all(codes, known, rows, labels, clusters, log)
            self._place_again(table, rows, labels, clusters, log)
        for _ in range(self.n_passes):
            self._place_again(table, order, labels, clusters, log)
        return entropy_within(clusters, log), labels

    def _place_again(
        self, table: CodedTable, rows: Ints, labels: Ints, clusters: ClusterCounts, log: Floats
    ) -> None:
        """Place those of the rows again that fit worst."""
        codes, known = table.codes, table.known
        n_worst = int(np.ceil(self.replaced * len(rows)))
        worst = _coolcat_loops.worst(codes, known, rows, labels, clusters, n_worst)
        _coolcat_loops.take_out(codes, known, worst, labels, clusters)
        _coolcat_loops.place_all(codes, known, worst, labels, clusters, log)


def empty_clusters(table: CodedTable, k: int) -> ClusterCounts:
    """Return the counts of k clusters without records."""
    n_places = int((table.n_values + 1).sum())
    sizes = np.zeros((k, table.codes.shape[1]), dtype=np.int64)
    return ClusterCounts(np.zeros((k, n_places), dtype=np.int64), sizes, table.firsts)


def entropy_within(clusters: ClusterCounts, log: Floats) -> float:
    """Return the expected entropy of clusters, each attribute over the records that know it."""
    counts, sizes, firsts = clusters
    inside = log[sizes].sum(axis=0) - np.add.reduceat(log[counts].sum(axis=0), firsts)
    # Rounding may leave less than nothing of clusters of equal records.
    return float(np.maximum(inside / np.maximum(sizes.sum(axis=0), 1), 0.0).sum())


def n_log_n(n: int) -> Floats:
    """Return i log i for i = 0, ..., n, with 0 log 0 = 0."""
    numbers = np.arange(n + 1, dtype=np.float64)
    numbers[1:] *= np.log(numbers[1:])
    return numbers
