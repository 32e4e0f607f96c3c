"""Everything that makes a fitted model, as one record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from galileomix._fitted.fitting import Units
from galileomix._fitted.results import Path
from galileomix._model.params import Mixture
from galileomix._model.stats import Background
from galileomix._table import Schema


@dataclass(frozen=True, eq=False)
class State:
    """A fitted model: what was set, what the table was, and the mixture of every size.

    Parameters
    ----------
    estimator : str
        The class of the model.
    parameters : mapping
        What ``get_params`` returns.
    schema : Schema
    named : bool
        Whether the names in the schema are the user's own.
    N : float
        The sum of the weights of the records.
    units : Units
    background : Background
    mixtures : mapping of int to Mixture
        By their number of components.
    converged : mapping of int to bool
        Whether EM converged, by number of components.
    path : Path
    k : int
        The size that the model has now (see ``at``).
    extra : mapping of str to Any
        Further fitted attributes: plain values, or arrays of numbers.
    """

    estimator: str
    parameters: Mapping[str, Any]
    schema: Schema
    named: bool
    N: float
    units: Units
    background: Background
    mixtures: Mapping[int, Mixture]
    converged: Mapping[int, bool]
    path: Path
    k: int
    extra: Mapping[str, Any]
