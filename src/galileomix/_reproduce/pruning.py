"""Pruning by entropy-based density against pruning by Cartesian density, on mushroom."""

from __future__ import annotations

from statistics import fmean, median

from galileomix._reproduce import paper
from galileomix._reproduce.annealing import Run, runs
from galileomix._reproduce.clusterings import fitted, load
from galileomix._reproduce.record import Chart, Claim, Grid, Item, Plan, Series
from galileomix._reproduce.verdict import REPRODUCED, Verdict

K_MAX = 60
KINDS = ("entropy", "cartesian")
ABOUT = f"""\
The paper shows one run of each kind: entropy-based pruning ends at 23 components with density 1, \
Cartesian pruning at 30. Here the same seeds anneal as published from {K_MAX} components with \
either, chosen by density; then the default search with either. The Cartesian density is read as \
records over cells, a side being the values of more than a millionth of the component. The paper \
does not say from which k_max its two runs began; other sizes were not tried here."""


def compute(plan: Plan) -> Item:
    """Anneal mushroom from many seeds by both kinds of density."""
    found: dict[str, tuple[Run, ...]] = {}
    for kind in KINDS:
        plan.tell(f"pruning: {plan.seeds} runs as published, {kind}")
        found[kind] = runs(K_MAX, kind, plan.seeds, plan.jobs)
    plan.tell("pruning: the default search with either")
    data = load("mushroom").data
    defaults = {
        kind: fitted(data, {"criterion": "density", "pruning": kind}).n_components_
        for kind in KINDS
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


def _claims(found: dict[str, tuple[Run, ...]]) -> tuple[Claim, ...]:
    good = {kind: sum(run.succeeds for run in each) for kind, each in found.items()}
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
    ours = ", ".join(f"{kind}: {k}" for kind, k in sizes.items())
    verdict = Verdict("beaten") if good else Verdict("differs", "another optimum")
    return Claim("the default search, by either", "23 or 30", ours, verdict)


def _grid(found: dict[str, tuple[Run, ...]]) -> Grid:
    rows = [
        (
            kind,
            f"{sum(run.succeeds for run in each)} of {len(each)}",
            median(run.path.chosen for run in each),
            f"{min(run.path.chosen for run in each)} to {max(run.path.chosen for run in each)}",
            fmean(run.density for run in each),
        )
        for kind, each in found.items()
    ]
    header = ("pruning", "k = 23 and density 1", "median k", "k", "mean of the density reached")
    return Grid(f"As published from {K_MAX} components", header, tuple(rows))


def _chart(found: dict[str, tuple[Run, ...]]) -> Chart:
    series: list[Series] = []
    for kind, each in found.items():
        values: dict[int, list[float]] = {}
        for run in each:
            for step in run.path:
                values.setdefault(step.k, []).append(step.density)
        sizes = [k for k in sorted(values) if k > 3]
        means = tuple(fmean(values[k]) for k in sizes)
        style = "line" if kind == "entropy" else "dashes"
        label = f"pruned by {kind}, {sum(run.succeeds for run in each)} of {len(each)} reach 1"
        series.append(Series(label, means, tuple(map(float, sizes)), style))
    title = "Mushroom as published: density, the mean of all seeds"
    return Chart(title, "k", "mean density", tuple(series), mark=float(paper.BEST_K))
