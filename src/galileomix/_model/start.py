"""The start: k_max components, each half the global distribution and half a random centre."""

from __future__ import annotations

import numpy as np

from galileomix._model.params import Floats, Ints, Layout, Mixture
from galileomix._model.stats import Background

Centers = tuple[Ints, Floats]
"""Codes (k, M), where L_m is an unknown value, and numbers (k, Q), where NaN is."""


def draw_marginals(
    layout: Layout, background: Background, k: int, rng: np.random.Generator
) -> Centers:
    """Draw centres attribute by attribute from the global distribution G."""
    codes = np.empty((k, layout.n_categorical), dtype=np.intp)
    for m, (first, last) in enumerate(zip(layout.offsets[:-1], layout.offsets[1:], strict=True)):
        bounds = np.cumsum(background.G[first:last, 0])
        codes[:, m] = np.searchsorted(bounds, rng.random(k) * bounds[-1], side="right")
    spread = np.sqrt(background.var[:, 0])
    return codes, background.mu[:, 0] + spread * rng.standard_normal((k, layout.n_numeric))


def around(centers: Centers, layout: Layout, background: Background) -> Mixture:
    """Return the mixture of f_i = (G + delta_{x_i}) / 2 with equal weights.

    The distribution of all N records and one more record inserted N times, as the paper says;
    for numbers its mean and covariance.
    """
    codes, numbers = centers
    k = len(codes)
    p = np.repeat(background.G, k, axis=1)
    for m, (first, cardinality) in enumerate(
        zip(layout.offsets[:-1], layout.cardinalities, strict=True)
    ):
        known = np.flatnonzero(codes[:, m] < cardinality)
        p[first : first + cardinality, known] /= 2.0
        p[first + codes[known, m], known] += 0.5
    known = ~np.isnan(numbers.T)
    away = np.where(known, numbers.T - background.mu, 0.0)
    narrower = np.where(known, np.sqrt(0.5), 1.0)
    Sigma = narrower[:, None] * narrower[None] * background.Sigma
    if not layout.diagonal:
        Sigma = Sigma + away[:, None] * away[None] / 4.0
    else:
        Sigma = Sigma + np.eye(len(away))[:, :, None] * (away**2 / 4.0)
    return Mixture(layout, np.full(k, 1.0 / k), p, background.mu + away / 2.0, Sigma)
