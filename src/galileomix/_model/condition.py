"""Numbers given others: what a Gaussian expects of those that are unknown, and how surely."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from galileomix._model.params import Floats, Ints, Mixture


def patterns(numbers: Floats) -> Iterator[tuple[Ints, NDArray[np.bool_]]]:
    """Yield the rows that know the same numbers, and which these are."""
    if numbers.shape[1]:
        known = ~np.isnan(numbers)
        each, which = np.unique(known, axis=0, return_inverse=True)
        for j, pattern in enumerate(each):
            yield np.flatnonzero(which.reshape(-1) == j), pattern


def expected(
    x: Floats, known: NDArray[np.bool_], mu: Floats, Sigma: Floats
) -> tuple[Floats, Floats]:
    """Return what a component expects of records, and the covariance that is left."""
    here, gone = np.ix_(known, known), np.ix_(~known, known)
    slope = np.linalg.solve(Sigma[here], Sigma[gone].T).T
    filled = x.copy()
    filled[:, ~known] = mu[~known] + (x[:, known] - mu[known]) @ slope.T
    left = np.zeros_like(Sigma)
    left[np.ix_(~known, ~known)] = Sigma[np.ix_(~known, ~known)] - slope @ Sigma[gone].T
    return filled, left


def unknown(numbers: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return the mean and variance of every number under every component, (n, Q, k).

    A known number is its own mean, and has no variance; nor has one that is always the same.
    """
    mean = np.empty((*numbers.shape, mixture.k))
    variance = np.empty_like(mean)
    for rows, known in patterns(numbers):
        for i in range(mixture.k):
            filled, left = expected(numbers[rows], known, mixture.mu[:, i], mixture.Sigma[:, :, i])
            mean[rows, :, i] = filled
            variance[rows, :, i] = np.diag(left)
    variance[:, list(mixture.layout.constant)] = 0.0  # their width is there for the likelihood
    return mean, variance


def draw_unknown(
    numbers: Floats, mixture: Mixture, component: Ints, rng: np.random.Generator
) -> Floats:
    """Return records with a draw for every number that is unknown, each from its component."""
    away = rng.standard_normal(numbers.shape)
    away[:, list(mixture.layout.constant)] = 0.0
    drawn = numbers.copy()
    for rows, known in patterns(numbers):
        for i in np.unique(component[rows]):
            mine = rows[component[rows] == i]
            mean, left = expected(numbers[mine], known, mixture.mu[:, i], mixture.Sigma[:, :, i])
            gone = np.flatnonzero(~known)
            root = np.linalg.cholesky(left[np.ix_(gone, gone)])
            drawn[np.ix_(mine, gone)] = mean[:, gone] + away[np.ix_(mine, gone)] @ root.T
    return drawn
