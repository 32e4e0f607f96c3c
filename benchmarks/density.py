"""The 23 clusters of mushroom.

The default search with `criterion="density"`. A seed succeeds if it ends at 23 components with a
mean density of 1 (each component a full box: all combinations of its values, each once), and
finds the 23 sizes that are known.
"""

from __future__ import annotations

import numpy as np

from benchmarks.common import Plan, Record, each, load, mean_density, measure
from benchmarks.render import grouped, mean, table, tally
from galileomix import Galileo

SIZES = [8, 8, 16, 32, 32, 36, 48, 48, 72, 96, 96, 192, 192, 192, 192]
SIZES += [256, 288, 288, 512, 768, 1296, 1728, 1728]


def run(plan: Plan) -> list[Record]:
    """Fit mushroom from many seeds at several maximal sizes."""
    sizes: list[int | str] = [30] if plan.quick else [30, 50, 100, "auto"]
    seeds = range(plan.count(50))
    settings = [{"max_components": size, "seed": seed} for size in sizes for seed in seeds]
    return each(one, settings, plan.jobs)


def one(max_components: int | str, seed: int) -> Record:
    """Fit mushroom once."""
    data = load("mushroom")
    model = Galileo(max_components, criterion="density", random_state=seed)
    cost = measure(model, data)
    sizes_known = sorted(np.bincount(model.labels_).tolist()) == SIZES
    found = {"density": mean_density(model), "sizes_known": sizes_known}
    return {"max_components": max_components, "seed": seed} | cost | found


def perfect(record: Record) -> bool:
    """Return whether the mean density is 1."""
    return abs(record["density"] - 1) < 1e-6


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["`max_components`", "k = 23", "mean density 1", "the known sizes"]
    rows = [
        [
            f"`{size!r}`".replace("'", '"'),
            tally(group, lambda record: record["k"] == 23),
            tally(group, perfect),
            tally(group, lambda record: record["sizes_known"]),
            mean(group, "seconds"),
            mean(group, "passes", ".0f"),
        ]
        for (size,), group in grouped(records, "max_components")
    ]
    return table([*header, "mean time, s", "mean passes over the data"], rows)
