"""Acceleration: further along the way that EM moves, in one step.

Near an optimum EM shrinks its error by nearly the same factor each step. From three statistics in
a row the squared extrapolation of Varadhan and Roland (SQUAREM) takes the step that the factor
promises. Counts are extrapolated, not probabilities: they add, and what they are turned into is
always a mixture.
"""

from __future__ import annotations

from galileomix._model import gaussian
from galileomix._model.stats import Stats

FURTHEST = 32.0
"""The longest extrapolation, in steps of EM."""
LEFT = 0.1
"""A count that would become negative is left this share of what it is."""


def extrapolate(first: Stats, second: Stats, third: Stats) -> Stats | None:
    """Return statistics ahead of three in a row, or None where there is nothing to gain."""
    if not first.k == second.k == third.k:
        return None
    step, turn = second - first, (third - second) - (second - first)
    bend = turn.norm()
    length = min(step.norm() / bend, FURTHEST) if bend > 0 else 0.0
    while length > 1.0:
        ahead = first + step.times(2.0 * length) + turn.times(length * length)
        ahead = ahead.at_least(third.times(LEFT))
        if gaussian.is_possible(ahead):
            return ahead
        length /= 2.0
    return None
