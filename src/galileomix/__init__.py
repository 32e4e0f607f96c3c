"""Galileo: find the kinds of records in a table of categories."""

from galileomix.errors import (
    ConstantColumnWarning,
    GalileoError,
    GalileoWarning,
    ParameterError,
    TableError,
)
from galileomix.estimators import Galileo

__version__ = "0.1.0"

__all__ = [
    "ConstantColumnWarning",
    "Galileo",
    "GalileoError",
    "GalileoWarning",
    "ParameterError",
    "TableError",
    "__version__",
]
