"""When two values are equal but for rounding, and which comes first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from galileomix._model.params import Floats, Ints

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


def most_probable(joint: Floats) -> Ints:
    """Return the component of the greatest log probability for each row, the first among equals.

    Sums in another order differ in their last digits, which must not decide.

    Examples
    --------
    >>> most_probable(np.log([[0.2, 0.4, 0.4 + 1e-15], [0.5, 0.3, 0.2]]))
    array([1, 0])
    """
    top = joint.max(axis=1, keepdims=True)
    return (joint >= top - EQUAL * np.maximum(np.abs(top), 1.0)).argmax(axis=1)
