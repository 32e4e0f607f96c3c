"""k-modes: k-means with modes for means and mismatches for distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from galileomix._checks import check_choice, check_integer
from galileomix._table import Discretize, Missing
from galileomix.baselines import _kmodes_loops
from galileomix.baselines._base import (
    CategoricalChoice,
    CategoryClusterer,
    CodedTable,
    Floats,
    Ints,
    RandomState,
)

Start = Literal["cao", "huang"]


class KModes(CategoryClusterer):
    """Cluster records around modes, records of the commonest values.

    Each record goes to the mode from which it differs in the fewest attributes, the first of equal
    ones; then the modes are made anew, until nothing changes [1]_. A cluster that is left empty
    takes the record farthest from its mode.

    Parameters
    ----------
    n_clusters : int, default=8
    init : {"huang", "cao"}, default="huang"
        How the first modes are chosen. Huang draws every attribute by its frequencies and takes
        the nearest record; Cao takes records of common values far from each other, without any
        randomness [2]_.
    n_init : int, default=10
        How many starts are tried; the one with the fewest mismatches is taken. Cao has only one.
    max_iter : int, default=100
        The most rounds of one start.
    categorical, missing_values, discretize
        As in `Rock`.
    missing : {"category", "ignore"}, default="category"
        Whether a missing value is one more value, or differs from none.
    random_state : int, RandomState or None, default=None
        Draws the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row, the largest 0.
    n_clusters_ : int
    cost_ : int
        In how many cells records differ from the modes of their clusters.
    n_iter_ : int
        The rounds of the start that was taken.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    .. [1] Z. Huang, "Extensions to the k-means algorithm for clustering large data sets with
       categorical values", Data Mining and Knowledge Discovery 2(3), 1998.
    .. [2] F. Cao, J. Liang and L. Bai, "A new initialization method for categorical data
       clustering", Expert Systems with Applications 36(7), 2009.

    Examples
    --------
    >>> from galileomix.baselines import KModes
    >>> table = [["a", "x"], ["a", "x"], ["a", "y"], ["b", "z"], ["b", "z"]]
    >>> model = KModes(n_clusters=2, random_state=0).fit(table)
    >>> model.labels_.tolist(), model.cost_
    ([0, 0, 0, 1, 1], 1)
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Start = "huang",
        n_init: int = 10,
        max_iter: int = 100,
        categorical: CategoricalChoice = "auto",
        missing: Missing = "category",
        missing_values: Sequence[str] = (),
        discretize: Discretize = "quantile",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_clusters, categorical, missing, missing_values, discretize, random_state)
        self.init: Start = init
        self.n_init = n_init
        self.max_iter = max_iter

    def _check(self) -> None:
        check_choice("init", self.init, ("huang", "cao"))
        check_integer("n_init", self.n_init, 1)
        check_integer("max_iter", self.max_iter, 1)

    def _cluster(self, table: CodedTable, random: np.random.RandomState) -> Ints:
        if self.init == "cao":
            starts = [cao(table, self.n_clusters)]
        else:
            starts = [huang(table, self.n_clusters, random) for _ in range(self.n_init)]
        runs = (self._run(table, table.codes[rows]) for rows in starts)
        self.cost_, self.n_iter_, labels = min(runs, key=lambda run: run[0])
        return labels

    def _run(self, table: CodedTable, centers: NDArray[Any]) -> tuple[int, int, Ints]:
        """Return the mismatches, the rounds and the labels from one start."""
        codes, known, k = table.codes, table.known, self.n_clusters
        most_values = int(table.n_values.max()) + 1
        labels, before, n_iter = np.zeros(len(codes), np.int64), np.empty(0, np.int64), 0
        while n_iter < self.max_iter and not np.array_equal(labels, before):
            before, n_iter = labels, n_iter + 1
            labels, away = _kmodes_loops.nearest(codes, known, centers)
            _kmodes_loops.fill_empty(labels, away, k)
            centers = _kmodes_loops.modes_of(codes, known, labels, k, most_values)
        return int(((codes != centers[labels]) & known).sum()), n_iter, labels


def frequencies(table: CodedTable) -> list[Floats]:
    """Return for each attribute the share of records that has each value."""
    pairs = zip(table.codes.T, table.n_values, strict=True)
    counts = [np.bincount(column, minlength=size + 1)[:size] for column, size in pairs]
    return [count / max(count.sum(), 1) for count in counts]


def huang(table: CodedTable, k: int, random: np.random.RandomState) -> Ints:
    """Return k rows to begin with, drawn at random."""
    shares, chosen = frequencies(table), np.empty(k, dtype=np.int64)
    free = np.ones(len(table), dtype=np.bool_)
    for c in range(k):
        drawn = [random.choice(len(share), p=share) if len(share) else 0 for share in shares]
        _, away = _kmodes_loops.nearest(table.codes, table.known, np.array([drawn], dtype=np.int32))
        chosen[c] = np.argmin(np.where(free, away, len(shares) + 1))
        free[chosen[c]] = False
    return chosen


def cao(table: CodedTable, k: int) -> Ints:
    """Return k rows to begin with: of common values, and far from each other."""
    shares = [np.append(share, 0.0) for share in frequencies(table)]
    columns = zip(shares, table.codes.T, strict=True)
    density = np.mean([share[column] for share, column in columns], axis=0)
    chosen = np.empty(k, dtype=np.int64)
    merit: Floats = np.full(len(table), np.inf)
    for c in range(k):
        chosen[c] = np.argmax(density if c == 0 else merit)
        _, away = _kmodes_loops.nearest(table.codes, table.known, table.codes[chosen[c : c + 1]])
        merit = np.minimum(merit, away * density)
        merit[chosen[c]] = -1.0  # so that no record is chosen twice
    return chosen
