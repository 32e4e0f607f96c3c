"""What all estimators of tables share: the names of columns, scikit-learn's tags, the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from galileomix._fitted.fitted_model import model_of

__all__ = ["TableInput", "model_of", "remember_features"]


class TableInput:
    """Tells scikit-learn that categories and missing values are welcome."""

    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __sklearn_tags__(self) -> Tags:
        parent: Any = super()
        tags: Tags = parent.__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags


def remember_features(estimator: Any, names: Sequence[str], named: bool) -> None:
    """Set ``n_features_in_``, and ``feature_names_in_`` where the names are the user's own."""
    estimator.n_features_in_ = len(names)
    if named:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    else:
        vars(estimator).pop("feature_names_in_", None)
