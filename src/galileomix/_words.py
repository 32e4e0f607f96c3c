"""Short pieces of text that messages are made of."""

from __future__ import annotations

import math


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "row"), counted(2, "row"), counted(0, "pass", "passes")
    ('1 row', '2 rows', '0 passes')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def shown_value(value: object) -> str:
    """Return a value as a person reads it: short, and "missing" where there is none.

    Examples
    --------
    >>> shown_value("foul"), shown_value(0.1 + 0.2), shown_value(None)
    ('foul', '0.3', 'missing')
    """
    if value is None or value != value:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def rounded(value: float, spread: float) -> float:
    """Return a number to two digits of its spread: more would be noise, fewer might hide much.

    Examples
    --------
    >>> rounded(3.14159, 0.5), rounded(3.14159, 0.0)
    (3.14, 3.14159)
    """
    if not spread > 0:
        return value
    return round(float(value), 1 - math.floor(math.log10(spread))) + 0.0  # no negative zero
