"""Leaps: further along the way that EM moves, in one step.

Near an optimum EM shrinks its error by nearly the same factor each step. From three statistics in
a row the squared extrapolation of Varadhan and Roland (SQUAREM) takes the step that the factor
promises. Counts are extrapolated, not probabilities: they add, and what they are turned into is
always a mixture.
"""

from __future__ import annotations

from galileomix.model.stats import Stats

FURTHEST = 32.0
LEFT = 0.1
"""A count that would become negative is left this share of what it is."""


def leap(first: Stats, second: Stats, third: Stats) -> Stats | None:
    """Return statistics ahead of three in a row, or None where there is nothing to gain."""
    if not first.k == second.k == third.k:
        return None
    step, turn = second - first, (third - second) - (second - first)
    bend = turn.norm()
    length = min(step.norm() / bend, FURTHEST) if bend > 0 else 0.0
    if length <= 1.0:
        return None
    ahead = first + step.times(2.0 * length) + turn.times(length * length)
    return ahead.at_least(third.times(LEFT))
