"""Numbers: their log densities under every component, and their moments by shares."""

from __future__ import annotations

import numpy as np

from galileomix.model.params import Floats, Mixture


def log_density(numbers: Floats, mixture: Mixture) -> Floats:
    """Return the log density of each record's known numbers under each component, (n, k)."""
    total = np.zeros((len(numbers), mixture.k))
    for q in range(mixture.layout.n_numeric):
        known = ~np.isnan(numbers[:, q])
        d = numbers[known, q, None] - mixture.mu[q]
        total[known] -= 0.5 * (np.log(2 * np.pi * mixture.var[q]) + d**2 / mixture.var[q])
    return total


def moments(numbers: Floats, shares: Floats) -> Floats:
    """Return weight, sum and sum of squares of known numbers by shares, below each other."""
    known = ~np.isnan(numbers)
    x = np.where(known, numbers, 0.0)
    return np.concatenate([known, x, x**2], axis=1).T @ shares
