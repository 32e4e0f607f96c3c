"""scikit-learn's transformer interface: rows as the probabilities of their components."""

from __future__ import annotations

from typing import Any

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from galileomix._estimators.plot_methods import PlotMethods
from galileomix._model.params import Floats


class TransformMethods(PlotMethods, ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """`transform`, with `fit_transform`, `set_output` and `get_feature_names_out`."""

    @property
    def _n_features_out(self) -> int:
        """The number of columns of `transform`, where scikit-learn looks for it."""
        return self.n_components_

    def transform(self, X: Any) -> Floats:
        """Return the probability of each component for each row, (n_rows, n_components_).

        The same as `predict_proba`, as a step of a pipeline. `set_output` chooses between an
        array, a pandas and a polars frame, whose columns are ``galileo0``, ``galileo1``, ...

        Parameters
        ----------
        X : table
            As in `fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_components_), or a frame

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).set_output(transform="pandas").fit(table)
        >>> model.transform([["b", "y"]]).round(3).to_dict("list")
        {'galileo0': [0.0], 'galileo1': [1.0]}
        """
        return self.predict_proba(X)
