"""The criteria: what makes one model better than another, at one size and across sizes.

Two classes with the same methods, ``loss`` to make least across sizes and ``merit`` to make
greatest at one size. `criterion_of` says which is which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.special import xlogy

from galileomix._model.density import density, log_mean_density, mean_density
from galileomix._model.em import Fit
from galileomix._model.families import maximise, own_log_likelihood
from galileomix._model.params import Floats, Ints, Layout, Mixture
from galileomix._model.stats import Background, MoveStats, Stats
from galileomix._model.ties import least

CriterionName = Literal["aic", "bic", "density"]
CRITERION_NAMES: tuple[CriterionName, ...] = ("bic", "aic", "density")
FEW, RECORDS_EACH = 16, 20
"""By density the components stay below one per `RECORDS_EACH` records, or `FEW`."""


@dataclass(frozen=True)
class InformationCriterion:
    """AIC or BIC for N records; at one size the log-likelihood.

    EM climbs the merit, and the best one never falls as k grows (``of_likelihood``).
    """

    name: Literal["aic", "bic"]
    N: float
    of_likelihood: ClassVar[bool] = True

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
        """Return the merit that one component more has to bring."""
        return 0.5 * self.penalty * parameters_each(layout)

    def scale(self, fit: Fit) -> float:
        """Return what forecasts of merit are measured by: the number of records."""
        return self.N

    def most_components(self, n_records: int) -> int:
        """Return how far a search may go by itself: AIC and BIC end it."""
        return n_records

    def target(self, champion: Fit) -> float:
        """Return the objective that EM has to reach to beat a fit of the same size."""
        return champion.objective

    def parts(self, stats: Stats, mixture: Mixture) -> Floats:
        """Return what each component adds to the merit, (k,), as if no record were shared.

        ``mixture`` holds the distributions of the components; their weights are read from
        ``stats``, so that single components can be judged outside of any mixture.
        """
        return own_log_likelihood(stats, mixture) + xlogy(stats.weight, stats.weight / self.N)

    def split_gains(
        self, fit: Fit, parent: Ints, halves: MoveStats, background: Background
    ) -> Floats:
        """Return what the merit is expected to gain when each pair replaces its parent."""
        return halves.gains


@dataclass(frozen=True)
class DensityCriterion:
    """The mean density rho-bar of N records. Parameters cost nothing, and EM does not climb it."""

    N: float
    name: ClassVar[Literal["density"]] = "density"
    of_likelihood: ClassVar[bool] = False

    def loss(self, fit: Fit) -> float:
        """Return minus the log density."""
        return -self.merit(fit)

    def merit(self, fit: Fit) -> float:
        """Return the log density."""
        return log_mean_density(fit.mixture, self.N)

    def price(self, layout: Layout) -> float:
        """Return the merit that one component more has to bring: any will do."""
        return 0.0

    def scale(self, fit: Fit) -> float:
        """Return what forecasts of merit are measured by: the density itself."""
        return mean_density(fit.mixture, self.N)

    def most_components(self, n_records: int) -> int:
        """Return how far a search may go: where rows repeat, density prefers ever more."""
        return min(n_records, max(FEW, n_records // RECORDS_EACH))

    def target(self, champion: Fit) -> float:
        """Return no target: a fit of less likelihood may be denser."""
        return -np.inf

    def parts(self, stats: Stats, mixture: Mixture) -> Floats:
        """Return what each component adds to the density, (k,); weights are read from stats."""
        alpha = stats.weight / self.N
        return alpha * density(mixture.weighted(alpha), self.N)

    def split_gains(
        self, fit: Fit, parent: Ints, halves: MoveStats, background: Background
    ) -> Floats:
        """Return what the density is expected to gain when each pair replaces its parent."""
        within = background.within(fit.mixture, np.repeat(parent, 2))
        after = self.parts(halves.stats, maximise(halves.stats, within))
        before = self.parts(fit.stats, fit.mixture)[parent]
        return after.reshape(-1, 2).sum(axis=1) - before


Criterion = InformationCriterion | DensityCriterion


def criterion_of(name: CriterionName, N: float) -> Criterion:
    """Return the criterion of that name for N records."""
    return DensityCriterion(N) if name == "density" else InformationCriterion(name, N)


def parameters_each(layout: Layout) -> int:
    """Return how many free parameters one component more has."""
    return layout.degrees_of_freedom(2) - layout.degrees_of_freedom(1)


def best(fits: Iterable[Fit], criterion: Criterion) -> Fit:
    """Return the fit of least loss; among equals the one of fewest components."""
    by_size = sorted(fits, key=lambda fit: fit.k)
    return by_size[least([criterion.loss(fit) for fit in by_size])]


def nearest(fits: Iterable[Fit], k: int) -> Fit:
    """Return the fit of k components, or of as nearly k as there is; fewer before more."""
    return min(fits, key=lambda fit: (abs(fit.k - k), fit.k))
