"""Draw docs/images/scaling.png: time against the number of rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.common import Record
from benchmarks.speed.rows import slope
from galileomix.plots._drawing import STYLE

POINTS, LINE = "#2a78b5", "#9aa0a8"


def draw(kept: dict[str, Record], path: Path) -> None:
    """Draw what `rows` measured, if it was run."""
    if "rows" not in kept:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(cast(Any, STYLE)):
        scaling(kept["rows"]["records"]).savefig(path)


def scaling(records: list[Record]) -> Figure:
    """Draw the time of a pass against the rows, both by their logarithms, and the line fitted."""
    rows, seconds = ([record[key] for record in records] for key in ("n_rows", "seconds"))
    power = slope(records)
    # A white ground, so that it reads in GitHub's dark mode too.
    figure = Figure(figsize=(8, 5), dpi=100, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    axes.plot(rows, [power.at(n) for n in rows], color=LINE, label=f"slope {power}", zorder=1)
    axes.plot(rows, seconds, "o", color=POINTS, markersize=8, label="one EM pass, one thread")
    axes.set(xscale="log", yscale="log", xlabel="rows", ylabel="seconds")
    axes.set_title("10 attributes of 20 values, 20 components")
    axes.grid(which="major", color="#e4e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.legend(loc="upper left")
    return figure
