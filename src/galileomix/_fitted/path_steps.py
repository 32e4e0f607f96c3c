"""What a fit is on the path: its criteria, in the units of the table."""

from __future__ import annotations

from functools import partial

import numpy as np

from galileomix._fitted.fitted_model import Units
from galileomix._fitted.results import Step
from galileomix._model.criteria import InformationCriterion
from galileomix._model.density import log_mean_density
from galileomix._model.em import Fit
from galileomix._model.params import Floats
from galileomix._passes.records import BlockRecords
from galileomix._table import Block, Schema


def units_of(schema: Schema, records: BlockRecords) -> Units:
    """Return the units of a table."""
    known = np.diag(records.census.known)
    log_cell = np.log([number.scale for number in schema.numeric])
    skewed = [q for q, number in enumerate(schema.numeric) if number.transform and known[q] > 0]
    if skewed:  # there one scale is not that of all numbers: the mean of its logarithms is taken
        slopes = records.total(partial(_slopes, schema=schema))
        log_cell[skewed] = -slopes[skewed] / known[skewed]
    return Units(float(known @ log_cell), float(log_cell.sum()))


def _slopes(block: Block, schema: Schema) -> Floats:
    """Return what is added to the log-likelihood of a block's numbers in the user's units, (Q,)."""
    columns = enumerate(schema.numeric)
    return np.array([block.weights @ a.log_slope(block.numbers[:, q]) for q, a in columns])


def step_of(fit: Fit, N: float, units: Units) -> Step:
    """Return one fit as a record of the path, in the user's units."""
    log_likelihood = fit.log_likelihood - units.log_likelihood
    nu = fit.mixture.layout.degrees_of_freedom(fit.k)
    return Step(
        fit.k,
        fit.n_iter,
        log_likelihood,
        InformationCriterion("aic", N).information(nu, log_likelihood),
        InformationCriterion("bic", N).information(nu, log_likelihood),
        float(units.density(log_mean_density(fit.mixture, N))),
    )
