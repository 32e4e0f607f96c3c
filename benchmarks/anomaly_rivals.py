"""Detectors of anomalies: ours, scikit-learn's and PyOD's, with one signature."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd
from pyod.models.copod import COPOD
from pyod.models.ecod import ECOD
from pyod.models.hbos import HBOS
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor

from benchmarks.common import Record
from galileomix import Galileo, GalileoDetector
from galileomix.errors import GalileoWarning

Floats = npt.NDArray[np.float64]
Scorer = Callable[[Floats], Floats]

RIVALS: dict[str, Scorer] = {
    "IsolationForest": lambda x: -IsolationForest(random_state=0).fit(x).score_samples(x),
    "LOF": lambda x: -LocalOutlierFactor().fit(x).negative_outlier_factor_,
    "HBOS": lambda x: HBOS().fit(x).decision_scores_,
    "ECOD": lambda x: ECOD().fit(x).decision_scores_,
    "COPOD": lambda x: COPOD().fit(x).decision_scores_,
}


def galileo(data: pd.DataFrame) -> tuple[Floats, Record]:
    """Return how much each record stands out by our detector, and how it found that."""
    detector = GalileoDetector(Galileo(random_state=0))
    with warnings.catch_warnings():
        # Columns of one value are as published.
        warnings.simplefilter("ignore", GalileoWarning)
        detector.fit(data)
    return -detector.scores_, {"k": int(detector.sizes_.max())}


def rival(method: str, matrix: Floats) -> Floats:
    """Return how much each row stands out by a rival."""
    with warnings.catch_warnings():
        # LOF says that equal rows may be many; its score of them stands.
        warnings.simplefilter("ignore")
        return RIVALS[method](matrix)


def one_hot(data: pd.DataFrame) -> Floats:
    """Return categories as columns of 0 and 1, numbers with mean 0 and deviation 1."""
    numbers = data.select_dtypes("number")
    scale = numbers.std(ddof=0).replace(0.0, 1.0)
    standardised = ((numbers - numbers.mean()) / scale).to_numpy()
    others = data.drop(columns=numbers.columns)
    if others.empty:
        return standardised
    return np.hstack([pd.get_dummies(others, dtype=float).to_numpy(), standardised])


def ordinal(data: pd.DataFrame) -> Floats:
    """Return categories as whole numbers in the order of their names, numbers as they are."""
    return np.column_stack(
        [
            column if pd.api.types.is_numeric_dtype(column) else pd.factorize(column, sort=True)[0]
            for _, column in data.items()
        ]
    ).astype(float)


ENCODINGS = {"one-hot": one_hot, "ordinal": ordinal}
