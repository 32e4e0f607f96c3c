"""What a model file holds: a fitted model, and the estimator it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from galileomix._fitted.fitted_model import FittedModel


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A fitted estimator as data.

    Parameters
    ----------
    estimator : str
        The name of its class.
    parameters : mapping
        The parameters of its `Galileo`, as ``get_params`` returns them.
    model : FittedModel
    extra : mapping of str to Any
        What a meta-estimator adds: plain values, or arrays of numbers.
    """

    estimator: str
    parameters: Mapping[str, Any]
    model: FittedModel
    extra: Mapping[str, Any]
