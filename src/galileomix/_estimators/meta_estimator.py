"""Meta-estimators: they fit a `Galileo` that they are given, use it, and are saved with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from galileomix._estimators.galileo import Galileo
from galileomix._estimators.saving import FilePath, SavedMethods, from_saved, to_saved
from galileomix._estimators.table_input import TableInput, remember_features
from galileomix._fitted.results import Component
from galileomix._storage import SavedModel
from galileomix.errors import ModelFileError, ParameterError

OWN = "parameters"
"""The name of a meta-estimator's own parameters in a model file, beside those of its model."""


class MetaEstimator(SavedMethods, TableInput, BaseEstimator):
    """What meta-estimators share: the model to fit is their first parameter.

    A subclass lists the fitted attributes that are saved.
    """

    model: Galileo | None
    model_: Galileo
    _saved_attributes: ClassVar[tuple[str, ...]]

    def _unfitted(self, **defaults: Any) -> Galileo:
        """Return a copy of the model that was given, or one with defaults."""
        given: Any = self.model
        if given is None:
            return Galileo(**defaults)
        if not isinstance(given, Galileo):
            raise ParameterError(f"model={given!r}: it must be a Galileo or None")
        unfitted: Any = clone(given)
        return unfitted

    def _use(self, model: Galileo) -> None:
        """Take over a fitted model."""
        self.model_ = model
        remember_features(self, model.schema_.names, hasattr(model, "feature_names_in_"))

    def components(self) -> list[Component]:
        """Return every component of the model with its size, density and what sets it apart."""
        check_is_fitted(self)
        return self.model_.components()

    def _to_saved(self) -> SavedModel:
        """Return what a model file holds."""
        check_is_fitted(self)
        own = self.get_params(deep=False)
        del own["model"]
        fitted = {name: _plain(getattr(self, name)) for name in self._saved_attributes}
        saved = to_saved(self.model_)
        return replace(saved, estimator=type(self).__name__, extra={**fitted, OWN: own})

    @classmethod
    def _from_saved(cls, saved: SavedModel, file: FilePath | None = None) -> Self:
        """Return the fitted estimator; `file` is where it comes from, for the message."""
        where = None if file is None else str(file)
        if saved.estimator != cls.__name__:
            raise ModelFileError(f"this is a {saved.estimator}, not a {cls.__name__}", file=where)
        own = (*cls._saved_attributes, OWN)
        absent = [name for name in own if name not in saved.extra]
        if absent:
            raise ModelFileError(f"it holds no {', '.join(absent)}", file=where)
        rest = {name: value for name, value in saved.extra.items() if name not in own}
        model = from_saved(Galileo, replace(saved, estimator=Galileo.__name__, extra=rest), file)
        try:
            estimator = cls(**{"model": clone(model), **_parameters(saved.extra[OWN])})
            estimator._use(model)
            for name in cls._saved_attributes:
                setattr(estimator, name, saved.extra[name])
            estimator._check_loaded()
        except (TypeError, ValueError) as error:
            raise ModelFileError(str(error), file=where) from error
        return estimator

    def _check_loaded(self) -> None:
        """Raise ValueError for loaded attributes that make no sense; restore their types."""


def _plain(value: Any) -> Any:
    """Return a fitted attribute as it can be saved: an array that is not of numbers as a list."""
    numbers = not isinstance(value, np.ndarray) or value.dtype.kind in "fiu"
    return value if numbers else value.tolist()


def _parameters(held: Any) -> Mapping[str, Any]:
    if not isinstance(held, dict):
        raise ValueError(f"its parameters are {held!r:.60}, not a mapping")
    return held


def check_array(name: str, value: Any, shape: tuple[int, ...]) -> None:
    """Refuse what is not an array of numbers of this shape."""
    if not isinstance(value, np.ndarray) or value.shape != shape or value.dtype.kind not in "fiu":
        raise ValueError(f"{name} is not an array of numbers of shape {shape}")
