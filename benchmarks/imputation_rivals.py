"""Other ways to fill the missing values of a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

Floats = npt.NDArray[np.float64]

NEIGHBOURS = 5
ROUNDS = 5
TREES = 50


def most_frequent(holey: pd.DataFrame) -> pd.DataFrame:
    """Fill each missing cell with the most frequent value of its column, or the mean of numbers."""
    return holey.fillna({name: usual(holey[name]) for name in holey})


def usual(column: pd.Series) -> object:
    """Return the most frequent value, the first in order among equals, or the mean of numbers."""
    return column.mean() if is_number(column) else column.mode().iloc[0]


def is_number(column: pd.Series) -> bool:
    """Return whether a column holds numbers."""
    return pd.api.types.is_float_dtype(column)


def nearest(holey: pd.DataFrame) -> pd.DataFrame:
    """Fill each missing cell with the commonest value among the nearest records that have one."""
    distance = distances(holey)
    filled = holey.copy()
    for name in holey:
        column = holey[name]
        empty, donors = np.flatnonzero(column.isna()), np.flatnonzero(column.notna())
        if is_number(column) or not len(empty):
            continue
        away = distance[np.ix_(empty, donors)]
        near = np.argsort(away, axis=1, kind="stable")[:, :NEIGHBOURS]
        codes, values = pd.factorize(column.iloc[donors], sort=True)
        votes = np.eye(len(values))[codes[near]].sum(axis=1)
        # Among equal votes the value that is more frequent in the whole column.
        votes += np.bincount(codes) / (len(codes) + 1.0)
        filled.loc[empty, name] = np.asarray(values)[votes.argmax(axis=1)]
    return filled


def distances(holey: pd.DataFrame) -> Floats:
    """Return the share of differing cells among those that both records know (Gower's distance).

    Of numbers the difference is counted in parts of their range.
    """
    differ, known = np.zeros((2, len(holey), len(holey)))
    for name in holey:
        there = holey[name].notna().to_numpy(dtype=float)
        if is_number(holey[name]):
            x = holey[name].to_numpy()
            each = np.abs(x[:, None] - x) / (np.nanmax(x) - np.nanmin(x))
        else:
            codes, _ = pd.factorize(holey[name])
            each = (codes[:, None] != codes).astype(float)
        both = np.outer(there, there)
        differ += np.where(both > 0, each, 0.0)
        known += both
    away = np.divide(differ, known, out=np.ones_like(differ), where=known > 0)
    np.fill_diagonal(away, np.inf)
    return away


def forests(holey: pd.DataFrame) -> pd.DataFrame:
    """Fill missing cells as missForest does: a forest per column from all others, again and again.

    It ends when a round changes more than the one before, with what was before that round.
    """
    filled, holes = most_frequent(holey), holey.isna()
    order = holes.sum().sort_values(kind="stable").index
    before = np.inf
    for _ in range(ROUNDS):
        again = filled.copy()
        for name in order[holes[order].any()]:
            again[name] = predicted(again, name, holes[name].to_numpy())
        changed = changes(filled, again, holes)
        if changed > before:
            break
        filled, before = again, changed
    return filled


def predicted(table: pd.DataFrame, name: str, empty: npt.NDArray[np.bool_]) -> pd.Series:
    """Return a column whose missing cells are predicted from all other columns."""
    others = pd.get_dummies(table.drop(columns=name), dtype=np.float32).to_numpy()
    kind: Callable[..., RandomForestClassifier | RandomForestRegressor] = (
        RandomForestRegressor if is_number(table[name]) else RandomForestClassifier
    )
    forest = kind(TREES, random_state=0).fit(others[~empty], table.loc[~empty, name])
    column = table[name].copy()
    column[empty] = forest.predict(others[empty])
    return column


def changes(before: pd.DataFrame, after: pd.DataFrame, holes: pd.DataFrame) -> float:
    """Return how many missing categories have another value than before."""
    names = [name for name in before if not is_number(before[name])]
    return float(((before[names] != after[names]) & holes[names]).to_numpy().sum())
