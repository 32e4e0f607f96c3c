"""The same, searched as published.

`Galileo.as_published` with `criterion="density"` on mushroom. The paper says that as long as the
search begins with 40 components or more it always ends at 23 with a mean density of 1, and that
it does not from fewer. "Centres drawn according to the global distribution" can be read in two
ways: every attribute drawn from its own distribution, or a whole record drawn.
"""

from __future__ import annotations

from benchmarks.common import Plan, Record, each, load, mean_density, measure
from benchmarks.density import perfect
from benchmarks.render import grouped, mean, span, table, tally
from galileomix import Galileo


def run(plan: Plan) -> list[Record]:
    """Fit mushroom as published from many seeds, sizes and both kinds of centre."""
    settings = [
        {"max_components": size, "centers": centers, "seed": seed}
        for centers in ("marginals", "records")
        for size in ([30] if plan.quick else [30, 40, 60, 100])
        for seed in range(plan.count(50))
    ]
    return each(one, settings, plan.jobs)


def one(max_components: int, centers: str, seed: int) -> Record:
    """Fit mushroom once."""
    model = Galileo.as_published(
        max_components, centers=centers, criterion="density", random_state=seed
    )
    cost = measure(model, load("mushroom"))
    setting = {"max_components": max_components, "centers": centers, "seed": seed}
    return setting | cost | {"density": mean_density(model)}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["centres", "components at first", "the paper", "k = 23 and mean density 1"]
    rows = [
        [
            centers,
            size,
            "always" if size >= 40 else "never",
            tally(group, lambda record: record["k"] == 23 and perfect(record)),
            mean(group, "k", ".1f"),
            span(record["k"] for record in group),
            mean(group, "density", ".3f"),
            mean(group, "seconds"),
        ]
        for (centers, size), group in grouped(records, "centers", "max_components")
    ]
    return table([*header, "mean k", "k", "mean density", "mean time, s"], rows)
