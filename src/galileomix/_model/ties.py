"""When two values of a criterion are equal, and which comes first."""

from __future__ import annotations

from collections.abc import Sequence

EQUAL = 1e-9
"""Difference below which two losses count as equal: relative, or absolute where they are small."""


def least(losses: Sequence[float]) -> int:
    """Return the position of the least loss, the first among equals.

    Examples
    --------
    >>> least([3.0, 1.0, 1.0 - 1e-12])
    1
    """
    chosen = 0
    for position, loss in enumerate(losses):
        if loss < losses[chosen] - EQUAL * max(abs(losses[chosen]), 1.0):
            chosen = position
    return chosen
