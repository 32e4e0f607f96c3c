"""AIC, BIC and density against the number of components, on mushroom."""

from __future__ import annotations

from galileomix._fitted.results import Path
from galileomix._reproduce import paper
from galileomix._reproduce.claims import REPRODUCED, Claim, Verdict, same
from galileomix._reproduce.item import Chart, Grid, Item, Plan, Series, Style
from galileomix._reproduce.paper_tables import fitted, load
from galileomix._reproduce.published_runs import FULL, MushroomRun, mushroom_runs

K_MAX = 60
MOST = 30
"""As far as the default search is drawn."""
LABELS = {"density": "mean density", "aic": "AIC", "bic": "BIC"}
ABOUT = f"""\
The paper draws one run of annealing. We draw a run as published from {K_MAX} components, which \
succeeds from some seeds only, and the default search by each criterion, which records the best \
model that it meets of every size. Rows are all different, so that no model's log-likelihood can \
exceed -N log N, which the 23 full boxes reach: more than 23 components can never be better by AIC \
or BIC."""


def compute(plan: Plan) -> Item:
    """Search mushroom by each criterion, and as published."""
    data = load("mushroom").data
    paths: dict[str, Path] = {}
    for name in LABELS:
        plan.progress(f"criteria: the default search by {name}")
        paths[name] = fitted(data, {"criterion": name, "max_components": MOST}).path_
    plan.progress(f"criteria: {plan.seeds} runs as published from {K_MAX} components")
    published = mushroom_runs(K_MAX, "entropy", plan.seeds, plan.jobs)
    shown = next((run for run in published if run.succeeds), published[0])
    return Item(
        "criteria",
        "AIC, BIC and density against k",
        "Figure aic_bic_density",
        ABOUT,
        (*(_claim(name, paths) for name in LABELS), _agreement(published)),
        (_grid(paths),),
        tuple(_chart(name, paths[name], shown) for name in LABELS),
    )


def _claim(name: str, paths: dict[str, Path]) -> Claim:
    path, k = paths[name], paths[name].chosen
    value = {step.k: getattr(step, name) for step in path}
    at = f"k = {k} ({value[k]:.6g})"
    theirs = f"k = {paper.BEST_K}" + (" (1)" if name == "density" else "")
    if name == "density":
        holds = k == paper.BEST_K and abs(value[k] - 1) < FULL
        verdict = REPRODUCED if holds else Verdict("differs", "another optimum of density")
    else:
        there = f"{value[paper.BEST_K]:.1f}" if paper.BEST_K in value else "more"
        why = (
            f"{LABELS[name]} is {value[k]:.1f} at k = {k} and {there} at {paper.BEST_K}: annealing"
        )
        verdict = same(paper.BEST_K, k, f"{why} misses the better models of fewer components")
    return Claim(f"the best {LABELS[name]}", theirs, at, verdict)


def _agreement(published: tuple[MushroomRun, ...]) -> Claim:
    good = [run.path for run in published if run.succeeds]
    agree = sum({path.best(name) for name in LABELS} == {paper.BEST_K} for path in good)
    ours = f"{agree} of the {len(good)} runs as published that reach density 1"
    why = "the three disagree in some runs" if good else "no run as published reached density 1"
    verdict = REPRODUCED if good and agree == len(good) else Verdict("differs", why)
    return Claim("the three agree on one path of annealing", "yes", ours, verdict)


def _grid(paths: dict[str, Path]) -> Grid:
    by_size = {name: {step.k: getattr(step, name) for step in path} for name, path in paths.items()}
    sizes = sorted(set().union(*by_size.values()))
    rows = tuple((k, *(by_size[name].get(k) for name in LABELS)) for k in sizes if k > 13)
    header = ("k", *(f"best {label} met" for label in LABELS.values()))
    return Grid("The default search, from 14 components on", header, rows)


def _chart(name: str, path: Path, shown: MushroomRun) -> Chart:
    curves: tuple[tuple[str, Path, Style], ...] = (
        (f"a run as published (seed {shown.seed})", shown.path, "line"),
        ("the default search", path, "dashes"),
    )
    series = tuple(
        Series(
            label,
            tuple(getattr(step, name) for step in curve if step.k > 3),
            tuple(float(step.k) for step in curve if step.k > 3),
            style,
        )
        for label, curve, style in curves
    )
    return Chart(f"Mushroom: {LABELS[name]}", "k", LABELS[name], series, mark=float(paper.BEST_K))
