"""Other densities of a table, for rows that they have not seen.

Of tables of categories, as codes: independent columns, the tree of Chow and Liu, a Bayesian network
and StepMix. Of tables with numbers: kernels around the rows themselves. Each returns the mean
log-likelihood of the rows to test.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import logsumexp
from stepmix import StepMix

Codes = NDArray[np.intp]
Floats = NDArray[np.float64]

COUNT = 0.5
"""What is added to the count of each value."""
MOST_PARENTS = 3
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
STARTS = 3
WIDTHS, OTHERS = (0.25, 0.5, 1.0), (0.02, 0.1, 0.3)
"""Of kernels: their width beside Scott's rule, and the share that other categories get."""
TUNED = 500
"""The most rows by which kernels are chosen."""


def independent(train: Codes, test: Codes, sizes: list[int]) -> float:
    """Take every column for itself."""
    parents: list[tuple[int, ...]] = [()] * len(sizes)
    return _mean_of_network(train, test, sizes, parents)


def tree(train: Codes, test: Codes, sizes: list[int]) -> float:
    """Join every column to the one that tells most of it: the tree of Chow and Liu."""
    parents: list[tuple[int, ...]] = [()] * len(sizes)
    for parent, child in _edges(train, sizes):
        parents[child] = (parent,)
    return _mean_of_network(train, test, sizes, parents)


def network(train: Codes, test: Codes, sizes: list[int]) -> float:
    """Climb from independent columns, adding or removing the parent that lowers BIC most."""
    found = _Network(train, sizes)
    found.climb()
    return _mean_of_network(train, test, sizes, found.parents)


