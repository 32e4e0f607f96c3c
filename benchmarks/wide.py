"""Tables of hundreds of columns with missing cells.

Numbers without any structure, a third of them missing at random, so that every row has a pattern of
missing numbers of its own, as one component; and half categories, half numbers, with four planted
clusters, by the default call. Each in a process of its own, on one thread, compiled before; seconds
are of the processor. The covariance is the default, which chooses it, or full. Memory is the
greatest resident memory, of which importing and the table take what the next column says.
"""

from __future__ import annotations

import time
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.common import Plan, Record
from benchmarks.render import table
from benchmarks.speed.fresh import in_new_process
from benchmarks.speed.memory import MEGABYTE, resident
from galileomix import Galileo

JOBS = 1
CLUSTERS = 4
LETTERS = np.array(list("abcdef"), dtype=object)
NUMBERS = ((100, "auto"), (200, "auto"), (789, "auto"), (100, "full"), (200, "full"))
QUICK = ((40, "auto"), (40, "full"))


def run(plan: Plan) -> list[Record]:
    """Fit every table in a process of its own."""
    settings: list[Record] = [
        {"n_rows": 1000, "n_numbers": n, "covariance": covariance, "max_components": 1}
        for n, covariance in (QUICK if plan.quick else NUMBERS)
    ]
    n_rows, n_half = (200, 30) if plan.quick else (1472, 394)
    settings.append({"n_rows": n_rows, "n_numbers": n_half, "n_categories": n_half + 1})
    return [in_new_process(one, **setting) for setting in settings]


def one(
    n_rows: int,
    n_numbers: int,
    n_categories: int = 0,
    covariance: Literal["auto", "full"] = "auto",
    max_components: int | Literal["auto"] = "auto",
) -> Record:
    """Make a table, fit it, and say what that took."""
    clusters = CLUSTERS if n_categories else 1
    data, label = made(n_rows, n_numbers, n_categories, clusters)
    model = Galileo(max_components, covariance=covariance, random_state=0)
    Galileo(1, covariance=covariance, random_state=0).fit(data.iloc[:60, :20])
    before, begun = resident("VmRSS"), time.process_time()
    model.fit(data)
    cost = {"seconds": round(time.process_time() - begun, 2), "passes": model.n_passes_}
    shape = {"n_rows": n_rows, "n_numbers": n_numbers, "n_categories": n_categories}
    found = {"k": model.n_components_, "found": model.covariance_, "clusters": clusters}
    agreement = round(adjusted_rand_score(label, model.labels_), 4)
    memory = {"peak": resident("VmHWM"), "before": before}
    return shape | {"covariance": covariance} | found | {"ari": agreement} | cost | memory


def made(
    n_rows: int, n_numbers: int, n_categories: int, clusters: int
) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """Return a table with planted clusters, and the cluster of each record."""
    rng = np.random.default_rng(n_numbers)
    label = rng.integers(clusters, size=n_rows)
    centers = rng.normal(size=(clusters, n_numbers)) * (clusters > 1)
    numbers = pd.DataFrame(centers[label] + rng.normal(size=(n_rows, n_numbers))).add_prefix("x")
    columns: dict[str, NDArray[Any]] = {}
    for m in range(n_categories):
        p = rng.dirichlet(np.ones(rng.integers(2, 7)), size=clusters)
        above = rng.random(n_rows)[:, None] > np.cumsum(p, axis=1)[label]
        columns[f"c{m}"] = LETTERS[np.minimum(above.sum(axis=1), p.shape[1] - 1)]
    data = pd.concat([numbers, pd.DataFrame(columns, index=numbers.index)], axis=1)
    missing = 0.32 if n_categories else 0.3
    return data.mask(rng.random(data.shape) < missing), label


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["rows", "numbers", "categories", "covariance", "chosen", "planted", "k", "ARI"]
    header += ["seconds", "passes over the data", "memory, MB", "before, MB"]
    rows = [
        [
            *(each[name] for name in ("n_rows", "n_numbers", "n_categories", "covariance")),
            *(each[name] for name in ("found", "clusters", "k")),
            f"{each['ari']:.3f}" if each["clusters"] > 1 else "–",
            f"{each['seconds']:.1f}",
            each["passes"],
            *(f"{each[name] / MEGABYTE:.0f}" for name in ("peak", "before")),
        ]
        for each in records
    ]
    return table(header, rows)
