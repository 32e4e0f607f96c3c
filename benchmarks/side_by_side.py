"""All systems side by side on the paper's tables.

Each of `baselines.rivals()` and the default `Galileo`, on the columns that the paper clusters on,
once. Those that must be told the number of clusters are told that of the paper's summary table.
ROCK's theta is the ROCK paper's for votes and mushroom, and 0.7 elsewhere, where nobody gives one.
StepMix and the package kmodes have two starts, not 20 and 10, to save time; all other settings are
the defaults. Missing cells are marked `?` and are a value like others.

Category utility and expected entropy take outliers as one more cluster; the purity and the adjusted
Rand index against the class leave them out. Mushroom and zoo are clustered with their class among
the columns, as in the paper, so their last two measures say little.
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.metrics import adjusted_rand_score

from benchmarks.common import Plan, Record, load
from benchmarks.render import table
from galileomix import Galileo, datasets
from galileomix.baselines import rivals
from galileomix.metrics import category_utility, expected_entropy, purity

JOBS = 1
PACKAGES = ("galileomix", "numpy", "numba", "scipy", "scikit-learn", "stepmix", "kmodes")
CLUSTERS = {"mushroom": 23, "votes": 2, "soybean": 7, "zoo": 9}
FEW_STARTS = {"stepmix": {"n_init": 2}, "kmodes package": {"n_init": 2}}
THETA = {"mushroom": 0.8, "votes": 0.73, "soybean": 0.7, "zoo": 0.7}


def run(plan: Plan) -> list[Record]:
    """Cluster every table with every system."""
    records: list[Record] = []
    for name in plan.tables:
        for system in ("galileo", *rivals()):
            records.append(one(name, system))
            print(f"{name}, {system}: {records[-1]['seconds']:.1f} s", file=sys.stderr, flush=True)
    return records


def one(name: str, system: str) -> Record:
    """Cluster one table with one system, whose loops are compiled on the smallest table first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clustered(load("zoo"), "zoo", system)
        begun = time.perf_counter()
        labels = clustered(load(name), name, system)
        seconds = time.perf_counter() - begun
    return {"table": name, "system": system} | judged(name, labels) | {"seconds": round(seconds, 3)}


def clustered(data: pd.DataFrame, name: str, system: str) -> npt.NDArray[np.int64]:
    """Return the labels that a system gives."""
    if system == "galileo":
        return Galileo(random_state=0).fit(data).labels_
    rival = rivals()[system]
    options = {"theta": THETA[name]} if system == "rock" else FEW_STARTS.get(system, {})
    return rival(data, CLUSTERS[name] if rival.needs_k else None, **options)


def judged(name: str, labels: npt.NDArray[np.int64]) -> Record:
    """Return what the labels are worth."""
    data, inside = load(name), labels >= 0
    classes = getattr(datasets, f"load_{name}")().target.to_numpy()
    return {
        "k": int(labels.max()) + 1,
        "outliers": int((~inside).sum()),
        "utility": round(category_utility(data, labels), 6),
        "entropy": round(expected_entropy(data, labels), 6),
        "purity": round(purity(classes[inside], labels[inside]), 6),
        "ari": round(float(adjusted_rand_score(classes[inside], labels[inside])), 6),
    }


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["table", "system", "clusters", "outliers", "category utility", "expected entropy"]
    rows = [
        [
            *(record[key] for key in ("table", "system", "k", "outliers")),
            *(f"{record[key]:.4f}" for key in ("utility", "entropy")),
            *(f"{record[key]:.3f}" for key in ("purity", "ari")),
            f"{record['seconds']:.2f}",
        ]
        for record in records
    ]
    return table([*header, "purity", "Rand index", "time, s"], rows)
