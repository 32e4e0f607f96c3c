# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""A heap of pairs of clusters: the greatest value on top, of equal ones the first pair.

``values`` are floats; ``pairs`` has a row (first, second, stamp) for each. The stamp tells whoever
pops a pair whether it is still what it was when pushed.
"""

from __future__ import annotations

import numpy as np
from numba import njit

compiled = njit(nogil=True, cache=True)


@compiled
def before(values, pairs, i, j):
    """Return whether place i is to come off before place j."""
    if values[i] != values[j]:
        return values[i] > values[j]
    if pairs[i, 0] != pairs[j, 0]:
        return pairs[i, 0] < pairs[j, 0]
    return pairs[i, 1] < pairs[j, 1]


@compiled
def swap(values, pairs, i, j):
    """Let two places change theirs."""
    values[i], values[j] = values[j], values[i]
    for column in range(3):
        pairs[i, column], pairs[j, column] = pairs[j, column], pairs[i, column]


@compiled
def sink(values, pairs, place, size):
    """Move what is in a place down to where it belongs."""
    while True:
        top, left = place, 2 * place + 1
        for child in (left, left + 1):
            if child < size and before(values, pairs, child, top):
                top = child
        if top == place:
            return
        swap(values, pairs, place, top)
        place = top


@compiled
def order(values, pairs, size):
    """Make a heap of the first `size` places."""
    for place in range(size // 2 - 1, -1, -1):
        sink(values, pairs, place, size)


@compiled
def with_room(values, pairs, size):
    """Return the same arrays if there is room for one more, or twice as long ones."""
    if size < len(values):
        return values, pairs
    longer, wider = np.empty(2 * size), np.empty((2 * size, 3), pairs.dtype)
    longer[:size], wider[:size] = values[:size], pairs[:size]
    return longer, wider


@compiled
def rise(values, pairs, place):
    """Move what is in a place up to where it belongs."""
    while place > 0 and before(values, pairs, place, (place - 1) // 2):
        swap(values, pairs, place, (place - 1) // 2)
        place = (place - 1) // 2
