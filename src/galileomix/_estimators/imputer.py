"""Missing values filled, as a step of a pipeline."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from galileomix._checks import check_bool
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.meta_estimator import MetaEstimator


class GalileoImputer(TransformerMixin, MetaEstimator):
    """Fill missing values with what the other cells of their record lead to expect.

    A transformer: categories and numbers stay what they are, in columns of the same names and
    types, in the library that the table came in. Columns that tell nothing (identifiers, free
    text) are carried along.

    Parameters
    ----------
    model : Galileo, optional
        The settings of the model to fit; ``Galileo(missing="ignore")`` by default.
    jointly : bool, default=False
        Fill the missing cells of a record with what is most probable together, and not each cell
        with what is most probable by itself; see `Galileo.impute`.

    Attributes
    ----------
    model_ : Galileo
        The fitted model.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from galileomix import GalileoImputer
    >>> table = [["a", "x"], ["b", "y"], ["a", "x"], ["b", None]] * 25
    >>> GalileoImputer().fit_transform(table)[3].tolist()
    ['b', 'y']
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: Galileo | None = None, *, jointly: bool = False) -> None:
        self.model = model
        self.jointly = jointly

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GalileoImputer:
        """Fit a model to a table, its missing cells unknown.

        Parameters
        ----------
        X : table
            As in `Galileo.fit`.
        y : ignored
        sample_weight : array of shape (n_rows,), optional
            How many rows each row stands for.
        """
        check_bool("jointly", self.jointly)
        self._use(self._unfitted(missing="ignore").fit(X, sample_weight=sample_weight))
        return self

    def transform(self, X: Any) -> Any:
        """Return the table with its missing cells filled; all others stay as they are.

        Parameters
        ----------
        X : table
            As in `fit`.

        Returns
        -------
        frame or ndarray
            A pandas, polars or Arrow frame for such a frame, an array for any other table.
        """
        check_is_fitted(self)
        if hasattr(X, "columns") or hasattr(X, "column_names"):
            return self.model_.impute(X, jointly=bool(self.jointly))
        rows: Any = X if isinstance(X, list | tuple) else np.asarray(X)
        frame = pd.DataFrame(rows) if np.ndim(rows) == 2 else rows
        return self.model_.impute(frame, jointly=bool(self.jointly)).to_numpy()

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of all columns, those that are carried along among them."""
        check_is_fitted(self)
        return np.array(self.model_.schema_.column_names, dtype=object)
