"""What a model file holds: a fitted model, and the estimator it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from galileomix._fitted.fitted_model import FittedModel


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A fitted estimator as data."""

    estimator: str  # the name of its class
    parameters: Mapping[str, Any]  # of its `Galileo`, as ``get_params`` returns them
    model: FittedModel
    extra: Mapping[str, Any]  # what a meta-estimator adds: plain values, or arrays of numbers