def by_stepmix(train: Codes, test: Codes, sizes: list[int]) -> float:
    """Fit StepMix with more and more components until BIC rises."""
    best: StepMix | None = None
    for k in SIZES:
        model = StepMix(k, measurement="categorical", n_init=STARTS, random_state=0, progress_bar=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # It learns how many values there are from the rows it is given.
            model.fit(np.vstack([train, np.array(sizes) - 1]))
        if best is not None and model.bic(train) > best.bic(train):
            break
        best = model
    assert best is not None
    return float(best.score(test))


def kernels(train: pd.DataFrame, test: pd.DataFrame, numbers: list[str]) -> float:
    """Put a kernel around every row: Gaussian for numbers, Aitchison and Aitken's for categories.

    How wide they are is chosen by the likelihood of rows of the training part, each left out.
    """
    some = train.sample(min(len(train), TUNED), random_state=0)
    choices = [(width, other) for width in WIDTHS for other in OTHERS]
    kept = np.ones((len(some), len(train)), bool)
    kept[np.arange(len(some)), train.index.get_indexer(some.index)] = False
    means = [_kernel_scores(train, some, numbers, choice, kept).mean() for choice in choices]
    best = choices[int(np.argmax(means))]
    return float(_kernel_scores(train, test, numbers, best).mean())


def _kernel_scores(
    train: pd.DataFrame,
    test: pd.DataFrame,
    numbers: list[str],
    choice: tuple[float, float],
    kept: NDArray[np.bool_] | None = None,
) -> Floats:
    """Return the log density of rows by the kernels around others, (n,)."""
    width, other = choice
    scott = width * len(train) ** (-1.0 / (4 + max(len(numbers), 1)))
    joint = np.zeros((len(test), len(train)))
    for name in train:
        if name in numbers:
            joint += _number_kernels(train[name].to_numpy(float), test[name].to_numpy(float), scott)
        else:
            joint += _category_kernels(train[name].astype(str), test[name].astype(str), other)
    if kept is not None:
        joint[~kept] = -np.inf
    return np.asarray(logsumexp(joint, axis=1)) - np.log(len(train) - (kept is not None))


def _number_kernels(train: Floats, test: Floats, width: float) -> Floats:
    """Return the log density of numbers around others; those unknown are like all, (n, n_train)."""
    spread = max(float(np.nanstd(train)), 1e-9)
    known = ~np.isnan(train)
    centre, h = np.where(known, train, np.nanmean(train)), np.where(known, width * spread, spread)
    found = -0.5 * ((test[:, None] - centre) / h) ** 2 - np.log(h * np.sqrt(2 * np.pi))
    return np.nan_to_num(found, nan=0.0)


def _category_kernels(train: pd.Series, test: pd.Series, other: float) -> Floats:
    """Return the log probability of categories around others, (n, n_train)."""
    n_values = pd.concat([train, test]).nunique()
    if n_values == 1:
        return np.zeros((len(test), len(train)))
    equal = test.to_numpy()[:, None] == train.to_numpy()
    return np.where(equal, np.log1p(-other), np.log(other / (n_values - 1)))


class _Network:
    """A Bayesian network that grows by BIC."""

    def __init__(self, codes: Codes, sizes: list[int]) -> None:
        self._codes, self._sizes = codes, sizes
        self.parents: list[tuple[int, ...]] = [()] * len(sizes)
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    def climb(self) -> None:
        """Change one parent at a time, the one that gains most, until none gains."""
        while True:
            moves = [
                (self._gain(child, changed), child, changed) for child, changed in self._moves()
            ]
            gain, child, changed = max(moves)
            if gain <= 0:
                return
            self.parents[child] = changed

    def _moves(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        for child, parents in enumerate(self.parents):
            below = self._below(child)
            for other in range(len(self._sizes)):
                if other in parents:
                    yield child, tuple(parent for parent in parents if parent != other)
                elif other not in below and len(parents) < MOST_PARENTS:
                    yield child, tuple(sorted((*parents, other)))

    def _below(self, node: int) -> set[int]:
        """Return a column and all that depend on it."""
        found, fresh = {node}, [node]
        while fresh:
            last = fresh.pop()
            more = [
                i for i, parents in enumerate(self.parents) if last in parents and i not in found
            ]
            found.update(more)
            fresh += more
        return found

    def _gain(self, child: int, parents: tuple[int, ...]) -> float:
        return self._score(child, parents) - self._score(child, self.parents[child])

    def _score(self, child: int, parents: tuple[int, ...]) -> float:
        if (child, parents) not in self._known:
            self._known[child, parents] = self._computed(child, parents)
        return self._known[child, parents]

    def _computed(self, child: int, parents: tuple[int, ...]) -> float:
        """Return the log-likelihood of a column given others, less BIC's price."""
        n_settings = int(np.prod([self._sizes[parent] for parent in parents]))
        if n_settings > len(self._codes):
            return -np.inf
        counts = _counts(self._codes, child, parents, self._sizes)
        total = counts.sum(axis=1, keepdims=True)
        p = counts / np.maximum(total, 1.0)
        log_likelihood = float((counts * np.log(np.where(p > 0, p, 1.0))).sum())
        n_parameters = n_settings * (self._sizes[child] - 1)
        return log_likelihood - 0.5 * np.log(len(self._codes)) * n_parameters


def _counts(codes: Codes, child: int, parents: tuple[int, ...], sizes: list[int]) -> Floats:
    """Return how often values of a column occur with those of its parents."""
    shape = [sizes[parent] for parent in parents]
    setting = _setting(codes, parents, sizes)
    n_settings, size = int(np.prod(shape)), sizes[child]
    counts = np.bincount(setting * size + codes[:, child], minlength=n_settings * size)
    return counts.reshape(n_settings, size).astype(float)


def _setting(codes: Codes, parents: tuple[int, ...], sizes: list[int]) -> Codes:
    found = np.zeros(len(codes), np.intp)
    for parent in parents:
        found = found * sizes[parent] + codes[:, parent]
    return found


def _mean_of_network(
    train: Codes, test: Codes, sizes: list[int], parents: list[tuple[int, ...]]
) -> float:
    total = np.zeros(len(test))
    for child, before in enumerate(parents):
        counts = _counts(train, child, before, sizes) + COUNT
        p = counts / counts.sum(axis=1, keepdims=True)
        total += np.log(p[_setting(test, before, sizes), test[:, child]])
    return float(total.mean())


def _edges(codes: Codes, sizes: list[int]) -> list[tuple[int, int]]:
    """Return the edges of the tree that has the most mutual information, from the first column."""
    n_columns = len(sizes)
    information = np.zeros((n_columns, n_columns))
    for a in range(n_columns):
        for b in range(a + 1, n_columns):
            p = _counts(codes, b, (a,), sizes) / len(codes)
            apart = p.sum(axis=1, keepdims=True) * p.sum(axis=0)
            information[a, b] = (p[p > 0] * np.log(p[p > 0] / apart[p > 0])).sum()
    # The least tree of what is lost; a little is added, for zero would be no edge.
    lost = np.triu(information.max() + 1.0 - information, 1)
    joined = minimum_spanning_tree(lost).toarray()
    joined = joined + joined.T
    edges, reached = list[tuple[int, int]](), [0]
    for parent in reached:
        for child in np.flatnonzero(joined[parent]).tolist():
            if child not in reached:
                edges.append((parent, child))
                reached.append(child)
    return edges
