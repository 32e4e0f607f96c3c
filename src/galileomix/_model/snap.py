"""Snaps: the last fraction of the likelihood, on the border of the parameter space.

Where a few records are shared, the likelihood has many optima that differ in which rare values
a component does without. EM cannot get from one to the next: it takes a probability to zero only
in the limit, and never back. So try it: drop a rare value from a component, run EM, and keep the
best of all such trials for as long as one helps.
"""

from __future__ import annotations

import numpy as np

from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.stats import Stats

RARE = 3.0
"""A value that a component holds fewer records of is one it might do without."""
TRACE = 1e-2
MOST = 150
"""The most values that are tried."""
GAIN, GAIN_SHARE = 1e-3, 1e-9
"""A smaller gain in log-likelihood is not worth the name, nor is one that EM stops at."""


def snap(records: Records, fit: Fit, stop: Stop) -> Fit:
    """Return the fit after dropping rare values from components for as long as that helps."""
    while True:
        best, gain = fit, max(GAIN, GAIN_SHARE * abs(fit.log_likelihood))
        for value, component in _rare(fit.stats):
            start = _dropped(fit.stats, value, component)
            trial = em(records, start, 0.0, stop, target=fit.objective)
            if (
                not trial.given_up
                and trial.k == fit.k
                and trial.log_likelihood > best.log_likelihood + gain
            ):
                best = trial
        if best is fit:
            return fit
        fit = best


def _rare(stats: Stats) -> list[tuple[int, int]]:
    """Return (value, component) pairs with a few records, fewest first.

    No component does without a rank: that is between others.
    """
    known = stats.layout.per_attribute(stats.counts)[stats.layout.attribute_of_value]
    rare = (stats.counts > TRACE) & (stats.counts < RARE) & (stats.counts < 0.5 * known)
    rare &= ~stats.layout.is_rank[:, None]
    where = np.argwhere(rare)
    order = np.argsort(stats.counts[rare], kind="stable")[:MOST]
    return [(int(value), int(component)) for value, component in where[order]]


def _dropped(stats: Stats, value: int, component: int) -> Stats:
    counts = stats.counts.copy()
    counts[value, component] = 0.0
    return stats.with_counts(counts)
