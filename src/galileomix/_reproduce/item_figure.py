"""Items as pictures, by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from galileomix._reproduce.item import Chart, Item
from galileomix.plots._drawing import COLORS, STYLE

LINES = {
    "line": {"linestyle": "-"},
    "dashes": {"linestyle": "--"},
    "dots": {"linestyle": "", "marker": "o", "alpha": 0.6},
}


def draw(item: Item, path: Path) -> None:
    """Draw an item's charts below one another into a PNG file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        # A white ground, so that it reads in GitHub's dark mode too.
        size = (9, 4.2 * len(item.charts))
        figure = Figure(figsize=size, dpi=100, facecolor="white", layout="constrained")
        panels: Any = figure.subplots(len(item.charts), squeeze=False)
        for axes, chart in zip(panels[:, 0], item.charts, strict=True):
            _draw(axes, chart)
        # Without the version of matplotlib in it the same numbers give the same file.
        figure.savefig(path, metadata={"Software": None})


def _draw(axes: Any, chart: Chart) -> None:
    if chart.bars:
        _draw_bars(axes, chart)
    else:
        _draw_curves(axes, chart)
    axes.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label)
    # Bars leave no room: what they mean stands beside them.
    axes.legend(**{"loc": "upper left", "bbox_to_anchor": (1, 1)} if chart.bars else {})


def _draw_bars(axes: Any, chart: Chart) -> None:
    width = 0.8 / len(chart.series)
    for i, series in enumerate(chart.series):
        places = [j + (i + 0.5) * width - 0.4 for j in range(len(series.y))]
        axes.bar(places, series.y, width, label=series.label, color=COLORS[i % len(COLORS)])
    turned = max(map(len, chart.bars)) * len(chart.bars) > 100
    axes.set_xticks(range(len(chart.bars)), chart.bars, rotation=20 if turned else 0)


def _draw_curves(axes: Any, chart: Chart) -> None:
    for i, series in enumerate(chart.series):
        color = COLORS[i % len(COLORS)]
        axes.plot(series.x, series.y, label=series.label, color=color, **LINES[series.style])
    if chart.log:
        axes.set(xscale="log", yscale="log")
    if chart.mark is not None:
        axes.axvline(chart.mark, color="#c4c8ce", linestyle=":", zorder=0)
