"""COOLCAT in many orders of the rows.

`baselines.Coolcat` with the k of the paper's summary table, on 20 orders of the rows, the first as
published. As in the COOLCAT paper: the worst fifth of each batch of 100 is placed again. By
default: so is, three times at the end, the worst fifth of the whole table. Best of ten: the least
expected entropy of ten orders that the estimator draws itself (`n_init=10`).

The column to reach is COOLCAT's in the GALILEO paper, made with the R package coolcat-r, which
takes its seeds from the most isolated records only. Category utility is divided by k, and `?` is a
value: votes is far from the paper's number where `?` is left out of the measure, and zoo without
its column `type`, which makes 16 attributes of 17.
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np

from benchmarks.common import Plan, Record, each, load
from benchmarks.render import grouped, mean, table, tally
from galileomix.baselines import Coolcat
from galileomix.metrics import category_utility

PACKAGES = ("galileomix", "numpy", "numba", "scikit-learn", "pandas")
CLUSTERS = {"votes": 2, "soybean": 7, "zoo": 9}
PAPER = {"votes": 1.4674, "soybean": 0.9362, "zoo": 0.5970}
"""The column of COOLCAT in the paper's summary table."""
METHODS: dict[str, Record] = {
    "as published": {"n_passes": 0},
    "default": {},
    "best of ten": {"n_init": 10, "random_state": 0},
}


def run(plan: Plan) -> list[Record]:
    """Cluster each table in many orders."""
    settings = [
        {"table": table, "without": without, "method": method, "order": order}
        for table, without in (("votes", ""), ("soybean", ""), ("zoo", ""), ("zoo", "type"))
        for method in METHODS
        for order in range(plan.count(20))
    ]
    return each(one, settings, plan.jobs)


def one(table: str, without: str, method: str, order: int) -> Record:
    """Cluster one table in one order of its rows."""
    data = load(table).drop(columns=without) if without else load(table)
    rows = np.random.default_rng(order).permutation(len(data)) if order else np.arange(len(data))
    data = data.iloc[rows]
    model = Coolcat(CLUSTERS[table], **METHODS[method])
    model.fit(data[:50])  # compiles
    begun = time.perf_counter()
    labels = model.fit(data).labels_
    seconds = time.perf_counter() - begun
    known = data.replace("?", None)
    return {
        **{"table": table, "without": without, "method": method, "order": order},
        "k": model.n_clusters_,
        "utility": round(category_utility(data, labels), 6),
        "utility_of_known": round(category_utility(known, labels, missing="ignore"), 6),
        "entropy": round(model.expected_entropy_, 6),
        "seconds": round(seconds, 4),
    }


def reaches(record: Record) -> bool:
    """Return whether the category utility is the paper's or more, to its four digits."""
    return record["utility"] >= PAPER[record["table"]] - 5e-5


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["table", "attributes", "k", "method", "the paper", "least", "median", "greatest"]
    header += ["at or above the paper", "median, `?` left out", "median entropy", "mean time, s"]
    rows = [
        [
            name,
            f"without {without}" if without else "the paper's",
            group[0]["k"],
            method,
            f"{PAPER[name]:.4f}",
            *(f"{f(each['utility'] for each in group):.4f}" for f in (min, median, max)),
            tally(group, reaches),
            f"{median(each['utility_of_known'] for each in group):.4f}",
            f"{median(each['entropy'] for each in group):.4f}",
            mean(group, "seconds", ".3f"),
        ]
        for (name, without, method), group in grouped(records, "table", "without", "method")
    ]
    return table(header, rows)
