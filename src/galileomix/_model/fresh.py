"""Fresh starts: too many components around records drawn at random, of which as many stay as pay.

The paper's way to begin. Where clusters are few it often ends at a better model than growth, whose
first splits decide what comes after them, and at one that kicks seldom lead to.
"""

from __future__ import annotations

import numpy as np

from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.grow import ROUGH, Limits
from galileomix._model.merge import disjoint, join, merges
from galileomix._model.start import around
from galileomix._model.with_prior import STRENGTHS

TOO_MANY = 2
"""How many times as many components there are at the start."""
AT_ONCE = 0.1
"""The share of components that are joined in one step, at least one pair."""
BETWEEN = Stop(tol=1e-4, max_iter=6)
"""When EM stops between two steps."""
IN_VAIN = 3
"""Steps without a better model after which it is enough."""


def fresh_start(
    records: Records, k: int, criterion: Criterion, limits: Limits, rng: np.random.Generator
) -> Fit:
    """Return a model of about k components, fitted with a prior.

    ::

        begin with twice as many, around records drawn at random; EM with a prior
        repeat
            join the pairs that cost least; a few steps of EM
        until nothing is better for a while
    """
    strength = STRENGTHS[0]
    centers = records.draw(TOO_MANY * k, rng)
    start = around(centers, records.everything.layout, records.background)
    best = fit = em(records, start, strength, ROUGH)
    in_vain = 0
    while fit.k > (limits.wanted or 1) and (in_vain < IN_VAIN or _is_too_large(best, limits)):
        most = max(1, int(AT_ONCE * fit.k))
        found = disjoint(merges(records, fit, criterion), most)
        fit = em(records, join(fit.stats, *found), strength, BETWEEN)
        if _is_too_large(best, limits) or criterion.loss(fit) < criterion.loss(best):
            best, in_vain = fit, 0
        else:
            in_vain += 1
    return em(records, best.stats, strength, ROUGH)


def _is_too_large(fit: Fit, limits: Limits) -> bool:
    return fit.k > (limits.wanted or limits.most)
