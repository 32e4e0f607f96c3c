"""Candidates fitted with a prior: the first judgement of each, before it is fitted without."""

from __future__ import annotations

from galileomix._model.champions import Champions
from galileomix._model.criteria import Criterion, parameters_each
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.params import Mixture
from galileomix._model.stats import Stats

STRENGTHS = (1.0, 0.3)
"""Prior strengths in turn. A strong prior sees the large structure, a weak one the small."""
PRIOR_STOP = Stop(tol=1e-5, max_iter=150)
"""When EM with a prior stops."""
FIRST_STOP = Stop(tol=1e-4, max_iter=30)
"""When it stops for a first look."""
FAR = 2.0
"""How many times as far behind a candidate may be there."""
BEHIND = 1.3
"""How far behind a rival a candidate may be, in what the prior costs the rival itself."""
STEPS_LEFT = 40
"""Steps that EM may have left where it stops with the prior, each worth twice its gain."""
FOR_EACH = 0.2
"""What the prior may cost a component that the rival has not, in nats for each parameter."""


class WithPrior:
    """What EM with a prior makes of candidates, and of the rivals that they have to beat."""

    def __init__(self, records: Records, criterion: Criterion) -> None:
        self._records, self._criterion = records, criterion
        self._known: dict[tuple[int, float], tuple[Fit, Fit]] = {}

    def of(self, rival: Fit, strength: float) -> Fit:
        """Return a rival after EM with a prior; the last one of every size is kept."""
        known = self._known.get((rival.k, strength))
        if known is None or known[0] is not rival:
            known = (rival, em(self._records, rival.stats, strength, PRIOR_STOP))
            self._known[rival.k, strength] = known
        return known[1]

    def follow(self, start: Stats | Mixture, strength: float, rival: Fit | None) -> Fit | None:
        """Return a candidate after EM with a prior, or None if a rival is too far ahead of it.

        By likelihood: a model that is less likely may yet be denser.
        """
        if rival is None or not self._criterion.of_likelihood:
            return em(self._records, start, strength, PRIOR_STOP)
        fit = em(self._records, start, strength, FIRST_STOP)
        if self.behind(fit, strength, rival) > FAR:
            return None
        fit = em(self._records, fit.stats, strength, PRIOR_STOP)
        return None if self.behind(fit, strength, rival) > 1.0 else fit

    def behind(self, fit: Fit, strength: float, rival: Fit) -> float:
        """Return how far behind a rival a candidate with the prior is; beyond 1 is little hope.

        Measured by what the prior costs the rival itself, by the steps that EM may have left and
        by what the prior costs one component more.
        """
        loss, with_prior = self._criterion.loss, self.of(rival, strength)
        cost = abs(loss(with_prior) - loss(rival))
        step = PRIOR_STOP.tol * max(abs(with_prior.objective), self._criterion.N)
        more = FOR_EACH * parameters_each(rival.mixture.layout)
        return (loss(fit) - loss(rival)) / (BEHIND * cost + STEPS_LEFT * step + more)


def offer_without(records: Records, champions: Champions, rough: Fit, stop: Stop) -> Fit:
    """Fit a candidate without the prior, offer it to the champions and return it.

    To the last digit only where it may become the champion of its size.
    """
    fit = em(records, rough.stats, 0.0, stop.light, champions.target(rough.k))
    if not fit.given_up and not champions.nearly_has(fit):
        fit = em(records, fit.stats, 0.0, stop, champions.target(fit.k))
        champions.offer(fit)
    return fit
