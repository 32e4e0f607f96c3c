"""The attributes of a fitted `Galileo`, read from its model."""

from __future__ import annotations

from typing import Literal

from galileomix._estimators.table_input import model_of
from galileomix._fitted.results import Path, SearchRecord
from galileomix._model.params import Floats
from galileomix._table import Schema


class FittedAttributes:
    """Fitted attributes, all of them read from one frozen `FittedModel`."""

    @property
    def n_components_(self) -> int:
        """The number of components."""
        return model_of(self).k

    @property
    def weights_(self) -> Floats:
        """The weight of each component, (n_components_,)."""
        return model_of(self).mixture.alpha.copy()

    @property
    def densities_(self) -> Floats:
        """The entropy-based density of each component, (n_components_,)."""
        return model_of(self).densities

    @property
    def n_records_(self) -> float:
        """The number of records that were fitted: rows, or the sum of their weights."""
        return model_of(self).N

    @property
    def path_(self) -> Path:
        """How the model of every size scores."""
        return model_of(self).path

    @property
    def schema_(self) -> Schema:
        """The attributes and their values."""
        return model_of(self).schema

    @property
    def covariance_(self) -> Literal["full", "diagonal"]:
        """Whether numbers are correlated within a component, or independent."""
        return "diagonal" if model_of(self).mixture.layout.diagonal else "full"

    @property
    def never_known_(self) -> list[str]:
        """The numeric columns that are missing in every row."""
        return list(model_of(self).never_known)

    @property
    def converged_(self) -> bool:
        """Whether EM converged."""
        return model_of(self).converged[self.n_components_]

    @property
    def n_iter_(self) -> int:
        """The steps of the run of EM that ended in the model."""
        return model_of(self).step.n_iter

    @property
    def search_(self) -> SearchRecord:
        """How the search went."""
        return model_of(self).search

    @property
    def predictive_weights_(self) -> dict[int, float]:
        """How much each size counts in what is predicted, by number of components."""
        return model_of(self).predictive_weights

    @property
    def n_passes_(self) -> int:
        """The passes over the data that the whole search took."""
        return model_of(self).search.n_passes
