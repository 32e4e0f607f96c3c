"""The criteria: what makes one model better than another, at one size and across sizes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.special import xlogy

from galileomix._model.cuts import HalfStats
from galileomix._model.density import density, log_mean_density, mean_density
from galileomix._model.em import Fit
from galileomix._model.families import maximise, own_log_likelihood
from galileomix._model.params import Floats, Ints, Layout, Mixture
from galileomix._model.stats import Background, Stats
from galileomix._model.ties import least

CriterionName = Literal["aic", "bic", "density"]


@dataclass(frozen=True)
class Criterion(ABC):
    """What a search makes best, for N records: `InformationCriterion` or `DensityCriterion`.

    ``of_likelihood`` says whether merit is the log-likelihood: EM climbs it, and the best one
    never falls as k grows.
    """

    name: CriterionName
    N: float
    of_likelihood: ClassVar[bool]

    def __new__(cls, name: CriterionName = "bic", N: float = 1.0) -> Criterion:
        # Until every caller says criterion_of.
        if cls is not Criterion:
            return super().__new__(cls)
        return super().__new__(DensityCriterion if name == "density" else InformationCriterion)

    @abstractmethod
    def loss(self, fit: Fit) -> float:
        """Return the value to make least across sizes."""

    @abstractmethod
    def merit(self, fit: Fit) -> float:
        """Return the value to make greatest at one size."""

    @abstractmethod
    def price(self, layout: Layout) -> float:
        """Return the merit that one component more has to bring."""

    @abstractmethod
    def scale(self, fit: Fit) -> float:
        """Return what forecasts of merit are measured by."""

    @abstractmethod
    def target(self, champion: Fit) -> float:
        """Return the objective that EM has to reach to beat a fit of the same size."""

    @abstractmethod
    def parts(self, stats: Stats, mixture: Mixture) -> Floats:
        """Return what each component adds to the merit, (k,), if no record were shared.

        ``mixture`` holds the distributions of the components; their weights are read from
        ``stats``, so that single components can be judged outside of any mixture.
        """

    @abstractmethod
    def split_gains(
        self, fit: Fit, parent: Ints, halves: HalfStats, background: Background
    ) -> Floats:
        """Return what the merit is expected to gain when each pair replaces its parent."""


class InformationCriterion(Criterion):
    """AIC or BIC; at one size the log-likelihood.

    Examples
    --------
    >>> round(InformationCriterion("bic", N=100.0).penalty, 3)
    4.605
    """

    of_likelihood = True

    @property
    def penalty(self) -> float:
        """What each free parameter costs: 2, or log N; never less than nothing."""
        return 2.0 if self.name == "aic" else max(float(np.log(self.N)), 0.0)

    def information(self, nu: int, log_likelihood: float) -> float:
        """Return AIC or BIC of a model with nu free parameters."""
        return self.penalty * nu - 2.0 * log_likelihood

    def loss(self, fit: Fit) -> float:
        """Return AIC or BIC."""
        nu = fit.mixture.layout.degrees_of_freedom(fit.k)
        return self.information(nu, fit.log_likelihood)

    def merit(self, fit: Fit) -> float:
        """Return the log-likelihood."""
        return fit.log_likelihood

    def price(self, layout: Layout) -> float:
        """Return half the penalty of one component's parameters."""
        added = layout.degrees_of_freedom(2) - layout.degrees_of_freedom(1)
        return 0.5 * self.penalty * added

    def scale(self, fit: Fit) -> float:
        """Return the number of records."""
        return self.N

    def target(self, champion: Fit) -> float:
        """Return the champion's own objective."""
        return champion.objective

    def parts(self, stats: Stats, mixture: Mixture) -> Floats:
        """Return the classification log-likelihood of each component, (k,)."""
        return own_log_likelihood(stats, mixture) + xlogy(stats.weight, stats.weight / self.N)

    def split_gains(
        self, fit: Fit, parent: Ints, halves: HalfStats, background: Background
    ) -> Floats:
        """Return what each pair gains over its parent in log-likelihood."""
        return halves.gains


class DensityCriterion(Criterion):
    """The mean density rho-bar. Nothing is charged for parameters, and EM does not climb it."""

    of_likelihood = False

    def loss(self, fit: Fit) -> float:
        """Return minus the log density."""
        return -self.merit(fit)

    def merit(self, fit: Fit) -> float:
        """Return the log density."""
        return log_mean_density(fit.mixture, self.N)

    def price(self, layout: Layout) -> float:
        """Return nothing: any gain is enough."""
        return 0.0

    def scale(self, fit: Fit) -> float:
        """Return the density itself."""
        return mean_density(fit.mixture, self.N)

    def target(self, champion: Fit) -> float:
        """Return no target: a fit of less likelihood may be denser."""
        return -np.inf

    def parts(self, stats: Stats, mixture: Mixture) -> Floats:
        """Return what each component adds to the density, (k,)."""
        alpha = stats.weight / self.N
        return alpha * density(mixture.weighted(alpha), self.N)

    def split_gains(
        self, fit: Fit, parent: Ints, halves: HalfStats, background: Background
    ) -> Floats:
        """Return what each pair adds to the density over its parent."""
        within = background.within(fit.mixture, np.repeat(parent, 2))
        after = self.parts(halves.stats, maximise(halves.stats, within))
        before = self.parts(fit.stats, fit.mixture)[parent]
        return after.reshape(-1, 2).sum(axis=1) - before


def criterion_of(name: CriterionName, N: float) -> Criterion:
    """Return the criterion of that name for N records."""
    return (DensityCriterion if name == "density" else InformationCriterion)(name, N)


def best(fits: Iterable[Fit], criterion: Criterion) -> Fit:
    """Return the fit of least loss; among equals the one of fewest components."""
    by_size = sorted(fits, key=lambda fit: fit.k)
    return by_size[least([criterion.loss(fit) for fit in by_size])]
