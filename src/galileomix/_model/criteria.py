"""The criteria: what makes one model better than another, at one size and across sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import xlogy

from galileomix._model.density import density, log_mean_density, mean_density
from galileomix._model.em import Fit
from galileomix._model.params import Floats, Layout, Mixture, safe_log
from galileomix._model.stats import TRACE, Stats
from galileomix._model.ties import least

CriterionName = Literal["aic", "bic", "density"]


@dataclass(frozen=True)
class Criterion:
    """AIC, BIC or density, for N records.

    Examples
    --------
    >>> round(Criterion("bic", N=100.0).penalty, 3)
    4.605
    """

    name: CriterionName
    N: float

    @property
    def penalty(self) -> float:
        """What each free parameter costs: 2, or log N; never less than nothing."""
        return 2.0 if self.name == "aic" else max(float(np.log(self.N)), 0.0)

    def loss(self, fit: Fit) -> float:
        """Return the value to make least across sizes: AIC, BIC, or minus the log density."""
        if self.name == "density":
            return -log_mean_density(fit.mixture, self.N)
        nu = fit.mixture.layout.degrees_of_freedom(fit.k)
        return self.information(nu, fit.log_likelihood)

    def information(self, nu: int, log_likelihood: float) -> float:
        """Return AIC or BIC of a model with nu free parameters."""
        return self.penalty * nu - 2.0 * log_likelihood

    def merit(self, fit: Fit) -> float:
        """Return the value to make greatest at one size: the log-likelihood, or the log density."""
        if self.name == "density":
            return log_mean_density(fit.mixture, self.N)
        return fit.log_likelihood

    def price(self, layout: Layout) -> float:
        """Return the merit that one component more has to bring."""
        added = layout.degrees_of_freedom(2) - layout.degrees_of_freedom(1)
        return 0.0 if self.name == "density" else 0.5 * self.penalty * added

    def scale(self, fit: Fit) -> float:
        """Return what forecasts are measured by: records, or the density itself."""
        return mean_density(fit.mixture, self.N) if self.name == "density" else self.N

    def parts(self, stats: Stats, mixture: Mixture) -> Floats:
        """Return what each component adds to the log-likelihood, or to the density, (k,).

        As if no record were shared between components.

        ``mixture`` holds the distributions of the components; their weights are read from
        ``stats``, so that single components can be judged outside of any mixture.
        """
        alpha = stats.weight / self.N
        if self.name == "density":
            return alpha * density(mixture.weighted(alpha), self.N)
        return own_log_likelihood(stats, mixture) + xlogy(stats.weight, alpha)


def own_log_likelihood(stats: Stats, mixture: Mixture) -> Floats:
    """Return the log-likelihood of each component's records under that component, (k,).

    Of unknown numbers as if they were what the component expects.
    """
    own = (stats.counts * np.where(stats.counts > 0, safe_log(mixture.p), 0.0)).sum(axis=0)
    Q = stats.layout.n_numeric
    if Q:
        away = mixture.mu - stats.total / np.maximum(stats.weight, TRACE)
        spread = stats.scatter + stats.weight * away[:, None] * away[None]
        own -= 0.5 * stats.weight * (Q * np.log(2 * np.pi) + mixture.log_det)
        own -= 0.5 * (mixture.precision * spread).sum(axis=(0, 1))
    return own


def best(fits: Iterable[Fit], criterion: Criterion) -> Fit:
    """Return the fit of least loss; among equals the one of fewest components."""
    by_size = sorted(fits, key=lambda each: each.k)
    return by_size[least([criterion.loss(fit) for fit in by_size])]
