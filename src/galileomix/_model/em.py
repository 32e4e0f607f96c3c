"""Expectation-maximisation, with a prior around the global distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from galileomix._model.leap import leap
from galileomix._model.params import Floats, Ints, Mixture, safe_log
from galileomix._model.stats import TINY, TRACE, Background, Stats, not_flat

EMPTY = 1e-10
"""A component with less than this share of all records is gone."""
GHOST_RECORDS, GHOST_SHARE = 1e-3, 1e-6
"""One that converged to less than both of these holds no record, and is dropped."""

DRAFT_AFTER = 4
"""Steps, a leap among them, after which EM is not about to end and drafts are worth their while."""
DRAFT_TOL = 1e-6
"""Drafts go on while a step gains more than this of the objective: a hundred times their error."""


class Records(Protocol):
    """The data, as the mathematics sees it: something that shares records out and counts.

    ``everything`` is the statistics of all records as one component, ``background`` its G.
    """

    everything: Stats
    background: Background

    @property
    def drafts(self) -> bool:
        """Whether a draft of an E-step saves more time than its few digits cost."""
        ...

    def expect(self, mixture: Mixture, draft: bool = False) -> Stats:
        """E-step: share every record among the components, by Bayes, and count."""
        ...


@dataclass(frozen=True)
class Stop:
    """When EM stops: a step gained less than ``tol`` of the objective, or there were too many."""

    tol: float = 1e-9
    max_iter: int = 1000


DEFAULT_STOP = Stop()


@dataclass(frozen=True, eq=False)
class Fit:
    """A mixture, and the statistics of the records under it (so both agree to the digit).

    ``given_up`` says that EM stopped because there was no hope of reaching its target.
    """

    mixture: Mixture
    stats: Stats
    objective: float
    n_iter: int
    converged: bool
    given_up: bool = False

    @property
    def k(self) -> int:
        """The number of components."""
        return self.mixture.k

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood of the records under the mixture."""
        return self.stats.log_likelihood


def maximise(stats: Stats, background: Background, s: float = 0.0) -> Mixture:
    """M-step: p_im(v) = (n_im(v) + s G_m(v)) / (N_im + s), alpha_i = N_i / N.

    N_im counts the records whose attribute m is known. An attribute that a component knows
    nothing of (N_im + s = 0) takes the global distribution.

    Examples
    --------
    >>> from galileomix._model.params import Layout
    >>> stats = Stats(Layout((2,)), np.array([[1.0], [3.0], [4.0]]), 0.0)
    >>> maximise(stats, Background.of(stats, 1.0)).p.tolist()
    [[0.25], [0.75]]
    """
    layout = stats.layout
    counts = stats.counts
    known = layout.per_attribute(counts)
    if s > 0:
        counts = counts + s * background.G
        known += s
    elif not known.all():
        nothing = (known == 0).astype(float)
        counts = counts + nothing[layout.attribute_of_value] * background.G
        known += nothing
    p = counts / np.take(known, layout.attribute_of_value, axis=0)
    alpha = stats.weight / max(stats.weight.sum(), TINY)
    return Mixture(layout, alpha, p, *_gaussians(stats, background, s))


def _gaussians(stats: Stats, background: Background, s: float) -> tuple[Floats, Floats]:
    """Return means and covariances, the covariances drawn toward the global one."""
    layout = stats.layout
    if not layout.n_numeric:
        return stats.total, stats.product
    s = max(s, background.least)
    N = stats.weight
    mu = np.where(N > TRACE, stats.total / np.maximum(N, TRACE), background.mu)
    Sigma = (stats.scatter + s * background.Sigma) / np.maximum(N + s, TRACE)
    for q in layout.constant:
        Sigma[q] = Sigma[:, q] = 0.0
        Sigma[q, q] = background.Sigma[q, q]
    return mu, not_flat(Sigma, background.width)


def log_prior(mixture: Mixture, background: Background, s: float) -> float:
    """Return the log-density of the prior, up to a constant: what EM climbs besides log L."""
    prior = s * float((background.G * safe_log(mixture.p)).sum()) if s > 0 else 0.0
    strength = max(s, background.least)
    if mixture.layout.n_numeric and strength > 0:
        pull = mixture.log_det.sum() + (mixture.precision * background.Sigma).sum()
        prior -= 0.5 * strength * float(pull)
    return prior


