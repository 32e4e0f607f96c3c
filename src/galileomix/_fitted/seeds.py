"""Seeds: what scikit-learn's ``random_state`` stands for, and keys that keep purposes apart."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

from galileomix._checks import shown
from galileomix.errors import ParameterError

START, SAMPLING, RESAMPLING, IMPUTING, KICKING = 0, 1, 2, 3, 4


def random_numbers(random_state: int | np.random.RandomState | None) -> np.random.RandomState:
    """Return the random numbers that a ``random_state`` stands for.

    Examples
    --------
    >>> random_numbers(-1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    galileomix.errors.ParameterError: random_state=-1: it must be an integer from 0 to 4294967295...
    """
    try:
        return check_random_state(random_state)
    except ValueError:
        wanted = "it must be an integer from 0 to 4294967295, a RandomState or None"
        raise ParameterError(f"random_state={shown(random_state)}: {wanted}") from None


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return the seed that a ``random_state`` stands for."""
    return int(random_numbers(random_state).randint(2**31 - 1))


def generator(
    random_state: int | np.random.RandomState | None, purpose: int
) -> np.random.Generator:
    """Return random numbers for one purpose."""
    return np.random.default_rng((seed_of(random_state), purpose))
