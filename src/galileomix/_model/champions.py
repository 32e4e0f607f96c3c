"""Champions: the best fit met at every size."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from galileomix._model.criteria import Criterion, best, nearest
from galileomix._model.em import Fit
from galileomix._model.params import Floats

SAME = 1e-7
"""Relative difference below which two log-likelihoods, or densities, are of the same optimum."""
SAME_LOSS, SAME_WEIGHT = 1.0, 1e-4
"""How near two models are, by the criterion and by the weights of components as shares of all
records, where EM would take both to the same end."""


@dataclass(frozen=True, eq=False)
class Outline:
    """What of a model tells whether EM would take another one to the same end."""

    log_likelihood: float
    weight: Floats  # of its components, the smallest first

    @classmethod
    def of(cls, fit: Fit) -> Outline:
        """Return the outline of a fit."""
        return cls(fit.log_likelihood, np.sort(fit.stats.weight))

    def is_nearly(self, other: Outline, share: float) -> bool:
        """Whether no weight differs by such a share of all, and the likelihood hardly does."""
        if len(self.weight) != len(other.weight):
            return False
        if 2.0 * abs(self.log_likelihood - other.log_likelihood) > SAME_LOSS:
            return False
        apart = np.abs(self.weight - other.weight).max()
        return bool(apart < share * self.weight.sum())


@dataclass
class Champions:
    """One fit per number of components, and how often each was replaced."""

    criterion: Criterion
    wanted: int | None = None  # the number of components that is given; None: the criterion chooses
    by_size: dict[int, Fit] = field(default_factory=dict[int, Fit])
    generation: dict[int, int] = field(default_factory=dict[int, int])

    def anew(self) -> Champions:
        """Return no champions yet, by the same criterion."""
        return Champions(self.criterion, self.wanted)

    def offer(self, fit: Fit) -> None:
        """Keep the fit if it is the best of its size."""
        champion = self.by_size.get(fit.k)
        if not fit.given_up and (champion is None or self._beats(fit, champion)):
            self.by_size[fit.k] = fit
            self.generation[fit.k] = self.generation.get(fit.k, 0) + 1

    def nearly_has(self, fit: Fit) -> bool:
        """Whether a model is the champion of its size, but for the last steps of EM."""
        champion = self.by_size.get(fit.k)
        if champion is None or not self.criterion.of_likelihood or self._beats(fit, champion):
            return False
        return Outline.of(fit).is_nearly(Outline.of(champion), SAME_WEIGHT)

    def finish(self, fit: Fit) -> None:
        """Keep a fit in the place of the champion that it was begun with, if it is no worse."""
        champion = self.by_size.get(fit.k)
        if champion is not None and self.criterion.merit(fit) >= self.criterion.merit(champion):
            self.by_size[fit.k] = fit

    def _beats(self, fit: Fit, champion: Fit) -> bool:
        merit = self.criterion.merit(champion)
        return self.criterion.merit(fit) > merit + SAME * max(abs(merit), 1.0)

    def target(self, k: int) -> float:
        """Return the objective that a candidate of k components has to reach."""
        return self.criterion.target(self.by_size[k]) if k in self.by_size else -np.inf

    def falls_after(self, k: int) -> bool:
        """Whether one component more has less log-likelihood, as the best one never need have."""
        if not self.criterion.of_likelihood or k + 1 not in self.by_size:
            return False
        return self.by_size[k + 1].log_likelihood < self.by_size[k].log_likelihood

    def rises_to(self, k: int) -> bool:
        """Whether there is a champion of k that is no less likely than all smaller ones."""
        fit = self.by_size.get(k)
        smaller = [other.log_likelihood for other in self.by_size.values() if other.k < k]
        return fit is not None and fit.log_likelihood >= max(smaller, default=-np.inf)

    def lacks_after(self, k: int) -> bool:
        """Whether one component more is on the way to the wanted number, and none was found."""
        return self.wanted is not None and k < self.wanted and k + 1 not in self.by_size

    def fits(self) -> list[Fit]:
        """Return the champions, smallest first."""
        return sorted(self.by_size.values(), key=lambda fit: fit.k)

    def rising(self) -> list[Fit]:
        """Return the champions, without those that are no likelier than one of a smaller size.

        One component more need never lose likelihood: what such a size can do was not found.
        """
        fits = self.fits()
        if not self.criterion.of_likelihood:
            return fits
        likeliest = np.maximum.accumulate([-np.inf, *(fit.log_likelihood for fit in fits)])
        pairs = zip(fits, likeliest[:-1], strict=True)
        return [fit for fit, least in pairs if fit.log_likelihood >= least or fit.k == self.wanted]

    def best(self) -> Fit:
        """Return the champion of the best size; of the wanted one, or on the way to it."""
        if self.wanted is not None:
            return nearest(self.by_size.values(), self.wanted)
        return best(self.by_size.values(), self.criterion)
