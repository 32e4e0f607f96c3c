"""How much depends on k_max, the number of components that annealing begins with."""

from __future__ import annotations

from statistics import fmean

from galileomix._reproduce import paper
from galileomix._reproduce.claims import BEATEN, REPRODUCED, Cell, Claim, Verdict
from galileomix._reproduce.item import Chart, Grid, Item, Plan, Series
from galileomix._reproduce.paper_tables import fitted, load
from galileomix._reproduce.published_runs import (
    FULL,
    MushroomRun,
    mushroom_runs,
    sizes_chosen,
    successes,
)

SIZES = (30, 40, 50, 60, 100)
ABOUT = """\
Mushroom, chosen by density. The paper shows one run for each k_max: from 40 on all end at 23 \
components with density 1, below 40 none. Here are many seeds for each, as published (plain EM, \
centres drawn attribute by attribute), and the default search with the same k_max."""
Found = dict[int, tuple[MushroomRun, ...]]


def compute(plan: Plan) -> Item:
    """Anneal mushroom from many seeds and sizes; search it by default from the same sizes."""
    found: Found = {}
    defaults: dict[int, bool] = {}
    data = load("mushroom").data
    for size in SIZES:
        plan.progress(f"k-max: {plan.seeds} runs as published from {size} components")
        found[size] = mushroom_runs(size, "entropy", plan.seeds, plan.jobs)
        model = fitted(data, {"criterion": "density", "max_components": size})
        full = abs(float(model.weights_ @ model.densities_) - 1) < FULL
        defaults[size] = full and model.n_components_ == paper.BEST_K
    return Item(
        "k-max",
        "Dependence on k_max",
        "Figure maxk",
        ABOUT,
        claims_of(found, defaults),
        (_grid(found, defaults),),
        (_rates(found, defaults), _ends(found)),
    )


def claims_of(found: Found, defaults: dict[int, bool]) -> tuple[Claim, ...]:
    """Return what the paper claims of k_max beside what was found."""
    below = {size: runs for size, runs in found.items() if size < paper.LEAST_K_MAX}
    above = {size: runs for size, runs in found.items() if size >= paper.LEAST_K_MAX}
    never = not any(run.succeeds for runs in below.values() for run in runs)
    always = all(run.succeeds for runs in above.values() for run in runs)
    none, some = "it does from some seeds", f"the paper shows one run each: {_rates_text(above)}"
    return (
        Claim(
            "below 40: 23 components with density 1",
            "never",
            _rates_text(below),
            REPRODUCED if never else Verdict("differs", none),
        ),
        Claim(
            "from 40 on: 23 components with density 1",
            "always",
            _rates_text(above),
            REPRODUCED if always else Verdict("differs", some),
        ),
        Claim(
            "the default search: 23 components with density 1",
            "from 40 on",
            f"{sum(defaults.values())} of {len(defaults)} sizes, the least {min(defaults)}",
            BEATEN if all(defaults.values()) else Verdict("differs", "another optimum"),
        ),
    )


def _rates_text(found: Found) -> str:
    return ", ".join(f"{successes(runs)} from {size}" for size, runs in found.items())


def _grid(found: Found, defaults: dict[int, bool]) -> Grid:
    rows: list[tuple[Cell, ...]] = [
        (
            size,
            "always" if size >= paper.LEAST_K_MAX else "never",
            successes(runs),
            fmean(run.path.chosen for run in runs),
            sizes_chosen(runs),
            fmean(run.density for run in runs),
            "yes" if defaults[size] else "no",
        )
        for size, runs in found.items()
    ]
    header = ("k_max", "paper", "as published", "mean k", "k", "mean of the density reached")
    return Grid("k = 23 and density 1", (*header, "the default search"), tuple(rows))


def _rates(found: Found, defaults: dict[int, bool]) -> Chart:
    x = tuple(map(float, found))
    shares = tuple(fmean(run.succeeds for run in runs) for runs in found.values())
    theirs = tuple(float(size >= paper.LEAST_K_MAX) for size in found)
    series = (
        Series("the paper, one run each", theirs, x, "dots"),
        Series("as published, many seeds", shares, x),
        Series("the default search", tuple(map(float, defaults.values())), x, "dashes"),
    )
    return Chart("Mushroom: share of runs at k = 23, density 1", "k_max", "share", series)


def _ends(found: Found) -> Chart:
    pairs = [(float(size), run.density) for size, runs in found.items() for run in runs]
    series = Series("one seed", tuple(y for _, y in pairs), tuple(x for x, _ in pairs), "dots")
    return Chart("As published: the density reached", "k_max", "mean density", (series,))
