"""What effort buys.

Tables of categories of the odd half, by BIC and by AIC, fitted with an effort of 0.1 to 3 from
three seeds. *Behind* is how far the value is above the best known one, as a share of it, in the
mean over tables and seeds: the best known is the best of these fits, of those of the benchmark of
the search, and of StepMix. StepMix is told k, and begins 1, 5 or 20 times.

![the share behind the best known value against seconds](images/effort.png)
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from benchmarks.common import Plan, Record, criterion_value, each, measure
from benchmarks.render import grouped, table
from benchmarks.rivals import stepmix
from benchmarks.search import CRITERIA, value_of
from benchmarks.search_tables import load
from galileomix import Galileo
from galileomix._words import counted
from galileomix.plots._drawing import STYLE

PACKAGES = ("galileomix", "numpy", "numba", "pandas", "stepmix")
TABLES = ("soybean", "zoo", "hayes-roth", "led7digit", "tic-tac-toe", "noisy-5", "noisy-20")
EFFORTS = (0.1, 0.3, 1.0, 3.0)
STARTS = (1, 5, 20)
ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "effort.png"
LEAST = 1e-8
"""A share behind that is drawn as this: nothing is to be seen of less."""
COLORS = {"galileo": "#2a78b5", "StepMix": "#d1495b"}


def run(plan: Plan) -> list[Record]:
    """Fit every table with every effort."""
    names = ("zoo",) if plan.quick else TABLES
    settings: list[Record] = [
        {"name": name, "criterion": criterion, "effort": effort, "seed": seed}
        for name in names
        for criterion in CRITERIA
        for effort in EFFORTS
        for seed in range(plan.count(3))
    ]
    records = each(one, settings, plan.jobs)
    sizes = {(r["name"], r["criterion"], r["k"]) for r in records if r["effort"] == 1}
    told: list[Record] = [
        {"name": name, "criterion": criterion, "k": k, "n_init": n_init, "seed": seed}
        for name, criterion, k in sorted(sizes)
        for n_init in STARTS
        for seed in range(plan.count(3))
        if k > 1
    ]
    return records + each(by_stepmix, told, plan.jobs)


def one(name: str, criterion: str, effort: float, seed: int) -> Record:
    """Fit one table once."""
    model = Galileo(criterion=criterion, effort=effort, random_state=seed)
    cost = measure(model, load(name))
    head = {"name": name, "criterion": criterion, "search": "galileo", "effort": effort}
    return head | {"seed": seed} | cost | {"value": round(value_of(model), 6)}


def by_stepmix(name: str, criterion: str, k: int, n_init: int, seed: int) -> Record:
    """Fit StepMix, told the number of components."""
    data = load(name)
    found = stepmix(data, k, seed, n_init)
    value = criterion_value(criterion, found["log_likelihood"], k, data)
    head = {"name": name, "criterion": criterion, "search": "StepMix", "effort": n_init}
    return head | {"seed": seed, "k": k, "seconds": found["seconds"], "value": round(value, 6)}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            search,
            f"effort {effort:g}" if search == "galileo" else counted(effort, "start"),
            f"{behind:.1e}",
            f"{worst:.1e}",
            "–" if passes is None else f"{passes:.0f}",
            f"{seconds:.2f}",
        ]
        for search, effort, behind, worst, passes, seconds in curve(records)
    ]
    header = ["search", "", "behind, in the mean", "at worst", "passes", "time, s (mean)"]
    return table(header, rows)


def best_known(records: list[Record]) -> dict[tuple[str, str], float]:
    """Return the best value of each table and criterion that anything found."""
    path = ROOT / "benchmarks" / "results" / "search.json"
    elsewhere = json.loads(path.read_text(encoding="utf-8"))["records"] if path.exists() else []
    found: dict[tuple[str, str], float] = {}
    for record in [*records, *elsewhere]:
        key = (record["name"], record["criterion"])
        found[key] = min(found.get(key, record["value"]), record["value"])
    return found


def curve(records: list[Record]) -> list[tuple[Any, ...]]:
    """Return for every effort the share behind, in the mean and at worst, passes and seconds."""
    best = best_known(records)
    lines: list[tuple[Any, ...]] = []
    for (search, effort), group in grouped(records, "search", "effort"):
        known = [best[r["name"], r["criterion"]] for r in group]
        behind = [(r["value"] - b) / abs(b) for r, b in zip(group, known, strict=True)]
        passes = [r["passes"] for r in group] if search == "galileo" else None
        lines.append(
            (
                search,
                effort,
                max(statistics.fmean(behind), 0.0),
                max(behind),
                statistics.fmean(passes) if passes else None,
                statistics.fmean(r["seconds"] for r in group),
            )
        )
    return lines


def draw(records: list[Record]) -> None:
    """Draw the share behind against seconds, both by their logarithms, beside the page."""
    lines = curve(records)
    with mpl.rc_context(cast(Any, STYLE)):
        figure = Figure(figsize=(8, 5), dpi=100, facecolor="white", layout="constrained")
        axes = figure.add_subplot()
        for search, color in COLORS.items():
            own = [line for line in lines if line[0] == search]
            seconds, behind = [line[5] for line in own], [max(line[2], LEAST) for line in own]
            label = f"{search}, told k" if search == "StepMix" else search
            axes.plot(seconds, behind, "o-", color=color, label=label)
            for line, x, y in zip(own, seconds, behind, strict=True):
                axes.annotate(f"{line[1]:g}", (x, y), xytext=(6, 6), textcoords="offset points")
        axes.set(xscale="log", yscale="log", xlabel="seconds", ylabel="share behind the best known")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_title("effort, and starts of StepMix")
        axes.grid(which="major", color="#e4e7eb", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.legend()
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(PICTURE)
