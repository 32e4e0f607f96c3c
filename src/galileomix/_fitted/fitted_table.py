"""Whether a table is the one that a model was fitted to."""

from __future__ import annotations

from galileomix._fitted import rowwise
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import NewTable
from galileomix._model.params import Floats

SAME = 1e-7
"""Relative difference of log-likelihoods below which two tables are taken for the same."""


def is_fitted_table(model: FittedModel, table: NewTable) -> bool:
    """Whether a table has as many rows as were fitted, and as probable ones together."""
    densities = table.map(lambda block: rowwise.log_density(block, model.mixture, model.schema))
    return are_fitted(model, densities)


def are_fitted(model: FittedModel, densities: Floats) -> bool:
    """Whether rows with such log densities are those that a model was fitted to."""
    known = model.step.log_likelihood
    away = abs(float(densities.sum()) - known)
    return len(densities) == model.N and away <= SAME * (1.0 + abs(known))
