"""ROCK beside R's, and what the papers print of it.

`baselines.Rock` beside `rockCluster` of the R package cba, which has the same definitions: two
records are neighbours if their Jaccard similarity is at least theta (`dist(method = "binary")` at
most 1 - theta), none is its own neighbour, and the two clusters of greatest goodness are merged,
until k are left or no two are linked. A missing cell is no item. Neither sets records without
neighbours aside here (`min_neighbors=0`), so that single ones count as clusters. Of equally good
pairs ours merges the first, clusters standing where their first records are; cba keeps for every
cluster the first best partner it met, which after merges need not be the first in the table. So
the two may part where pairs are equally good: rows are shuffled to see whether that matters.

Compared are the clusters, and how good every merge was, which cba prints to six digits.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks.common import Plan, Record, load
from benchmarks.render import grouped, mean, span, table, tally
from galileomix import datasets
from galileomix.baselines import Rock
from galileomix.baselines._base import coded
from galileomix.baselines._centroid_linkage import zeros_and_ones

JOBS = 1
PACKAGES = ("galileomix", "numpy", "numba", "scipy", "scikit-learn")
SCRIPT = Path(__file__).with_name("rock_in_r.R")
SETTINGS = (
    {"table": "votes", "attributes": 16, "theta": 0.73, "k": 2},
    {"table": "mushroom", "attributes": 22, "theta": 0.8, "k": 21},
    {"table": "mushroom", "attributes": 23, "theta": 0.8, "k": 21},
)
PAPER = {
    "votes": [[201, 5], [22, 144]],
    "mushroom": [
        *([1728, 0], [0, 1728], [0, 1296], [768, 0], [704, 0], [288, 0], [0, 288], [0, 256]),
        *([192, 0], [192, 0], [0, 192], [32, 72], [96, 0], [96, 0], [48, 0], [48, 0], [0, 36]),
        *([0, 32], [16, 0], [0, 8], [0, 8]),
    ],
}
"""ROCK's clusters in the GALILEO paper: democrats and republicans, edible and poisonous."""

ABOUT = """\
The clusters beside those that the GALILEO paper prints of ROCK, the rows as published: democrats +
republicans, edible + poisonous. Mushroom has the paper's 21, among them the one of mixed edibility,
when `class` is left out. With all 23 attributes that one falls in two, edible and poisonous, so the
paper's column was not made with `class`, though its text says that all attributes were used. On
votes the ROCK paper drops small clusters late: with `min_cluster_size=5` only the two of the paper
are left."""

Labels = npt.NDArray[np.int64]


def run(plan: Plan) -> list[Record]:
    """Cluster each table in several orders, the first as published, here and in R."""
    if shutil.which("Rscript") is None:
        raise SystemExit("this needs R with cba: apt-get install r-base-core r-cran-cba")
    return [
        one(**setting, order=order)
        for setting in (SETTINGS[:1] if plan.quick else SETTINGS)
        for order in range(plan.count(20) if setting["table"] == "votes" else 3)
    ]


