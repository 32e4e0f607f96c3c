"""Estimators around a Galileo: they fit one, use what it says, and are kept in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from galileomix._estimators.galileo import Galileo
from galileomix._estimators.stored import Stored
from galileomix._fitted.results import Component
from galileomix._storage import State
from galileomix._storage.model_files import FilePath
from galileomix.errors import ModelFileError, ParameterError

OWN = "parameters"
"""Under this name an estimator's own parameters lie in a model file, beside those of its model."""


class AroundGalileo(Stored, BaseEstimator):
    """What such estimators share: the model to fit is their first parameter.

    Those that derive from it say which fitted attributes are to be kept.
    """

    model: Galileo | None
    model_: Galileo
    _stored: ClassVar[tuple[str, ...]]

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
        self.n_features_in_ = model.n_features_in_
        if hasattr(model, "feature_names_in_"):
            self.feature_names_in_: NDArray[Any] = model.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def components(self) -> list[Component]:
        """Return the components of the model, to be read by people."""
        check_is_fitted(self)
        return self.model_.components()

    def to_state(self) -> State:
        """Return all that is to be kept."""
        check_is_fitted(self)
        own = self.get_params(deep=False)
        del own["model"]
        state = self.model_.to_state()
        fitted = {name: _kept(getattr(self, name)) for name in self._stored}
        extra = {**state.extra, **fitted, OWN: own}
        return replace(state, estimator=type(self).__name__, extra=extra)

    @classmethod
    def from_state(cls, state: State, file: FilePath | None = None) -> Self:
        """Return the fitted estimator of a state; `file` is where it comes from."""
        where = None if file is None else str(file)
        if state.estimator != cls.__name__:
            raise ModelFileError(f"this is a {state.estimator}, not a {cls.__name__}", file=where)
        absent = [name for name in (*cls._stored, OWN) if name not in state.extra]
        if absent:
            raise ModelFileError(f"it holds no {', '.join(absent)}", file=where)
        rest = {name: each for name, each in state.extra.items() if name not in (*cls._stored, OWN)}
        inner = replace(state, estimator=Galileo.__name__, extra=rest)
        model = Galileo.from_state(inner, file)
        try:
            estimator = cls(**{"model": clone(model), **_parameters(state.extra[OWN])})
            estimator._use(model)
            for name in cls._stored:
                setattr(estimator, name, state.extra[name])
            estimator._check_fitted_state()
        except (TypeError, ValueError) as error:
            raise ModelFileError(str(error), file=where) from error
        return estimator

    def _check_fitted_state(self) -> None:
        """Raise ValueError for what was read and makes no sense; make of it what it was."""

    def __sklearn_tags__(self) -> Tags:
        """Return what scikit-learn may expect: categories and missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags


def _kept(value: Any) -> Any:
    """Return a fitted attribute as it can be kept: an array that is not of numbers as a list."""
    numbers = not isinstance(value, np.ndarray) or value.dtype.kind in "fiu"
    return value if numbers else value.tolist()


def _parameters(held: Any) -> Mapping[str, Any]:
    if not isinstance(held, dict):
        raise ValueError(f"its parameters are {held!r:.60}, not a mapping")
    return held


def check_array(name: str, value: Any, shape: tuple[int, ...]) -> None:
    """Refuse what is no array of numbers of this shape."""
    if not isinstance(value, np.ndarray) or value.shape != shape or value.dtype.kind not in "fiu":
        raise ValueError(f"{name} is not an array of numbers of shape {shape}")
