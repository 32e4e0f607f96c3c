"""Load a model file, whichever estimator it holds."""

from __future__ import annotations

from galileomix import _storage
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.imputer import GalileoImputer
from galileomix._estimators.saving import FilePath, from_saved
from galileomix.errors import ModelFileError

Model = Galileo | GalileoClassifier | GalileoDetector | GalileoImputer
ESTIMATORS: dict[str, type[Model]] = {
    estimator.__name__: estimator
    for estimator in (Galileo, GalileoClassifier, GalileoDetector, GalileoImputer)
}


def load(path: FilePath, *, max_bytes: int = _storage.MOST_BYTES) -> Model:
    """Load a model from a file, whichever estimator it is.

    Raises
    ------
    ModelFileError
        Where there is no such file, or it is not a model, damaged, or of a newer format.

    Examples
    --------
    >>> import os, tempfile
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.galileo")
    ...     Galileo(random_state=0).fit(table).save(path)
    ...     len(load(path).components())
    2
    """
    saved = _storage.read(path, max_bytes)
    if saved.estimator not in ESTIMATORS:
        raise ModelFileError(f"this is a {saved.estimator}, which is unknown", file=str(path))
    return from_saved(ESTIMATORS[saved.estimator], saved, path)
