"""The entropy-based density (Eqs. length, entropy, volume, density) and its Cartesian contrast."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from galileomix._model import categorical, gaussian
from galileomix._model.params import Floats, Mixture, safe_log


def log_volume(mixture: Mixture) -> Floats:
    """Return the exponent of Eq. volume, (k,): entropies, and log sigma on the principal axes."""
    return categorical.log_volume(mixture) + gaussian.log_volume(mixture)


def density(mixture: Mixture, N: float) -> Floats:
    """Return rho_i = N_i exp(-sum_m S_im), (k,) (Eq. density).

    Examples
    --------
    >>> from galileomix._model.params import Layout
    >>> p = np.array([3, 3, 1, 1])[:, None] / 8
    >>> density(Mixture(Layout((4,)), np.ones(1), p), N=8).round(2).tolist()
    [2.28]
    """
    return np.exp(log_density(mixture, N))


def log_density(mixture: Mixture, N: float) -> Floats:
    """Return log rho_i, (k,); with very many attributes rho itself is too small for a float."""
    return safe_log(mixture.alpha * N) - log_volume(mixture)


def log_cartesian_density(mixture: Mixture, N: float) -> Floats:
    """Return the paper's contrast in logs: N_i over the cells of the component's box, (k,)."""
    log_cells = categorical.log_cells(mixture) + gaussian.log_volume(mixture)
    return safe_log(mixture.alpha * N) - log_cells


def mean_density(mixture: Mixture, N: float) -> float:
    """Return rho-bar = sum_i alpha_i rho_i."""
    return float(np.exp(log_mean_density(mixture, N)))


def log_mean_density(mixture: Mixture, N: float) -> float:
    """Return log rho-bar."""
    return np.asarray(logsumexp(log_density(mixture, N), b=mixture.alpha)).item()
