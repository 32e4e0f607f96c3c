"""How much depends on k_max, the number of components that annealing begins with."""

from __future__ import annotations

from statistics import fmean

from galileomix._reproduce import paper
from galileomix._reproduce.annealing import FULL, Run, runs
from galileomix._reproduce.clusterings import fitted, load
from galileomix._reproduce.record import Cell, Chart, Claim, Grid, Item, Plan, Series
from galileomix._reproduce.verdict import REPRODUCED, Verdict

SIZES = (30, 40, 50, 60, 100)
ABOUT = """\
Mushroom, chosen by density. The paper shows one run for each k_max: from 40 on all end at 23 \
components with density 1, below 40 none. Here many seeds each, as published (plain EM, centres \
drawn attribute by attribute); and the default search, told the same k_max."""
Found = dict[int, tuple[Run, ...]]


def compute(plan: Plan) -> Item:
    """Anneal mushroom from many seeds and sizes; search it by default from the same sizes."""
    found: Found = {}
    defaults: dict[int, bool] = {}
    data = load("mushroom").data
    for size in SIZES:
        plan.tell(f"k-max: {plan.seeds} runs as published from {size} components")
        found[size] = runs(size, "entropy", plan.seeds, plan.jobs)
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


def rate(found: tuple[Run, ...]) -> str:
    """Return how many runs end at 23 components with density 1."""
    return f"{sum(run.succeeds for run in found)} of {len(found)}"


def claims_of(found: Found, defaults: dict[int, bool]) -> tuple[Claim, ...]:
    """Return what the paper says of k_max beside what was found."""
    below = {size: each for size, each in found.items() if size < paper.LEAST_K_MAX}
    above = {size: each for size, each in found.items() if size >= paper.LEAST_K_MAX}
    never = not any(run.succeeds for each in below.values() for run in each)
    always = all(run.succeeds for each in above.values() for run in each)
    rates = {"below": _rates_in_words(below), "above": _rates_in_words(above)}
    none, some = "it does from some seeds", f"the paper shows one run each: {rates['above']}"
    good = all(defaults.values())
    return (
        Claim(
            "below 40: 23 components with density 1",
            "never",
            rates["below"],
            REPRODUCED if never else Verdict("differs", none),
        ),
        Claim(
            "from 40 on: 23 components with density 1",
            "always",
            rates["above"],
            REPRODUCED if always else Verdict("differs", some),
        ),
        Claim(
            "the default search: 23 components with density 1",
            "from 40 on",
            f"{sum(defaults.values())} of {len(defaults)} sizes, the least {min(defaults)}",
            Verdict("beaten") if good else Verdict("differs", "another optimum"),
        ),
    )


def _rates_in_words(found: Found) -> str:
    return ", ".join(f"{rate(each)} from {size}" for size, each in found.items())


def _grid(found: Found, defaults: dict[int, bool]) -> Grid:
    rows: list[tuple[Cell, ...]] = [
        (
            size,
            "always" if size >= paper.LEAST_K_MAX else "never",
            rate(each),
            fmean(run.path.chosen for run in each),
            f"{min(run.path.chosen for run in each)} to {max(run.path.chosen for run in each)}",
            fmean(run.density for run in each),
            "yes" if defaults[size] else "no",
        )
        for size, each in found.items()
    ]
    header = ("k_max", "paper", "as published", "mean k", "k", "mean of the density reached")
    return Grid("k = 23 and density 1", (*header, "the default search"), tuple(rows))


def _rates(found: Found, defaults: dict[int, bool]) -> Chart:
    x = tuple(map(float, found))
    shares = tuple(fmean(run.succeeds for run in each) for each in found.values())
    told = tuple(float(size >= paper.LEAST_K_MAX) for size in found)
    series = (
        Series("the paper, one run each", told, x, "dots"),
        Series("as published, many seeds", shares, x),
        Series("the default search", tuple(map(float, defaults.values())), x, "dashes"),
    )
    return Chart("Mushroom: share of runs at k = 23, density 1", "k_max", "share", series)


def _ends(found: Found) -> Chart:
    pairs = [(float(size), run.density) for size, each in found.items() for run in each]
    series = Series("one seed", tuple(y for _, y in pairs), tuple(x for x, _ in pairs), "dots")
    return Chart("As published: the density reached", "k_max", "mean density", (series,))
