"""One cluster: its distributions beside those of the whole table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from galileomix._checks import check_integer
from galileomix._fitted.differences import (
    CategoryMarginal,
    NumberMarginal,
    differences,
    marginal,
)
from galileomix._fitted.distribution import SECONDS, NumberDistribution
from galileomix._fitted.fitted_model import model_of
from galileomix._words import counted, shown_number
from galileomix.errors import ParameterError
from galileomix.plots._drawing import BLUE, GRAY, PALE, drawing, in_percent, label
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ABREAST = 3
"""Panels side by side."""
MOST_VALUES = 7
"""The most values of a category to draw; the others are drawn together."""
POINTS = 240
"""Of a curve."""


def cluster(model: FittedGalileo, i: int, *, most: int = 6, ax: Axes | None = None) -> Axes:
    """Draw the distributions of a cluster beside those of all records.

    There is a panel for each of the attributes that differ most: bars for categories, curves for
    numbers. Panels lie inside the axes; ``ax.child_axes`` has them.

    Parameters
    ----------
    model : Galileo
        A fitted model.
    i : int
        The cluster, as in ``labels_``.
    most : int, default=6
        The most attributes to draw.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import Galileo, plots
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> ax = plots.cluster(Galileo(random_state=0).fit(table), 1)
    >>> [panel.get_title() for panel in ax.child_axes]
    ['x0', 'x1']
    """
    fitted = model_of(model)
    check_integer("i", i, 0)
    if i >= fitted.k:
        raise ParameterError(f"i={i}: there are the clusters 0 to {fitted.k - 1}")
    component = model.components()[i]
    chosen = np.argsort(-differences(fitted)[i], kind="stable")[:most].tolist()
    n_rows = math.ceil(len(chosen) / ABREAST)
    with drawing(ax, 3.6 * min(len(chosen), ABREAST) + 0.6, 2.5 * n_rows + 0.7) as ax:
        ax.set_axis_off()
        share = f"{component.size:,.0f} records, {100 * component.weight:.1f} %"
        ax.set_title(f"Cluster {i}: {label(component.name, 90)} ({share})")
        for place, a in enumerate(chosen):
            _draw(_panel(ax, place, len(chosen)), marginal(fitted, a, i))
        handles = [_patch(BLUE, "this cluster"), _patch(PALE, "all records")]
        ax.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, -0.02), ncols=2)
    return ax


def _patch(color: str, name: str) -> object:
    from matplotlib.patches import Patch

    return Patch(color=color, label=name)


def _panel(ax: Axes, place: int, n: int) -> Axes:
    """Return one of n panels, with room for its labels on the left and below."""
    abreast, n_rows = min(n, ABREAST), math.ceil(n / ABREAST)
    width, height = 1.0 / abreast, 0.94 / n_rows
    left, row = (place % ABREAST) * width, place // ABREAST
    bottom = 1.0 - (row + 1) * height
    return ax.inset_axes((left + 0.32 * width, bottom + 0.2 * height, 0.64 * width, 0.66 * height))


def _draw(panel: Axes, found: CategoryMarginal | NumberMarginal) -> None:
    panel.spines[["top", "right"]].set_visible(False)
    panel.tick_params(labelsize=8.5)
    panel.set_title(label(found.attribute), fontsize=10, fontweight="normal")
    if isinstance(found, CategoryMarginal):
        _draw_bars(panel, found)
    else:
        _draw_curves(panel, found)


def _draw_bars(panel: Axes, found: CategoryMarginal) -> None:
    """Draw the commonest values, of this cluster above those of all records."""
    order = np.argsort(-np.maximum(found.here, found.overall), kind="stable")
    shown, others = order[:MOST_VALUES], order[MOST_VALUES:]
    names = [label(found.values[v], 14) for v in np.sort(shown)]
    here, overall = (p[np.sort(shown)].tolist() for p in (found.here, found.overall))
    if len(others):
        names.append(counted(len(others), "other"))
        here.append(float(found.here[others].sum()))
        overall.append(float(found.overall[others].sum()))
    places = np.arange(len(names))
    panel.barh(places + 0.2, overall, 0.38, color=PALE)
    panel.barh(places - 0.2, here, 0.38, color=BLUE)
    panel.set_yticks(places, names)
    panel.set(xlim=(0, 1), ylim=(len(names) - 0.4, -0.6))
    in_percent(panel)
    panel.set_xticks([0, 0.5, 1])


def _draw_curves(panel: Axes, found: NumberMarginal) -> None:
    """Draw densities as curves, and a number that is a category of its own as a line."""
    from matplotlib.ticker import MaxNLocator

    low, high = (
        pick(_end(found.here, q), _end(found.overall, q))
        for pick, q in ((min, 0.005), (max, 0.995))
    )
    x = np.linspace(low, high, POINTS) if high > low else np.array([low])
    panel.fill_between(x, found.overall.pdf(x), color=PALE, linewidth=0)
    panel.plot(x, found.here.pdf(x), color=BLUE, linewidth=1.8)
    panel.set_yticks([])
    panel.set_ylabel("density", fontsize=8.5, color=GRAY)
    panel.set_ylim(bottom=0)
    if found.here.spike is not None:
        _draw_spike(panel, found.here, found.overall)
    panel.xaxis.set_major_locator(MaxNLocator(3))
    if found.here.unit in SECONDS:
        unit = found.here.unit
        panel.xaxis.set_major_formatter(lambda at, _: shown_number(at, unit, (high - low) / 20))


def _end(distribution: NumberDistribution, q: float) -> float:
    return distribution.quantile(q)


def _draw_spike(panel: Axes, here: NumberDistribution, overall: NumberDistribution) -> None:
    shares = f"{100 * here.spike_probability:.0f} % (all: {100 * overall.spike_probability:.0f} %)"
    assert here.spike is not None
    panel.axvline(here.spike, color=BLUE, linestyle="--", linewidth=1.2)
    text = f"{shown_number(here.spike, here.unit)}: {shares}"
    panel.text(0.98, 0.95, label(text, 40), transform=panel.transAxes, ha="right", va="top",
               fontsize=8.5)  # fmt: skip
