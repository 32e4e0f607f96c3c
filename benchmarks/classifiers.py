"""Classifiers to compare: each learns from some rows and gives class probabilities of others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.naive_bayes import CategoricalNB

from galileomix import Galileo, GalileoClassifier
from galileomix._model.families import smoothed

Floats = NDArray[np.float64]
Classes = NDArray[np.intp]
Proba = Callable[[pd.DataFrame, Classes, pd.DataFrame], Floats]

TO_GUESS = "the class to guess"


def by_galileo(model: Galileo | None = None, **changed: Any) -> Proba:
    """Return our classifier, with parts of its calibration changed to see what they are worth."""

    def proba(train: pd.DataFrame, classes: Classes, test: pd.DataFrame) -> Floats:
        with ExitStack() as stack:
            for name, value in changed.items():
                stack.enter_context(patch(f"galileomix.{name.replace('__', '.')}", value))
            return GalileoClassifier(model).fit(train, classes).predict_proba(test)

    return proba


def by_one_search(train: pd.DataFrame, classes: Classes, test: pd.DataFrame) -> Floats:
    """Take the class for one more column of a single search; then it is unknown."""
    table = train.assign(**{TO_GUESS: classes.astype(str)})
    model = Galileo(criterion="aic", random_state=0).fit(table)
    shares = model.predict_proba(table)
    fitted = model._model
    shrunk = smoothed(fitted.mixture, fitted.background, fitted.N)
    model._model = replace(fitted, mixtures={fitted.k: shrunk})
    overall = np.bincount(classes) / len(classes)
    counts = shares.T @ np.eye(len(overall))[classes] + 0.1 * overall
    of_component = counts / counts.sum(axis=1, keepdims=True)
    return model.predict_proba(test.assign(**{TO_GUESS: None})) @ of_component


def by_naive_bayes(train: pd.DataFrame, classes: Classes, test: pd.DataFrame) -> Floats:
    """Numbers in five bins of about equal size; a missing value is a value."""
    both = pd.concat([train, test], ignore_index=True)
    for name in numbers(train):
        edges = np.unique(np.nanquantile(train[name], [0.2, 0.4, 0.6, 0.8]))
        bins = np.searchsorted(edges, both[name], side="right")
        both[name] = np.where(both[name].isna(), -1, bins)
    codes = both.apply(lambda column: pd.factorize(column, use_na_sentinel=False)[0]).to_numpy()
    model = CategoricalNB(min_categories=codes.max(axis=0) + 1)
    return model.fit(codes[: len(train)], classes).predict_proba(codes[len(train) :])


def by_forest(train: pd.DataFrame, classes: Classes, test: pd.DataFrame) -> Floats:
    """One column for each category; numbers as they are, missing ones too."""
    both = pd.concat([train, test], ignore_index=True)
    others = [name for name in both if name not in numbers(train)]
    wide = pd.get_dummies(both, columns=others, dummy_na=True, dtype=float)
    model = RandomForestClassifier(random_state=0).fit(wide[: len(train)], classes)
    return model.predict_proba(wide[len(train) :])


def by_boosting(train: pd.DataFrame, classes: Classes, test: pd.DataFrame) -> Floats:
    """Categories as such."""
    both = pd.concat([train, test], ignore_index=True)
    others = [name for name in both if name not in numbers(train)]
    both = both.astype(dict.fromkeys(others, "category"))
    model = HistGradientBoostingClassifier(random_state=0)
    return model.fit(both[: len(train)], classes).predict_proba(both[len(train) :])


def numbers(data: pd.DataFrame) -> list[str]:
    """Return the columns of numbers."""
    return [name for name in data if data[name].dtype == float]


def quiet(classifier: Proba) -> Proba:
    """Return a classifier that warns of nothing: constant columns, values unseen in a fold."""

    def proba(train: pd.DataFrame, classes: Classes, test: pd.DataFrame) -> Floats:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return classifier(train, classes, test)

    return proba


RIVALS: dict[str, Proba] = {
    "GalileoClassifier": by_galileo(),
    "CategoricalNB": by_naive_bayes,
    "RandomForest": by_forest,
    "HistGradientBoosting": by_boosting,
}
DESIGNS: dict[str, Proba] = {
    "one size": by_galileo(Galileo(predictive="chosen", random_state=0)),
    "AIC search": by_galileo(Galileo(criterion="aic", random_state=0)),
    "shared components": by_one_search,
    "broad component": by_galileo(_estimators__class_mixtures__WORTH=0.0),
    "components alone": by_galileo(_estimators__class_mixtures__WORTH=np.inf),
    "no temperature": by_galileo(_model__class_calibration__temperature=lambda *_: 1.0),
    "neither": by_galileo(
        _model__class_calibration__temperature=lambda *_: 1.0,
        _model__class_calibration__class_probabilities=lambda shares, own, *_: own,
    ),
}
CLASSIFIERS = {name: quiet(each) for name, each in (RIVALS | DESIGNS).items()}
