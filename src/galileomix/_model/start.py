"""The start: k_max components, each half the global distribution and half a random centre."""

from __future__ import annotations

import numpy as np

from galileomix._model import categorical, gaussian
from galileomix._model.params import Floats, Ints, Layout, Mixture
from galileomix._model.stats import Background

Centers = tuple[Ints, Floats]
"""Codes (k, M), where L_m is a missing value, and numbers (k, Q), where NaN is."""


def draw_marginals(
    layout: Layout, background: Background, k: int, rng: np.random.Generator
) -> Centers:
    """Draw centres attribute by attribute from the global distribution G."""
    codes = categorical.draw_marginals(layout, background, k, rng)
    return codes, gaussian.draw_marginals(background, k, rng)


def around(centers: Centers, layout: Layout, background: Background) -> Mixture:
    """Return the mixture of f_i = (G + delta_{x_i}) / 2 with equal weights.

    The distribution of all N records and one more record inserted N times, as the paper says;
    for numbers its mean and covariance.
    """
    codes, numbers = centers
    k = len(codes)
    p = categorical.around(codes, layout, background)
    mu, Sigma = gaussian.around(numbers, layout, background)
    return Mixture(layout, np.full(k, 1.0 / k), p, mu, Sigma)
