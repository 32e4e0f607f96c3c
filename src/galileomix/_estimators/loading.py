"""Model files of any estimator of this package: the file says which one it holds."""

from __future__ import annotations

from galileomix import _storage
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector
from galileomix._estimators.galileo import Galileo
from galileomix._storage.model_files import FilePath
from galileomix.errors import ModelFileError

Model = Galileo | GalileoClassifier | GalileoDetector
ESTIMATORS: dict[str, type[Model]] = {
    each.__name__: each for each in (Galileo, GalileoClassifier, GalileoDetector)
}


def save(model: Model, path: FilePath) -> None:
    """Write a fitted model to a file; see `Galileo.save`."""
    model.save(path)


def load(path: FilePath, *, max_bytes: int = _storage.MOST_BYTES) -> Model:
    """Read a model from a file, whatever estimator it is.

    Raises
    ------
    ModelFileError
        Where there is no such file, or it is not a model, damaged, or of a newer format.

    Examples
    --------
    >>> import os, tempfile
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "kinds.galileo")
    ...     save(Galileo(random_state=0).fit(table), path)
    ...     len(load(path).components())
    2
    """
    state = _storage.read(path, max_bytes)
    if state.estimator not in ESTIMATORS:
        raise ModelFileError(f"this is a {state.estimator}, which is unknown", file=str(path))
    return ESTIMATORS[state.estimator].from_state(state, path)
