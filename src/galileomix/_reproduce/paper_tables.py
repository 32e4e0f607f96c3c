"""The paper's data tables: loaded, fitted, and what a clustering of one amounts to."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from galileomix import datasets
from galileomix._estimators.galileo import Galileo
from galileomix.errors import GalileoWarning
from galileomix.metrics import category_utility, expected_entropy, mean_density


class Measures(NamedTuple):
    """Category utility, mean density and mean entropy of clusters."""

    utility: float
    density: float
    entropy: float


def load(name: str) -> Any:
    """Return one of the paper's tables as a bunch."""
    return getattr(datasets, f"load_{name}")()


def measures(data: pd.DataFrame, labels: Any) -> Measures:
    """Measure a clustering as the summary table does: every record wholly in its cluster.

    Examples
    --------
    >>> table = pd.DataFrame({"color": ["red", "red", "blue", "blue"], "n": [1, 2, 1, 1]})
    >>> [round(measure, 4) for measure in measures(table, [0, 0, 1, 1])]
    [0.3125, 1.5, 0.1733]
    """
    entropy = expected_entropy(data, labels) / data.shape[1]
    return Measures(category_utility(data, labels), mean_density(data, labels), entropy)


def crossed(labels: Any, classes: Any, order: tuple[str, str]) -> list[tuple[int, int]]:
    """Count two classes in every cluster, the largest first; -1 is no cluster.

    Examples
    --------
    >>> crossed([0, 0, 1, -1], ["a", "b", "b", "a"], ("a", "b"))
    [(1, 1), (0, 1)]
    """
    inside = np.asarray(labels) >= 0
    counts = pd.crosstab(np.asarray(labels)[inside], np.asarray(classes)[inside])
    pairs = counts.reindex(columns=list(order), fill_value=0).to_numpy().tolist()
    return sorted(((one, other) for one, other in pairs), key=sum, reverse=True)


def fitted(data: pd.DataFrame, parameters: Mapping[str, Any]) -> Galileo:
    """Fit a table by the default search, seed 0, without warnings."""
    with quiet():
        return Galileo(**parameters, random_state=0).fit(data)


@contextmanager
def quiet() -> Generator[None]:
    """Suppress warnings about known properties of the tables, such as a constant column."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GalileoWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
