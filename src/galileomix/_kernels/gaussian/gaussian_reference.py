"""Numbers in plain numpy: their log densities, and their moments, missing ones as expected."""

from __future__ import annotations

import numpy as np

from galileomix._model.gaussian import expected, patterns
from galileomix._model.params import Floats, Ints, Mixture


def log_density(numbers: Floats, mixture: Mixture) -> Floats:
    """Return the log density of each record's known numbers under each component, (n, k)."""
    squares, log_det = distances(numbers, mixture)
    return -0.5 * (squares + log_det)


def distances(numbers: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return squared Mahalanobis distances and log det 2 pi Sigma, of known numbers, (n, k)."""
    squares, log_det = np.zeros((2, len(numbers), mixture.k))
    for rows, known in patterns(numbers):
        for i in range(mixture.k):
            Sigma = mixture.Sigma[:, :, i][np.ix_(known, known)]
            d = numbers[np.ix_(rows, known)] - mixture.mu[known, i]
            squares[rows, i] = (d * np.linalg.solve(Sigma, d.T).T).sum(axis=1)
            log_det[rows, i] = np.linalg.slogdet(2 * np.pi * Sigma)[1]
    return squares, log_det


def moments(numbers: Floats, mixture: Mixture, shares: Floats, component: Ints) -> Floats:
    """Return the sums of numbers and of their products by shares, (Q + Q Q, t).

    Column t of the shares is of component ``component[t]``, which says what to expect of missing
    numbers: E[x] and E[x x'] given those that are known. Of independent numbers only the squares
    are wanted.
    """
    Q = numbers.shape[1]
    sums = np.zeros((Q + Q * Q, shares.shape[1]))
    for rows, known in patterns(numbers):
        for t, i in enumerate(component):
            x, left = expected(numbers[rows], known, mixture.mu[:, i], mixture.Sigma[:, :, i])
            share = shares[rows, t]
            sums[:Q, t] += share @ x
            product = (x * share[:, None]).T @ x + share.sum() * left
            sums[Q:, t] += (product * np.eye(Q) if mixture.layout.diagonal else product).ravel()
    return sums
