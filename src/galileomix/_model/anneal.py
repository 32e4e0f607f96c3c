"""Density-driven annealing, as in the paper's figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from galileomix._model.density import log_cartesian_density, log_density
from galileomix._model.em import Fit, Records
from galileomix._model.params import Floats, Mixture

Pruning = Literal["entropy", "cartesian"]
LOG_DENSITIES: dict[Pruning, Callable[[Mixture, float], Floats]] = {
    "entropy": log_density,
    "cartesian": log_cartesian_density,
}


def schedule(k_max: int, beta: float = 1.0) -> list[int]:
    """Return k[0] = 1, k[i+1] = floor(k[i] + beta^i), as far as k_max.

    Examples
    --------
    >>> schedule(5)
    [1, 2, 3, 4, 5]
    >>> schedule(20, beta=1.5)
    [1, 2, 3, 5, 8, 13, 20]
    """
    sizes = [1]
    while (following := int(np.floor(sizes[-1] + beta ** (len(sizes) - 1)))) <= k_max:
        sizes.append(following)
    return sizes


def densest(mixture: Mixture, N: float, keep: int, pruning: Pruning) -> Mixture:
    """Return the mixture of the densest components; ties go to the earlier ones."""
    log_rho = LOG_DENSITIES[pruning](mixture, N)
    order = np.argsort(-log_rho, kind="stable")
    return mixture.keep(np.sort(order[:keep]))


def anneal(
    records: Records,
    start: Mixture,
    sizes: list[int],
    fit: Callable[[Mixture], Fit],
    pruning: Pruning = "entropy",
) -> Iterator[Fit]:
    """Walk the schedule downward and yield the fit at every size.

    ::

        g <- the densest k[i_max] components of the start
        for i = i_max, ..., 0
            g <- EM(g)
            yield g
            g <- the densest k[i-1] components of g
    """
    N = float(records.everything.weight[0])
    mixture = start
    for size in reversed(sizes):
        if size < mixture.k:
            mixture = densest(mixture, N, size, pruning)
        step = fit(mixture)
        yield step
        mixture = step.mixture
