"""Methods that save a fitted estimator to a file, or as plain data, and load it again."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Self, TypeVar

from galileomix import _storage as storage
from galileomix._fitted.results import Component
from galileomix._storage import MOST_BYTES, SavedModel
from galileomix._storage.model_files import FilePath

__all__ = ["FilePath", "SavedMethods", "from_saved", "to_saved"]

Estimator = TypeVar("Estimator")


class SavedMethods(ABC):
    """Saves and loads an estimator that can be made a `SavedModel` and back."""

    @abstractmethod
    def _to_saved(self) -> SavedModel:
        """Return what a model file holds."""

    @classmethod
    @abstractmethod
    def _from_saved(cls, saved: SavedModel, file: FilePath | None = None) -> Self:
        """Return the fitted estimator; `file` is where it comes from, for the message."""

    @abstractmethod
    def components(self) -> list[Component]:
        """Return every component with its size, density and what sets it apart."""

    def save(self, path: FilePath) -> None:
        """Save the model to a file that `load` reads; docs/modelfile.md describes the format.

        An existing file is replaced only when the new one is safely on the disk. Saved are the
        models of all sizes on the path. Not saved are ``labels_`` (``predict`` the table to get
        them) and a function given as ``progress``.

        Parameters
        ----------
        path : str or path-like
            By convention it ends in ``.galileo``.

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
        ...     path = os.path.join(folder, "model.galileo")
        ...     model.save(path)
        ...     Galileo.load(path).predict([["b", "y"]]).tolist()
        [1]
        """
        storage.write(self._to_saved(), path)

    @classmethod
    def load(cls, path: FilePath, *, max_bytes: int = MOST_BYTES) -> Self:
        """Load a model that `save` wrote. Loading runs no code of the file.

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
        return cls._from_saved(storage.read(path, max_bytes), path)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole model as plain data, for JSON.

        ``components`` describes the components; ``arrays`` holds the parameters of every size,
        with one row of ``p`` for every value of every categorical attribute, in the order of
        ``schema``. `from_dict` gives the same model back, to the bit.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> data = Galileo(random_state=0).fit(table).to_dict()
        >>> data["n_components"], data["arrays"]["k"]["2"]["alpha"]
        (2, [0.5, 0.5])
        >>> [component["name"] for component in data["components"]]
        ['x0=a', 'x0=b']
        """
        components = [_readable(component) for component in self.components()]
        return storage.to_dict(self._to_saved()) | {"components": storage.encode(components)}

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
        return cls._from_saved(storage.from_dict(data))


def to_saved(estimator: Any) -> SavedModel:
    """Return what the model file of a fitted estimator holds."""
    return estimator._to_saved()


def from_saved(estimator: type[Estimator], saved: SavedModel, file: Any = None) -> Estimator:
    """Return the fitted estimator of a class; `file` is where it comes from, for the message."""
    restored: Any = estimator
    return restored._from_saved(saved, file)


def _readable(component: Component) -> dict[str, Any]:
    """Return a component as plain data, tuples as lists."""
    data = {**asdict(component), "name": component.name}
    return {key: list(item) if isinstance(item, tuple) else item for key, item in data.items()}
