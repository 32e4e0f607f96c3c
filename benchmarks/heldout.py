"""Rows that were left out.

The mean log-likelihood of rows that took no part in a fit, in nats: a fifth of the rows is left out
in turn. *Together* is the default, which predicts with several sizes; beside it the size that BIC,
or AIC, chooses, by itself. Rivals, on tables of categories: a Chow-Liu tree, which joins every
column to the one that tells most of it, and independent columns, both with a count of one half for
each value. The tables are those of the search, in the same two halves; settings were chosen on the
even one.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree

from benchmarks.common import TABLES, Plan, Record, each
from benchmarks.render import grouped, mean, table
from benchmarks.search import half
from benchmarks.search_tables import SMALL, is_categorical, load
from galileomix import Galileo

FOLDS = 5
MOST_ROWS = 10_000
EFFORT = 0.3
"""Of the search, for all models alike."""
WORSE, NEAR = 0.003, 0.005
"""Shares by which a prediction may be worse than the better of single sizes, or than a rival."""
COUNT = 0.5
"""What is added to the count of each value by rivals."""
OURS = ("together", "BIC", "AIC")
RIVALS = ("tree", "independent")


def run(plan: Plan) -> list[Record]:
    """Leave out every fold of every table."""
    names = ("zoo",) if plan.quick else SMALL
    settings = [{"name": name, "fold": fold} for name in names for fold in range(plan.count(FOLDS))]
    return each(one, settings, plan.jobs)


def one(name: str, fold: int) -> Record:
    """Fit the other rows of a table, and score those of a fold."""
    data = load(name)
    data = data.sample(min(len(data), MOST_ROWS), random_state=0).reset_index(drop=True)
    left_out = np.random.default_rng(0).integers(FOLDS, size=len(data)) == fold
    train, test = data[~left_out], data[left_out]
    scores: Record = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Galileo(random_state=0, effort=EFFORT).fit(train)
        scores["together"] = _score(model, test)
        scores["BIC"] = _score(model, test, model.n_components_)
        model = Galileo(random_state=0, effort=EFFORT, criterion="aic").fit(train)
        scores["AIC"] = _score(model, test, model.n_components_)
    if name in TABLES or is_categorical(data):
        codes, sizes = _codes(data)
        scores |= {
            "tree": tree(codes[~left_out], codes[left_out], sizes),
            "independent": independent(codes[~left_out], codes[left_out], sizes),
        }
    head = {"name": name, "half": half(name), "fold": fold, "n_rows": len(data)}
    return head | {key: round(value, 6) for key, value in scores.items()}


def _score(model: Galileo, test: pd.DataFrame, sizes: int | None = None) -> float:
    return float(model.explain(test, sizes).log_density.mean())


def _codes(data: pd.DataFrame) -> tuple[NDArray[np.intp], list[int]]:
    codes = np.column_stack([pd.factorize(data[name], use_na_sentinel=False)[0] for name in data])
    return codes, (codes.max(axis=0) + 1).tolist()


def independent(train: NDArray[np.intp], test: NDArray[np.intp], sizes: list[int]) -> float:
    """Return the mean log-likelihood of rows by the distribution of every column."""
    total = np.zeros(len(test))
    for m, size in enumerate(sizes):
        total += np.log(_shares(np.bincount(train[:, m], minlength=size)))[test[:, m]]
    return float(total.mean())


def tree(train: NDArray[np.intp], test: NDArray[np.intp], sizes: list[int]) -> float:
    """Return the mean log-likelihood of rows by the tree of Chow and Liu."""
    total = np.log(_shares(np.bincount(train[:, 0], minlength=sizes[0])))[test[:, 0]]
    for parent, child in _edges(train, sizes):
        counts = np.zeros((sizes[parent], sizes[child]))
        np.add.at(counts, (train[:, parent], train[:, child]), 1.0)
        total = total + np.log(_shares(counts))[test[:, parent], test[:, child]]
    return float(total.mean())


def _edges(codes: NDArray[np.intp], sizes: list[int]) -> list[tuple[int, int]]:
    """Return the edges of the tree that has the most mutual information, from the first column."""
    n_columns = len(sizes)
    information = np.zeros((n_columns, n_columns))
    for a in range(n_columns):
        for b in range(a + 1, n_columns):
            counts = np.zeros((sizes[a], sizes[b]))
            np.add.at(counts, (codes[:, a], codes[:, b]), 1.0)
            p = counts / counts.sum()
            apart = p.sum(axis=1, keepdims=True) * p.sum(axis=0)
            information[a, b] = (p[p > 0] * np.log(p[p > 0] / apart[p > 0])).sum()
    # The least tree of what is lost; a little is added, for zero would be no edge.
    lost = np.triu(information.max() + 1.0 - information, 1)
    joined = minimum_spanning_tree(lost).toarray()
    joined = joined + joined.T
    edges, reached = list[tuple[int, int]](), [0]
    for parent in reached:
        for child in np.flatnonzero(joined[parent]).tolist():
            if child not in reached:
                edges.append((parent, child))
                reached.append(child)
    return edges


def _shares(counts: NDArray[np.float64] | NDArray[np.intp]) -> NDArray[np.float64]:
    smoothed = counts + COUNT
    return smoothed / smoothed.sum(axis=-1, keepdims=True)


def render(records: list[Record]) -> str:
    """Show the halves, then every table."""
    parts = [_summary(records)]
    for which in ("odd", "even"):
        rows = [
            [name, group[0]["n_rows"], *(_cell(group, key) for key in (*OURS, *RIVALS))]
            for (name,), group in grouped([r for r in records if r["half"] == which], "name")
        ]
        header = ["table", "rows", *OURS, *RIVALS]
        parts += [f"The {which} half, by table:", table(header, rows)]
    return "\n\n".join(parts)


def _cell(group: list[Record], key: str) -> str:
    return mean(group, key, ".3f") if key in group[0] else "–"


def _summary(records: list[Record]) -> str:
    rows = []
    for which in ("odd", "even"):
        tables = grouped([r for r in records if r["half"] == which], "name")
        if not tables:
            continue
        behind = [_behind(group, ("BIC", "AIC")) for _, group in tables]
        rivals = [_behind(group, RIVALS) for _, group in tables if "tree" in group[0]]
        rows.append(
            [
                which,
                len(tables),
                sum(share < 0 for share in behind),
                sum(share <= WORSE for share in behind),
                f"{max(behind):.2%}",
                f"{sum(share <= NEAR for share in rivals)} of {len(rivals)}",
            ]
        )
    header = ["half", "tables", "better than the better of BIC's and AIC's size"]
    header += [
        f"or worse by at most {WORSE:.1%}",
        "worst",
        f"first, or within {NEAR:.1%}, of rivals",
    ]
    return table(header, rows)


def _behind(group: list[Record], rivals: tuple[str, ...]) -> float:
    """Return how far the default is behind the best of some, as a share; below zero if ahead."""
    means = {key: float(np.mean([r[key] for r in group])) for key in ("together", *rivals)}
    best = max(means[key] for key in rivals)
    return (best - means["together"]) / max(abs(best), 1.0)