def em(
    records: Records,
    start: Stats | Mixture,
    s: float = 0.0,
    stop: Stop = DEFAULT_STOP,
    target: float = -np.inf,
    plain: bool = False,
) -> Fit:
    """Fit a mixture of the size it is begun with.

    ::

        repeat
            E: share the records out under the mixture; note its objective
            stop when the objective gained less than ``tol`` of itself, or of N;
            but first drop components that hold no record
            M: take the mixture from the counts
            every third time, leap: take it from counts further along the way they moved,
            and stay there if the objective is no less

    The objective is the log-likelihood, plus the log-prior where there is one; it never falls,
    but for the trace of a dropped component.
    A run whose objective is forecast to stay below ``target`` is given up.
    Where records are many, steps after the first leap are drafts for as long as they gain much;
    what is returned is not. ``plain`` EM neither leaps nor drafts.
    """
    N = float(records.everything.weight[0])
    here = _at(records, start if isinstance(start, Mixture) else _m_step(records, start, s), s)
    trail = [here.stats]
    n_iter, last_gain, draft = 1, np.inf, False
    while n_iter < stop.max_iter:
        following = _at(records, _m_step(records, here.stats, s), s, draft)
        gain = following.objective - here.objective
        here = following
        n_iter += 1
        if not gain > (DRAFT_TOL if draft else stop.tol) * max(abs(here.objective), N):
            held = _holding(here.stats, N)
            if not draft and len(held) == here.stats.k:
                return _fit(here, n_iter, converged=True)
            here = _at(records, maximise(here.stats.take(held), records.background, s), s)
            trail, last_gain, draft = [here.stats], np.inf, False
            continue
        if _hopeless(here.objective, gain, last_gain, target):
            return _fit(here, n_iter, given_up=True)
        last_gain = gain
        trail = [*trail[-2:], here.stats]
        if not plain and len(trail) == 3 and n_iter < stop.max_iter:
            ahead = leap(*trail)
            if ahead is not None:
                landed = _at(records, _m_step(records, ahead, s), s, draft)
                n_iter += 1
                if landed.objective >= here.objective:
                    here, last_gain = landed, np.inf
            trail = [here.stats]
            draft = draft or (records.drafts and n_iter <= DRAFT_AFTER)
    here = _at(records, here.mixture, s) if draft else here
    return _fit(here, n_iter)


@dataclass(frozen=True, eq=False)
class _Point:
    mixture: Mixture
    stats: Stats
    objective: float


def _fit(here: _Point, n_iter: int, converged: bool = False, given_up: bool = False) -> Fit:
    # Fits are held by the dozen, and what a kernel prepared for the passes is larger than they are.
    here.mixture.cache.clear()
    return Fit(here.mixture, here.stats, here.objective, n_iter, converged, given_up)


def _at(records: Records, mixture: Mixture, s: float, draft: bool = False) -> _Point:
    """E-step: the statistics under a mixture, and its objective."""
    stats = records.expect(mixture, draft)
    objective = stats.log_likelihood + log_prior(mixture, records.background, s)
    return _Point(mixture, stats, objective)


def _m_step(records: Records, stats: Stats, s: float) -> Mixture:
    held = np.flatnonzero(stats.weight > EMPTY * stats.weight.sum())
    return maximise(stats if len(held) == stats.k else stats.take(held), records.background, s)


def _holding(stats: Stats, N: float) -> Ints:
    """Return the components that hold a record, or anything worth the name."""
    return np.flatnonzero(stats.weight > min(GHOST_RECORDS, GHOST_SHARE * N))


def _hopeless(objective: float, gain: float, last_gain: float, target: float) -> bool:
    """Whether twice what Aitken's forecast promises, and half a unit, stays below the target."""
    if not np.isfinite(target) or not np.isfinite(last_gain) or last_gain <= 0:
        return False
    rate = min(max(gain / last_gain, 0.0), 0.98)
    return objective + 2.0 * gain * rate / (1.0 - rate) + 0.5 < target
