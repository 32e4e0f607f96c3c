"""Galileo: find the kinds of records in a table of categories."""

from typing import TYPE_CHECKING, Any

from galileomix.errors import (
    CacheError,
    ConstantColumnWarning,
    GalileoError,
    GalileoWarning,
    ModelFileError,
    ParameterError,
    TableError,
)
from galileomix.version import __version__

if TYPE_CHECKING:
    from galileomix.estimators import Galileo
    from galileomix.table.csv_dialect import Csv

__all__ = [
    "CacheError",
    "ConstantColumnWarning",
    "Csv",
    "Galileo",
    "GalileoError",
    "GalileoWarning",
    "ModelFileError",
    "ParameterError",
    "TableError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Import the estimator, and with it scikit-learn and numba, when it is first asked for."""
    if name == "Galileo":
        from galileomix.estimators import Galileo

        return Galileo
    if name == "Csv":
        from galileomix.table.csv_dialect import Csv

        return Csv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
