"""Checks of parameters: the message names the parameter, its value and what would be right."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from galileomix.errors import ParameterError

SHOWN = 100
"""Characters of a value that is shown."""


def shown(value: object) -> str:
    """Return a value in at most some characters; Python does not write integers of any length.

    Examples
    --------
    >>> shown("size"), shown(10**9999)
    ("'size'", '...')
    """
    try:
        return f"{value!r:.{SHOWN}}"
    except ValueError:
        return "..."


def check_integer(name: str, value: Any, least: int, wanted: str = "an integer") -> None:
    """Refuse what is not an integer of at least so much.

    Examples
    --------
    >>> check_integer("max_iter", 0, least=1)
    Traceback (most recent call last):
    galileomix.errors.ParameterError: max_iter=0: it must be an integer, at least 1
    """
    if not _is(value, int | np.integer) or value < least:
        raise ParameterError(f"{name}={shown(value)}: it must be {wanted}, at least {least}")


def check_number(
    name: str, value: Any, least: float, most: float = math.inf, *, exclusive: bool = False
) -> None:
    """Refuse what is not a finite number within bounds; `exclusive` leaves the upper one out."""
    if not _is_finite(value) or not least <= value <= most or (exclusive and value == most):
        upper = "" if most == math.inf else f" and {'below' if exclusive else 'at most'} {most:g}"
        wanted = f"it must be a number, at least {least:g}{upper}"
        raise ParameterError(f"{name}={shown(value)}: {wanted}")


def check_positive(name: str, value: Any, most: float = math.inf) -> None:
    """Refuse what is not a finite number above zero, or is more than ``most``."""
    if not _is_finite(value) or not 0 < value <= most:
        upper = "" if most == math.inf else f" and at most {most:g}"
        raise ParameterError(f"{name}={shown(value)}: it must be a finite number above 0{upper}")


def check_share(name: str, value: Any) -> None:
    """Refuse what is not a share of at most one half."""
    if not _is(value, int | float | np.integer | np.floating) or not 0.0 < value <= 0.5:
        raise ParameterError(f"{name}={value!r}: it must be a number above 0 and at most 0.5")


def check_bool(name: str, value: Any, wanted: str = "True or False") -> None:
    """Refuse what is not a truth value."""
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name}={value!r}: it must be {wanted}")


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse what is not one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name}={value!r}: it must be one of {', '.join(choices)}")


def _is_finite(value: Any) -> bool:
    """Whether this is a number that a float can hold, as not all integers are."""
    number = _is(value, int | float | np.integer | np.floating)
    return number and -sys.float_info.max <= value <= sys.float_info.max


def _is(value: Any, types: Any) -> bool:
    return isinstance(value, types) and not isinstance(value, bool)
