"""A fitted estimator without what answers do not need, to be sent elsewhere."""

from __future__ import annotations

import copy
from typing import Any

OF_FITTED_ROWS = ("labels_", "scores_", "kinds_")
"""Attributes that no answer needs, and that may be as long as the table that was fitted."""


def light(estimator: Any) -> Any:
    """Return a copy that is as small as can be, and tells of no progress."""
    found = copy.copy(estimator)
    for name in OF_FITTED_ROWS:
        vars(found).pop(name, None)
    if hasattr(found, "model_"):  # a meta-estimator, whose own is the model that was given
        found.model, found.model_ = None, light(found.model_)
    if hasattr(found, "progress"):
        found.progress = False
    return found
