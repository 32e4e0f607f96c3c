"""What the baselines share: a table as codes, the scikit-learn shell, the numbering of clusters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from galileomix._checks import check_integer
from galileomix._estimators.table_input import TableInput, remember_features
from galileomix._fitted.seeds import random_numbers
from galileomix._kernels.compiler import compiler
from galileomix._table import (
    AttributeRules,
    CategoricalChoice,
    Discretize,
    Folder,
    Missing,
    MissingValues,
    Rules,
    TypeChoices,
    binning_of,
    bytes_of,
    check_missing,
    open_table,
    prepare,
)
from galileomix.errors import ParameterError, TableError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
RandomState = int | np.random.RandomState | None
compiled = compiler()


@dataclass(frozen=True, eq=False)
class CodedTable:
    """A table as the baselines read it.

    A code is the position of a value among those of its attribute; one past the last is missing.

    Examples
    --------
    >>> table = coded([["a", "x"], ["b", None], ["b", "y"]], missing="ignore")
    >>> table.codes.tolist(), table.n_values.tolist(), table.known[1].tolist()
    ([[0, 0], [1, 2], [1, 1]], [2, 2], [True, False])
    >>> coded({"odor": ["none", "foul"], "width": [1.5, 3.5]}).numbers.tolist()
    [[-1.0], [1.0]]
    """

    codes: Codes  # (n, M), C-contiguous
    n_values: Ints  # (M,)
    numbers: Floats  # (n, Q): numeric attributes not cut into intervals, standardised
    names: tuple[str, ...]
    named: bool  # whether the names are the user's own

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether each cell has a value."""
        return self.codes < self.n_values

    @property
    def firsts(self) -> Ints:
        """Where the values of each attribute begin, where all values stand in one row."""
        return np.concatenate([[0], np.cumsum(self.n_values + 1)[:-1]]).astype(np.int64)

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.codes)


def coded(
    table: Any,
    *,
    categorical: CategoricalChoice = "auto",
    missing: Missing = "category",
    missing_values: Sequence[str] = (),
    discretize: Discretize = None,
) -> CodedTable:
    """Return any table as codes; the parameters are those of `galileomix.Galileo`."""
    check_missing(missing)
    binning = binning_of(discretize)
    cut = () if binning is None else tuple(binning.columns)
    choices = TypeChoices(categorical, cut=cut)
    source = open_table(table, choices, MissingValues.of(missing_values))
    named = None if binning is None else binning.by_name(source.names)
    with Folder() as folder:
        attributes = AttributeRules(missing, named, criterion=None, reshape=False)
        ready = prepare(source, folder, Rules(bytes_of(None), attributes))
        codes = np.concatenate([block.codes for block in ready.blocks]).astype(np.int32)
        numbers = np.concatenate([block.numbers for block in ready.blocks])
    schema = ready.schema
    n_values = np.array(schema.cardinalities, dtype=np.int64)
    if missing == "ignore":
        # A column of nothing but missing cells has that as its one value; here it has none.
        empty = [None in attribute.values for attribute in schema.categorical]
        n_values -= np.array(empty, dtype=np.int64)
    return CodedTable(codes, n_values, numbers, schema.names, ready.named)


class CategoryClusterer(TableInput, ClusterMixin, BaseEstimator):
    """A clusterer of tables of categories.

    A subclass checks the parameters of its own in `_check`; its `_cluster` returns the cluster of
    each record, numbered in any way, -1 for none.
    """

    def __init__(
        self,
        n_clusters: int,
        categorical: CategoricalChoice,
        missing: Missing,
        missing_values: Sequence[str],
        discretize: Discretize,
        random_state: RandomState,
    ) -> None:
        self.n_clusters = n_clusters
        self.categorical: CategoricalChoice = categorical
        self.missing: Missing = missing
        self.missing_values = missing_values
        self.discretize: Discretize = discretize
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the clusters of a table.

        Parameters
        ----------
        X : table
            What `galileomix.Galileo.fit` takes; it is read into memory.
        y : ignored

        Returns
        -------
        Self
            The fitted clusterer itself, with its ``labels_``.
        """
        check_integer("n_clusters", self.n_clusters, 1)
        self._check()
        table = coded(
            X,
            categorical=self.categorical,
            missing=self.missing,
            missing_values=self.missing_values,
            discretize=self.discretize,
        )
        self._check_table(table)
        self.labels_ = largest_first(self._cluster(table, random_numbers(self.random_state)))
        self.n_clusters_ = int(self.labels_.max()) + 1
        remember_features(self, table.names, table.named)
        return self

    @abstractmethod
    def _check(self) -> None:
        """Raise `ParameterError` for the first parameter that makes no sense."""

    @abstractmethod
    def _cluster(self, table: CodedTable, random: np.random.RandomState) -> Ints:
        """Return the cluster of each record."""

    def _check_table(self, table: CodedTable) -> None:
        if table.numbers.shape[1]:
            raise ParameterError(
                f"discretize={self.discretize!r} leaves {table.numbers.shape[1]} column(s) of "
                f"numbers: {type(self).__name__} takes categories only, so cut them into intervals"
            )
        if self.n_clusters > len(table):
            raise TableError(
                f"n_clusters={self.n_clusters}, but the table has n_samples={len(table)}"
            )


def members(root: Ints, sizes: Ints) -> Ints:
    """Return the cluster of each record, -1 where it was dropped.

    ``root`` is what each record or cluster has become part of; the size of a dropped cluster is 0.

    Examples
    --------
    >>> members(np.array([0, 0, 1, 3]), np.array([3, 0, 0, 0])).tolist()
    [0, 0, 0, -1]
    """
    while not np.array_equal(root, root[root]):
        root = root[root]
    return np.where(sizes[root] > 0, root, -1)


def largest_first(labels: NDArray[Any]) -> Ints:
    """Return clusters numbered from 0, the largest first, of equal ones the earliest; -1 for none.

    Examples
    --------
    >>> largest_first(np.array([7, 7, -2, 3, 3, 3, 5])).tolist()
    [1, 1, -1, 0, 0, 0, 2]
    """
    inside = labels >= 0
    found, first, place, sizes = np.unique(
        labels[inside], return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(found), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(len(found))
    result = np.full(len(labels), -1, dtype=np.int64)
    result[inside] = rank[place]
    return result
