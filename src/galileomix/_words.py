"""Short pieces of text that messages are made of."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "row"), counted(2, "row"), counted(0, "pass", "passes")
    ('1 row', '2 rows', '0 passes')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
