"""Pruning by entropy-based density against pruning by Cartesian density, on mushroom."""

from __future__ import annotations

from statistics import fmean, median

from galileomix._reproduce import paper
from galileomix._reproduce.claims import BEATEN, REPRODUCED, Claim, Verdict
from galileomix._reproduce.item import Chart, Grid, Item, Plan, Series
from galileomix._reproduce.paper_tables import fitted, load
from galileomix._reproduce.published_runs import (
    MushroomRun,
    mushroom_runs,
    sizes_chosen,
    successes,
)

K_MAX = 60
PRUNINGS = ("entropy", "cartesian")
Found = dict[str, tuple[MushroomRun, ...]]
ABOUT = f"""\
The paper shows one run of each: entropy-based pruning ends at 23 components with density 1, \
Cartesian pruning at 30. Here the same seeds anneal as published from {K_MAX} components with \
either, chosen by density; then the default search with either. We read the Cartesian density as \
records over cells, where a side counts the values with more than a millionth of the component. \
The paper does not say from which k_max its two runs began; other sizes were not tried here."""


def compute(plan: Plan) -> Item:
    """Anneal mushroom from many seeds, pruned by either density."""
    found: Found = {}
    for pruning in PRUNINGS:
        plan.progress(f"pruning: {plan.seeds} runs as published, {pruning}")
        found[pruning] = mushroom_runs(K_MAX, pruning, plan.seeds, plan.jobs)
    plan.progress("pruning: the default search with either")
    data = load("mushroom").data
    defaults = {
        pruning: fitted(data, {"criterion": "density", "pruning": pruning}).n_components_
        for pruning in PRUNINGS
    }
    return Item(
        "pruning",
        "Entropy-based against Cartesian pruning",
        "Figure cartesian_density",
        ABOUT,
        (*_claims(found), _default(defaults)),
        (_grid(found),),
        (_chart(found),),
    )


def _claims(found: Found) -> tuple[Claim, ...]:
    good = {pruning: sum(run.succeeds for run in runs) for pruning, runs in found.items()}
    n = len(found["entropy"])
    entropy = Verdict("differs", f"from {good['entropy']} of {n} seeds only")
    missed = f"Cartesian pruning reaches 23 and density 1 from {good['cartesian']} of {n} seeds"
    cartesian = Verdict("differs", f"{missed}, entropy-based from {good['entropy']}")
    ends = [run.path.chosen for run in found["cartesian"]]
    return (
        Claim(
            "pruned by entropy: ends at 23 with density 1",
            "yes (one run)",
            f"{good['entropy']} of {n} seeds",
            REPRODUCED if good["entropy"] == n else entropy,
        ),
        Claim(
            "pruned by Cartesian density: cannot reach 23 with density 1",
            f"ends at {paper.CARTESIAN_K} (one run)",
            f"it does from {good['cartesian']} of {n} seeds; "
            f"{ends.count(paper.CARTESIAN_K)} of {n} end at {paper.CARTESIAN_K}",
            REPRODUCED if good["cartesian"] == 0 else cartesian,
        ),
    )


def _default(sizes: dict[str, int]) -> Claim:
    good = set(sizes.values()) == {paper.BEST_K}
    ours = ", ".join(f"{pruning}: {k}" for pruning, k in sizes.items())
    verdict = BEATEN if good else Verdict("differs", "another optimum")
    return Claim("the default search, by either", "23 or 30", ours, verdict)


def _grid(found: Found) -> Grid:
    rows = [
        (
            pruning,
            successes(runs),
            median(run.path.chosen for run in runs),
            sizes_chosen(runs),
            fmean(run.density for run in runs),
        )
        for pruning, runs in found.items()
    ]
    header = ("pruning", "k = 23 and density 1", "median k", "k", "mean of the density reached")
    return Grid(f"As published from {K_MAX} components", header, tuple(rows))


def _chart(found: Found) -> Chart:
    series: list[Series] = []
    for pruning, runs in found.items():
        values: dict[int, list[float]] = {}
        for run in runs:
            for step in run.path:
                values.setdefault(step.k, []).append(step.density)
        sizes = [k for k in sorted(values) if k > 3]
        means = tuple(fmean(values[k]) for k in sizes)
        style = "line" if pruning == "entropy" else "dashes"
        label = f"pruned by {pruning}, {successes(runs)} reach 1"
        series.append(Series(label, means, tuple(map(float, sizes)), style))
    title = "Mushroom as published: density, the mean of all seeds"
    return Chart(title, "k", "mean density", tuple(series), mark=float(paper.BEST_K))
