"""How a report was made: versions, parameters, seed, criteria, time, and a digest of the data."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.visible_text import shown
from galileomix._report.class_shares import Classes
from galileomix._report.table_rows import TableRows
from galileomix._version import __version__
from galileomix._words import CRITERIA, counted

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "pyarrow")


@dataclass(frozen=True)
class Origin:
    """Where a model comes from: the table's name, the parameters it was fitted with, classes."""

    table: str
    parameters: Mapping[str, Any]  # of its `Galileo`
    defaults: Mapping[str, Any]
    classes: Classes | None = None  # of a classifier

    @property
    def given(self) -> bool:
        """Whether the number of clusters was given."""
        return self.parameters["n_components"] != "auto"


def provenance(model: FittedModel, origin: Origin, rows: TableRows | None) -> list[list[str]]:
    """Return what there is to know, each with its name."""
    return [[name, text] for name, text in _provenance(model, origin, rows)]


def _provenance(
    model: FittedModel, origin: Origin, rows: TableRows | None
) -> Iterator[tuple[str, str]]:
    step, search = model.step, model.search
    yield "Made", f"{datetime.date.today():%Y-%m-%d}, by galileomix {__version__}"
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield "With", f"Python {platform.python_version()}, {versions}"
    if origin.table:
        yield "Table", shown(origin.table)
    if rows is not None:
        what = "the rows that were fitted" if rows.fitted else "other rows than were fitted"
        yield "Rows", f"{rows.n_rows:,}: {what}"
        yield "SHA-256 of the cells", f"{rows.digest} (as the model reads them, row by row)"
    if origin.classes is not None:
        yield "Classifier", origin.classes.in_words()
    yield "Parameters", _parameters(origin)
    yield "Seed", shown(repr(origin.parameters["random_state"]))
    yield "Criterion", CRITERIA.get(model.path.criterion, model.path.criterion)
    yield (
        "Values",
        f"log-likelihood {step.log_likelihood:,.3f}, AIC {step.aic:,.3f}, BIC {step.bic:,.3f}, "
        f"mean density {step.density:.4g}",
    )
    yield "Search", search.in_words()
    converged = "converged" if model.converged[model.k] else "did not converge"
    yield "EM", f"{converged} in {counted(step.n_iter, 'step')}"


def _given(value: Any) -> str:
    """Return what is compared: an empty list is none, as an empty tuple is."""
    return "()" if isinstance(value, list | tuple) and not value else repr(value)


def _parameters(origin: Origin) -> str:
    usual = origin.defaults
    other = [
        f"{name}={shown(repr(value))}"
        for name, value in origin.parameters.items()
        if name not in ("random_state", "progress") and _given(value) != _given(usual.get(name))
    ]
    return ", ".join(other) or "all as by default"
