"""The mean and deviation of numbers of which every component has its own."""

from __future__ import annotations

import numpy as np

from galileomix._model.params import Floats


def of_mixtures(shares: Floats, mean: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Return the mean and standard deviation over components, all (..., k) to (...)."""
    overall = (shares * mean).sum(axis=-1)
    spread = variance + (mean - overall[..., None]) ** 2
    return overall, np.sqrt((shares * spread).sum(axis=-1))
