"""Galileo: find the clusters in a table of categories, of numbers, or of both."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from galileomix._version import __version__
from galileomix.errors import (
    CacheError,
    ConstantColumnWarning,
    GalileoError,
    GalileoWarning,
    ModelFileError,
    ParameterError,
    TableError,
    TableTypeError,
)

if TYPE_CHECKING:
    from galileomix._estimators.classifier import GalileoClassifier
    from galileomix._estimators.detector import GalileoDetector
    from galileomix._estimators.galileo import Galileo
    from galileomix._estimators.imputer import GalileoImputer
    from galileomix._estimators.loading import load
    from galileomix._fitted.distribution import NumberDistribution
    from galileomix._fitted.explanation import Explanation, Reason
    from galileomix._fitted.results import Component, Path, SearchRecord
    from galileomix._fitted.stability import Stability
    from galileomix._progress import Progress
    from galileomix._report import Report
    from galileomix._table import Csv

__all__ = [
    "CacheError",
    "Component",
    "ConstantColumnWarning",
    "Csv",
    "Explanation",
    "Galileo",
    "GalileoClassifier",
    "GalileoDetector",
    "GalileoError",
    "GalileoImputer",
    "GalileoWarning",
    "ModelFileError",
    "NumberDistribution",
    "ParameterError",
    "Path",
    "Progress",
    "Reason",
    "Report",
    "SearchRecord",
    "Stability",
    "TableError",
    "TableTypeError",
    "__version__",
    "load",
]

# What brings scikit-learn and numba with it is imported when it is first asked for.
_LATER = {
    "Component": "_fitted.results",
    "Csv": "_table",
    "Explanation": "_fitted.explanation",
    "Galileo": "_estimators.galileo",
    "GalileoClassifier": "_estimators.classifier",
    "GalileoDetector": "_estimators.detector",
    "GalileoImputer": "_estimators.imputer",
    "NumberDistribution": "_fitted.distribution",
    "Path": "_fitted.results",
    "Progress": "_progress",
    "Reason": "_fitted.explanation",
    "Report": "_report",
    "SearchRecord": "_fitted.results",
    "Stability": "_fitted.stability",
    "load": "_estimators.loading",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"galileomix.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
