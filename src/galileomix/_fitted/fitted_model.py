"""A fitted model as one value: what a fit found, and what is costly to make from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from galileomix._checks import check_integer
from galileomix._fitted.judge import Judge
from galileomix._fitted.left_out import Part
from galileomix._fitted.predictive import Predictive
from galileomix._fitted.results import Path, SearchRecord, Step
from galileomix._model.density import log_density
from galileomix._model.families import smoothed
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import Background
from galileomix._table import Schema
from galileomix.errors import ParameterError

TOGETHER = 0
"""Stands for all sizes together where a size is asked for."""


@dataclass(frozen=True)
class Units:
    """From standardised numbers to the user's: what to subtract from logarithms."""

    log_likelihood: float  # from the log-likelihood of the whole table
    log_cell: float  # from log densities: the log volume of one standardised cell

    def density(self, log_density: Floats | float) -> Floats:
        """Return densities in the user's units; infinite where these are too small."""
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(log_density) - self.log_cell)


@dataclass(frozen=True, eq=False)
class FittedModel:
    """The mixture of every size that a search found, and the size that was chosen."""

    schema: Schema  # the attributes of the table and their values
    named: bool  # whether the names in the schema are the user's own
    N: float  # the sum of the weights of the records
    units: Units
    background: Background  # the distribution of each attribute over all records
    mixtures: Mapping[int, Mixture]  # by their number of components
    converged: Mapping[int, bool]  # whether EM converged, by number of components
    path: Path
    k: int  # the size that answers; `at` gives the same model with another one
    search: SearchRecord
    never_known: tuple[str, ...] = ()  # the numeric columns that are missing in every row
    predictive: Predictive | None = None  # how sizes predict together; None: one by itself
    judges: dict[int, Judge] = field(default_factory=dict[int, Judge], init=False, repr=False)
    """By size; those of all sizes together at `TOGETHER`."""

    @property
    def mixture(self) -> Mixture:
        """The mixture of the size that answers."""
        return self.mixtures[self.k]

    @property
    def densities(self) -> Floats:
        """The density of each component, in the user's units."""
        return self.units.density(log_density(self.mixture, self.N))

    @property
    def relative_densities(self) -> Floats:
        """How many times as dense each component is as all records, taken for one component."""
        all_records = self.background
        parts = (all_records.G, all_records.mu, all_records.Sigma)
        together = Mixture(self.mixture.layout, np.ones(1), *parts)
        with np.errstate(over="ignore"):
            return np.exp(log_density(self.mixture, self.N) - log_density(together, self.N))

    @property
    def step(self) -> Step:
        """The size that answers, on the path."""
        return next(step for step in self.path if step.k == self.k)

    def at(self, k: int) -> FittedModel:
        """Return the same model with another size of the path."""
        check_integer("k", k, 1)
        if k not in self.mixtures:
            sizes = ", ".join(map(str, self.path.sizes))
            raise ParameterError(f"no model of {k} components on the path; there are {sizes}")
        other = replace(self, k=int(k))
        object.__setattr__(other, "judges", self.judges)  # of the same mixtures, so shared
        return other

    def judge(self, k: int | None = None) -> Judge:
        """Return what judges records that were not fitted, by the mixture of a size.

        By default all sizes judge together. It is made once.
        """
        size = self._size_that_judges if k is None else k
        if size not in self.judges:
            parts, known = self._parts(size), (self.schema, self.N, self.background)
            self.judges[size] = Judge(parts, *known, self.never_known)
        return self.judges[size]

    @property
    def predictive_weights(self) -> dict[int, float]:
        """How much each size counts in what is predicted, by number of components."""
        if self.predictive is None or self._size_that_judges != TOGETHER:
            return {self.k: 1.0}
        return {k: share.weight for k, share in self.predictive.shares.items()}

    @property
    def predicting(self) -> Mixture:
        """The mixture that questions are put to: of all sizes together, or of the one alone."""
        together = self._size_that_judges == TOGETHER
        return self.judge(TOGETHER).mixture if together else self.mixture

    @property
    def _size_that_judges(self) -> int:
        """The chosen size stands for all of them; another one that was asked for judges alone."""
        together = self.predictive is not None and self.k == self.path.chosen
        return TOGETHER if together else self.k

    def _parts(self, size: int) -> list[Part]:
        """Return the mixture of a size, or of all, in which nothing is impossible."""
        if size == TOGETHER and self.predictive is not None:
            return self.predictive.parts(self.mixtures, self.background, self.N)
        beyond = self.predictive.beyond if self.predictive is not None else {}
        mixture = beyond[size] if size in beyond else self.at(size).mixture
        return [Part(smoothed(mixture, self.background, self.N), 1.0)]

    def __getstate__(self) -> dict[str, Any]:
        names = (attribute.name for attribute in fields(self))
        return {name: getattr(self, name) for name in names} | {"judges": {}}


def model_of(estimator: Any) -> FittedModel:
    """Return the fitted model of a `Galileo`; raise scikit-learn's error where there is none."""
    check_is_fitted(estimator)
    return estimator._model