def one(table: str, attributes: int, theta: float, k: int, order: int) -> Record:
    """Cluster one table in one order."""
    data, classes = shuffled(table, attributes, order)
    model = Rock(k, theta=theta, min_neighbors=0, missing_values=["?"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(data[:500])  # compiles
        begun = time.perf_counter()
        model.fit(data)
        seconds = time.perf_counter() - begun
        theirs, told, version, seconds_in_r = in_r(data, theta, k)
    return {
        **{"table": table, "attributes": attributes, "theta": theta, "k": k, "order": order},
        "cba": version,
        "merges": len(model.goodness_),
        "same_merges": len(told) == len(model.goodness_)
        and bool(np.allclose(told, model.goodness_, rtol=0, atol=1e-6)),
        "same_clusters": bool(np.array_equal(by_first(model.labels_), by_first(theirs))),
        "clusters": model.n_clusters_,
        "crossed": crossed(model.labels_, classes),
        "digest": digest(model.labels_),
        "digest_in_r": digest(theirs),
        "seconds": round(seconds, 3),
        "seconds_in_r": round(seconds_in_r, 3),
    }


def shuffled(table: str, attributes: int, order: int) -> tuple[pd.DataFrame, pd.Series]:
    """Return a table and its classes in some order of rows; order 0 is as published."""
    bunch = getattr(datasets, f"load_{table}")()
    data = load(table) if attributes != 22 else load(table).drop(columns="class")
    n = len(data)
    rows = np.random.default_rng(order).permutation(n) if order else np.arange(n)
    return data.iloc[rows], bunch.target.iloc[rows]


def in_r(
    data: pd.DataFrame, theta: float, k: int
) -> tuple[Labels, npt.NDArray[np.float64], str, float]:
    """Return what cba finds: labels, the goodness of merges, its version and its seconds."""
    items = zeros_and_ones(coded(data, missing="ignore", missing_values=["?"]))
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/items.csv", items, fmt="%d", delimiter=",")
        asked = ["Rscript", str(SCRIPT), f"{folder}/items.csv", str(theta), str(k), folder]
        subprocess.run(asked, check=True, capture_output=True)
        labels, told, other = (
            Path(folder, name).read_text(encoding="utf-8").splitlines()
            for name in ("labels.txt", "merges.txt", "other.txt")
        )
    goodness = [float(line.partition("]")[2].rstrip("+")) for line in told]
    return np.array(labels, dtype=np.int64), np.array(goodness), other[0], float(other[1])


def by_first(labels: Labels) -> Labels:
    """Number clusters in the order of their first records."""
    return pd.factorize(labels)[0].astype(np.int64)


def digest(labels: Labels) -> str:
    """Return a digest of the clusters, however they are numbered."""
    written = " ".join(map(str, by_first(labels)))
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def crossed(labels: Labels, classes: pd.Series) -> list[list[int]]:
    """Return the clusters of several records: how many of each class, the largest first."""
    counts = pd.crosstab(labels, classes.to_numpy()).to_numpy()
    return [row for row in counts.tolist() if sum(row) > 1]


def render(records: list[Record]) -> str:
    """Show how ours and R's agree, and the clusters beside those that the paper prints."""
    header = ["table", "attributes", "theta", "k", "orders of rows", "same merges", "same clusters"]
    groups = grouped(records, "table", "attributes", "theta", "k")
    rows = [[*values, *agreement(group)] for values, group in groups]
    agreed = table([*header, "clusters", "time, s", "time in R, s"], rows)
    header = ["table", "attributes", "clusters of several records", "single records"]
    header += ["of these not in the paper", "in the paper only"]
    found = table(header, (beside(group[0]) for _, group in groups))
    return f"{agreed}\n\n{ABOUT}\n\n{found}"


def agreement(group: list[Record]) -> list[object]:
    """Return the cells of one table in several orders."""
    return [
        len(group),
        tally(group, lambda record: record["same_merges"]),
        tally(group, lambda record: record["same_clusters"]),
        span(record["clusters"] for record in group),
        mean(group, "seconds"),
        mean(group, "seconds_in_r"),
    ]


def beside(record: Record) -> list[object]:
    """Return the cells of the clusters of one table, and of what the paper has else."""
    ours = Counter(map(tuple, record["crossed"]))
    paper = Counter(map(tuple, PAPER[record["table"]]))
    single = record["clusters"] - ours.total()
    differing = [shown(ours - paper), shown(paper - ours)]
    return [record["table"], record["attributes"], shown(ours), single, *differing]


def shown(clusters: Counter[tuple[int, ...]]) -> str:
    """Return clusters as text, the largest first: how many of the one class and of the other."""
    ordered = sorted(clusters.elements(), key=sum, reverse=True)
    return ", ".join(" + ".join(map(str, each)) for each in ordered) or "none"
