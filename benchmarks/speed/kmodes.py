"""Beside k-modes and others that are told k.

One generated table (`make_rules`: 100 000 rows, 10 attributes of 20 values, 5 rules), one thread.
The others are told that there are 5 components and begin once; Galileo is told nothing, looks at
other sizes too and returns probabilities, a density and the path. Integer codes are made before the
clock starts; the one column per value that a Gaussian mixture needs is part of its work. The
adjusted Rand index (ARI) says how well the labels are those of the rules: 1 is perfectly.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from sklearn.metrics import adjusted_rand_score
from threadpoolctl import threadpool_limits

from benchmarks.common import Plan, Record, load
from benchmarks.render import table
from benchmarks.speed import peers
from benchmarks.speed.bars import Bar, ratio
from galileomix import Galileo
from galileomix.datasets import make_rules

TRUE_K = 5
WARM_UP = 1000
"""Rows that everybody fits before the clock starts, so that importing does not count."""
PEERS: dict[str, Callable[[peers.Codes, int], peers.Labels]] = {
    "kmodes, Huang": peers.kmodes_labels,
    "scikit-learn GaussianMixture, diagonal, one-hot": peers.gaussian_labels,
    "StepMix": peers.stepmix_labels,
    "pomegranate, categorical": peers.pomegranate_labels,
}


def run(plan: Plan) -> list[Record]:
    """Fit the table by everybody, by ours before and after each."""
    made = make_rules(5_000 if plan.quick else 100_000, n_rules=TRUE_K, random_state=0)
    codes = peers.coded(made.data)
    Galileo(random_state=0).fit(load("zoo"))
    records: list[Record] = []
    with threadpool_limits(1):
        ours = [galileo(made.data, made.target)]
        for name, labels in PEERS.items():
            try:
                labels(codes[:WARM_UP], TRUE_K)
            except ImportError:
                records.append({"who": name, "installed": False})
                continue
            begun = time.perf_counter()
            found = labels(codes, TRUE_K)
            taken = time.perf_counter() - begun
            print(f"kmodes: {name}, {taken:.1f} s", file=sys.stderr, flush=True)
            records.append(record(name, taken, TRUE_K, made.target, found))
            ours.append(galileo(made.data, made.target))
    return [min(ours, key=lambda each: each["seconds"]), *records]


def galileo(data: Any, target: Any) -> Record:
    """Fit the table by ours, which is not told k."""
    model = Galileo(n_jobs=1, random_state=0)
    begun = time.perf_counter()
    model.fit(data)
    taken = time.perf_counter() - begun
    return record("Galileo", taken, model.n_components_, target, model.labels_)


def record(name: str, seconds: float, k: int, target: Any, labels: Any) -> Record:
    """Return what a fit took and how good it is."""
    ari = round(float(adjusted_rand_score(target, labels)), 6)
    return {"who": name, "installed": True, "seconds": round(seconds, 4), "k": k, "ari": ari}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    own = records[0]["seconds"]
    rows = [
        [
            each["who"],
            f"{each['k']}, {'found' if each['who'] == 'Galileo' else 'told'}",
            f"{each['seconds']:.2f}",
            ratio(each["seconds"] / own),
            f"{each['ari']:.3f}",
        ]
        if each["installed"]
        else [each["who"], "–", "not installed", "–", "–"]
        for each in records
    ]
    return table(["", "k", "time, s", "over Galileo", "ARI"], rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    times = {each["who"]: each["seconds"] for each in records if each["installed"]}
    found = times["kmodes, Huang"] / times["Galileo"]
    return [Bar("kmodes, told k, over a whole default fit", "> 1x", ratio(found), found > 1)]
