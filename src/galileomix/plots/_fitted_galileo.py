"""What a plot asks of a fitted model."""

from __future__ import annotations

from typing import Any, Protocol

import pandas as pd

from galileomix._fitted.results import Component, Path, SearchRecord
from galileomix._model.params import Floats


class FittedGalileo(Protocol):
    """A fitted `Galileo`, or what answers like one."""

    @property
    def path_(self) -> Path:
        """How the model of every size scores."""
        ...

    @property
    def search_(self) -> SearchRecord:
        """How the search went."""
        ...

    def components(self) -> list[Component]:
        """Return every component."""
        ...

    def dependence(self) -> pd.DataFrame:
        """Return which attributes carry the same information."""
        ...

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each component for each row."""
        ...
