"""The paper's data tables, and what a clustering of one comes to."""

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
from galileomix.metrics import category_utility, expected_entropy


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
    >>> [round(each, 4) for each in measures(table, [0, 0, 1, 1])]
    [0.3125, 1.5, 0.1733]
    """
    label = np.asarray(labels)
    parts = [data[label == i] for i in np.unique(label)]
    log_volumes = [expected_entropy(part, np.zeros(len(part))) for part in parts]
    sizes = np.array([len(part) for part in parts])
    density = float(sizes / len(data) @ (sizes * np.exp(-np.array(log_volumes))))
    entropy = expected_entropy(data, label) / data.shape[1]
    return Measures(category_utility(data, label), density, entropy)


def crossed(labels: Any, classes: Any, order: tuple[str, str]) -> list[tuple[int, int]]:
    """Count two classes in every cluster, the largest first; -1 is no cluster.

    Examples
    --------
    >>> crossed([0, 0, 1, -1], ["a", "b", "b", "a"], ("a", "b"))
    [(1, 1), (0, 1)]
    """
    inside = np.asarray(labels) >= 0
    label, kind = np.asarray(labels)[inside], np.asarray(classes)[inside]
    pairs = [tuple(int(((label == i) & (kind == c)).sum()) for c in order) for i in set(label)]
    return sorted(((one, other) for one, other in pairs), key=sum, reverse=True)


def fitted(data: pd.DataFrame, parameters: Mapping[str, Any]) -> Galileo:
    """Fit a table by the default search, seed 0, without its notes."""
    with quiet():
        return Galileo(**parameters, random_state=0).fit(data)


@contextmanager
def quiet() -> Generator[None]:
    """Leave out notes of what the tables are known for, such as a column of one value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GalileoWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
