"""A fitted model that can be kept: in a file, or as plain data to read."""

from __future__ import annotations

import inspect
import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from galileomix import _storage
from galileomix._estimators import parameters
from galileomix._fitted.answering import AnsweringMixture
from galileomix._fitted.results import Component
from galileomix._storage import MOST_BYTES, State
from galileomix._storage.model_files import FilePath
from galileomix.errors import GalileoWarning, ModelFileError


class Stored(ABC):
    """Saves and loads what a fitted model is, as soon as that can be made a `State` and back."""

    @abstractmethod
    def to_state(self) -> State:
        """Return all that is to be kept."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: State, file: FilePath | None = None) -> Self:
        """Return the fitted model of a state; `file` is where it comes from, for the message."""

    @abstractmethod
    def components(self) -> list[Component]:
        """Return the components, to be read by people."""

    def save(self, path: FilePath) -> None:
        """Write the model to a file that `load` reads; see docs/modelfile.md for the format.

        A file that was there is replaced at once, when the new one is safely on the disk. Kept is
        the model of every size on the path. Not kept are ``labels_``, which belong to the rows of
        the table (``predict`` gives them), and a function given as ``progress``.

        Parameters
        ----------
        path : str or path-like
            By custom it ends in ``.galileo``.

        Raises
        ------
        NotFittedError
        ModelFileError
            Where the file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "kinds.galileo")
        ...     model.save(path)
        ...     Galileo.load(path).predict([["b", "y"]]).tolist()
        [1]
        """
        _storage.write(self.to_state(), path)

    @classmethod
    def load(cls, path: FilePath, *, max_bytes: int = MOST_BYTES) -> Self:
        """Read a model that `save` wrote. Loading runs no code of the file.

        Parameters
        ----------
        path : str or path-like
        max_bytes : int
            A larger file is refused before it is read.

        Raises
        ------
        ModelFileError
            Where there is no such file, or it is not a model, damaged, or of a newer format.
        """
        return cls.from_state(_storage.read(path, max_bytes), path)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole model as what JSON can hold, to be read by people and programs.

        ``components`` says what the components are; ``arrays`` holds the parameters of every
        size, with one row of ``p`` for every value of every categorical attribute, in the order
        of ``schema``. `from_dict` gives the same model back, to the bit.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> data = Galileo(random_state=0).fit(table).to_dict()
        >>> data["n_components"], data["arrays"]["k"]["2"]["alpha"]
        (2, [0.5, 0.5])
        >>> [each["name"] for each in data["components"]]
        ['x0=a, x1=x', 'x0=b, x1=y']
        """
        components = [_readable(each) for each in self.components()]
        return _storage.to_dict(self.to_state()) | {"components": _storage.encode(components)}

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the model that `to_dict` wrote.

        Raises
        ------
        ModelFileError
            Where the data is not a model.
        """
        return cls.from_state(_storage.from_dict(data))


class StoredMixture(AnsweringMixture, Stored):
    """A fitted mixture that can be kept."""

    _stored: ClassVar[tuple[str, ...]] = ("n_passes_", "never_known_")
    """Fitted attributes to keep besides those of `State`: plain values or arrays of numbers."""

    def to_state(self) -> State:
        """Return all that is to be kept."""
        check_is_fitted(self)
        parameters.check(self)
        return State(
            type(self).__name__,
            self._kept_parameters(),
            self.schema_,
            bool(self._named),
            float(self._N),
            self._units,
            self._background,
            self._mixtures,
            {k: bool(converged) for k, (_, converged) in self._fits.items()},
            self.path_,
            int(self.n_components_),
            {name: getattr(self, name) for name in self._stored if hasattr(self, name)},
        )

    def _kept_parameters(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in _parameter_names(type(self))}
        if callable(kept.get("progress")):
            warnings.warn(
                "progress is a function, which is not kept: the loaded model has progress=False",
                GalileoWarning,
                stacklevel=4,
            )
            kept["progress"] = False
        return kept

    @classmethod
    def from_state(cls, state: State, file: FilePath | None = None) -> Self:
        """Return the fitted model of a state; `file` is where it comes from, for the message."""
        problem = cls._problem(state)
        if problem:
            raise ModelFileError(problem, file=None if file is None else str(file))
        model = cls(**state.parameters)
        model._set(state)
        return model

    @classmethod
    def _problem(cls, state: State) -> str:
        """Return why a state cannot be one of this class; nothing where it can."""
        if state.estimator != cls.__name__:
            return f"this is a {state.estimator}, not a {cls.__name__}"
        unknown = set(state.parameters) - set(_parameter_names(cls))
        strange = unknown | (set(state.extra) - set(cls._stored))
        if strange:
            return f"it holds what {cls.__name__} does not know: {', '.join(sorted(strange))}"
        numbers = [each.name for each in state.schema.numeric]
        never: Any = state.extra.get("never_known_", [])
        if not isinstance(never, list | tuple) or not all(each in numbers for each in never):
            return f"never_known_ is {never!r:.60}, not a list of numeric columns"
        passes = state.extra.get("n_passes_", 0)
        if type(passes) is not int or passes < 0:
            return f"n_passes_ is {passes!r:.60}, not a number of passes"
        model = cls(**state.parameters)
        try:
            parameters.check(model)
            check_random_state(model.random_state)
        except (TypeError, ValueError) as error:
            return str(error)
        texts: Any = model.missing_values
        if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
            return f"missing_values={texts!r:.60}: it must be a sequence of texts"
        return ""

    def _set(self, state: State) -> None:
        self.schema_, self._named, self._N = state.schema, state.named, state.N
        self._units, self._background = state.units, state.background
        self._mixtures, self.path_ = dict(state.mixtures), state.path
        self._fits = {step.k: (step.n_iter, state.converged[step.k]) for step in state.path}
        self.n_features_in_ = state.schema.n_attributes
        if state.named:
            self.feature_names_in_ = np.array(state.schema.names, dtype=object)
        for name, value in state.extra.items():
            setattr(self, name, value)
        self._choose(state.k)


def _readable(component: Component) -> dict[str, Any]:
    """Return a component as plain data, with lists for what are several."""
    data = {**asdict(component), "name": component.name}
    return {key: list(each) if isinstance(each, tuple) else each for key, each in data.items()}


def _parameter_names(estimator: type) -> list[str]:
    return list(inspect.signature(estimator).parameters)
