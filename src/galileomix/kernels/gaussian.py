"""Numbers in plain numpy: their log densities, and their moments with what is unknown expected."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from galileomix.model.params import Floats, Ints, Mixture


def log_density(numbers: Floats, mixture: Mixture) -> Floats:
    """Return the log density of each record's known numbers under each component, (n, k)."""
    result = np.zeros((len(numbers), mixture.k))
    for rows, known in _patterns(numbers):
        for i in range(mixture.k):
            Sigma = mixture.Sigma[:, :, i][np.ix_(known, known)]
            d = numbers[np.ix_(rows, known)] - mixture.mu[known, i]
            squares = (d * np.linalg.solve(Sigma, d.T).T).sum(axis=1)
            log_det = np.linalg.slogdet(2 * np.pi * Sigma)[1]
            result[rows, i] = -0.5 * (squares + log_det)
    return result


def moments(numbers: Floats, mixture: Mixture, shares: Floats, component: Ints) -> Floats:
    """Return the sums of numbers and of their products by shares, (Q + Q Q, t).

    Column t of the shares is of component ``component[t]``, which says what to expect of unknown
    numbers: E[x] and E[x x'] given those that are known. Of independent numbers only the squares
    are wanted.
    """
    Q = numbers.shape[1]
    sums = np.zeros((Q + Q * Q, shares.shape[1]))
    for rows, known in _patterns(numbers):
        for t, i in enumerate(component):
            x, left = _expected(numbers[rows], known, mixture.mu[:, i], mixture.Sigma[:, :, i])
            share = shares[rows, t]
            sums[:Q, t] += share @ x
            product = (x * share[:, None]).T @ x + share.sum() * left
            sums[Q:, t] += (product * np.eye(Q) if mixture.layout.diagonal else product).ravel()
    return sums


def _patterns(numbers: Floats) -> Iterator[tuple[Ints, NDArray[np.bool_]]]:
    """Yield the rows that know the same numbers, and which these are."""
    if numbers.shape[1]:
        known = ~np.isnan(numbers)
        patterns, which = np.unique(known, axis=0, return_inverse=True)
        for j, pattern in enumerate(patterns):
            yield np.flatnonzero(which.reshape(-1) == j), pattern


def _expected(
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
