"""Mutual information of attributes under a mixture, in nats.

Within a component a category is independent of all others, and numbers are correlated.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import logsumexp, xlogy

from galileomix._model.covariance import block
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import TINY

NODES = 40
"""Points of a Gauss-Hermite rule, along each axis, for what has no closed form."""


def between_categories(mixture: Mixture, a: int, b: int) -> float:
    """Return the mutual information of two categorical attributes."""
    if mixture.k == 1:
        return 0.0
    both = (mixture.values_of(a) * mixture.alpha) @ mixture.values_of(b).T
    apart = entropy(both.sum(axis=1)) + entropy(both.sum(axis=0))
    return max(apart - entropy(both), 0.0)


def with_number(mixture: Mixture, m: int, q: int) -> float:
    """Return the mutual information of a categorical attribute and a number.

    The average of log Pr(v | x) / Pr(v) over the records of every component.
    """
    if mixture.k == 1:
        return 0.0
    p = mixture.values_of(m)
    overall = p @ mixture.alpha
    nodes, weights = _normal_points()
    total = 0.0
    for i, alpha in enumerate(mixture.alpha):
        given = np.maximum(_shares(mixture, q, i, nodes) @ p.T, TINY)
        total += alpha * float((weights @ (xlogy(p[:, i], given) - xlogy(p[:, i], overall))).sum())
    return max(total, 0.0)


def between_numbers(mixture: Mixture, q: int, r: int) -> float:
    """Return the mutual information of two numbers: the mean log ratio of their joint density."""
    pair = np.array([q, r])
    mu, Sigma = mixture.mu[pair], block(mixture.Sigma, pair)
    if mixture.k == 1:
        return _of_one_gaussian(Sigma[:, :, 0])
    nodes, weights = _normal_points()
    grid = np.stack(np.meshgrid(nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 2)
    both = np.outer(weights, weights).ravel()
    total = 0.0
    for i, alpha in enumerate(mixture.alpha):
        x = mu[:, i] + grid @ np.linalg.cholesky(Sigma[:, :, i]).T
        ratio = _log_density(x, mixture.alpha, mu, Sigma)
        for one in (slice(0, 1), slice(1, 2)):
            ratio = ratio - _log_density(x[:, one], mixture.alpha, mu[one], Sigma[one, one])
        total += alpha * float(both @ ratio)
    return max(total, 0.0)


def _of_one_gaussian(Sigma: Floats) -> float:
    """Return the mutual information of two numbers by their correlation."""
    squared = Sigma[0, 1] ** 2 / (Sigma[0, 0] * Sigma[1, 1])
    return -0.5 * float(np.log1p(-squared)) + 0.0  # no negative zero


def entropy(p: Floats) -> float:
    """Return the entropy of a distribution."""
    return -float(xlogy(p, p).sum())


def _shares(mixture: Mixture, q: int, i: int, nodes: Floats) -> Floats:
    """Return the shares of all components at points where component i expects a number."""
    deviation = np.sqrt(mixture.var[q])
    x = mixture.mu[q, i] + deviation[i] * nodes
    away = (x[:, None] - mixture.mu[q]) / deviation
    joint = np.log(mixture.alpha) - np.log(deviation) - 0.5 * away**2
    return np.exp(joint - np.asarray(logsumexp(joint, axis=1, keepdims=True)))


def _log_density(x: Floats, alpha: Floats, mu: Floats, Sigma: Floats) -> Floats:
    """Return the log density of points under a mixture, but for the factors of 2 pi."""
    covariances = Sigma.transpose(2, 0, 1)
    away = x.T - mu.T[:, :, None]
    squares = (np.linalg.inv(covariances) @ away * away).sum(axis=1)
    log_det = np.linalg.slogdet(covariances)[1]
    joint = (np.log(alpha) - 0.5 * log_det)[:, None] - 0.5 * squares
    most = joint.max(axis=0)
    return most + np.log(np.exp(joint - most).sum(axis=0))


@cache
def _normal_points() -> tuple[Floats, Floats]:
    """Return points and weights that average over a standard normal distribution."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()
