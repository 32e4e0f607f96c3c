"""The entropy-based density (Eqs. length, entropy, volume, density) and its Cartesian contrast."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from galileomix.model.params import Floats, Mixture


def entropies(mixture: Mixture) -> Floats:
    """Return S_im = -sum_v p log p, (M, k) (Eq. entropy).

    Examples
    --------
    >>> from galileomix.model.params import Layout
    >>> p = np.array([3, 3, 1, 1])[:, None] / 8
    >>> np.exp(entropies(Mixture(Layout((4,)), np.ones(1), p))).round(2).tolist()
    [[3.51]]
    """
    return mixture.layout.per_attribute(-xlogy(mixture.p, mixture.p))


def log_volume(mixture: Mixture) -> Floats:
    """Return the exponent of Eq. volume, (k,): entropies, and log sigma on the numeric axes."""
    return entropies(mixture).sum(axis=0) + 0.5 * np.log(mixture.var).sum(axis=0)


def density(mixture: Mixture, N: float) -> Floats:
    """Return rho_i = N_i exp(-sum_m S_im), (k,) (Eq. density).

    Examples
    --------
    >>> from galileomix.model.params import Layout
    >>> p = np.array([3, 3, 1, 1])[:, None] / 8
    >>> density(Mixture(Layout((4,)), np.ones(1), p), N=8).round(2).tolist()
    [2.28]
    """
    return mixture.alpha * N * np.exp(-log_volume(mixture))


def cartesian_density(mixture: Mixture, N: float) -> Floats:
    """Return N_i over the number of cells of the component's box, (k,).

    A value is present when the component holds a thousandth of a record of it: EM leaves
    traces of every value that no record of the component has.

    Examples
    --------
    >>> from galileomix.model.params import Layout
    >>> p = np.array([3, 3, 1, 1])[:, None] / 8
    >>> cartesian_density(Mixture(Layout((4,)), np.ones(1), p), N=8).tolist()
    [2.0]
    """
    N_i = mixture.alpha * N
    present = (mixture.p * N_i > PRESENT).astype(float)
    sides = np.maximum(mixture.layout.per_attribute(present), 1.0)
    return N_i * np.exp(-np.log(sides).sum(axis=0) - 0.5 * np.log(mixture.var).sum(axis=0))


PRESENT = 1e-3


def mean_density(mixture: Mixture, N: float) -> float:
    """Return rho-bar = sum_i alpha_i rho_i."""
    return float(mixture.alpha @ density(mixture, N))


def mean_entropy(mixture: Mixture) -> float:
    """Return S-bar = sum_i alpha_i (1/M) sum_m S_im, over the categorical attributes."""
    if mixture.layout.n_categorical == 0:
        return 0.0
    return float(mixture.alpha @ entropies(mixture).mean(axis=0))
