"""Seeds: what scikit-learn's ``random_state`` stands for, and keys that keep purposes apart."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

START, SAMPLING, RESAMPLING, IMPUTING, KICKING = 0, 1, 2, 3, 4


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return the seed that a ``random_state`` stands for."""
    return int(check_random_state(random_state).randint(2**31 - 1))


def generator(
    random_state: int | np.random.RandomState | None, purpose: int
) -> np.random.Generator:
    """Return random numbers for one purpose."""
    return np.random.default_rng((seed_of(random_state), purpose))
