"""Numbers in plain numpy: their log densities, and their moments, missing ones as expected."""

from __future__ import annotations

import numpy as np

from galileomix._model.covariance import whole
from galileomix._model.gaussian import Flags, patterns
from galileomix._model.params import Floats, Ints, Mixture


def log_density(numbers: Floats, mixture: Mixture) -> Floats:
    """Return the log density of each record's known numbers under each component, (n, k)."""
    squares, log_det = distances(numbers, mixture)
    return -0.5 * (squares + log_det)


def distances(numbers: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return squared Mahalanobis distances and log det 2 pi Sigma, of known numbers, (n, k)."""
    squares, log_det = np.zeros((2, len(numbers), mixture.k))
    if mixture.layout.diagonal:
        known = ~np.isnan(numbers)
        for i in range(mixture.k):
            away = np.where(known, numbers - mixture.mu[:, i], 0.0)
            squares[:, i] = (away**2 / mixture.var[:, i]).sum(axis=1)
            log_det[:, i] = known @ np.log(2 * np.pi * mixture.var[:, i])
        return squares, log_det
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
    are wanted, (Q + Q, t).
    """
    Q, diagonal = numbers.shape[1], mixture.layout.diagonal
    sums = np.zeros((Q + (Q if diagonal else Q * Q), shares.shape[1]))
    covariances = whole(mixture.Sigma)
    for rows, known in patterns(numbers):
        for t, i in enumerate(component):
            x, left = expected(numbers[rows], known, mixture.mu[:, i], covariances[:, :, i])
            share = shares[rows, t]
            sums[:Q, t] += share @ x
            product = (x * share[:, None]).T @ x + share.sum() * left
            sums[Q:, t] += np.diag(product) if diagonal else product.ravel()
    return sums


def expected(x: Floats, known: Flags, mu: Floats, Sigma: Floats) -> tuple[Floats, Floats]:
    """Return what a component expects of records, and the covariance that is left."""
    here, gone = np.ix_(known, known), np.ix_(~known, known)
    slope = np.linalg.solve(Sigma[here], Sigma[gone].T).T
    filled = x.copy()
    filled[:, ~known] = mu[~known] + (x[:, known] - mu[known]) @ slope.T
    left = np.zeros_like(Sigma)
    left[np.ix_(~known, ~known)] = Sigma[np.ix_(~known, ~known)] - slope @ Sigma[gone].T
    return filled, left
