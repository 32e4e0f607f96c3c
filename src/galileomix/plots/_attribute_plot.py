"""One attribute in all clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from galileomix._fitted.differences import CategoryMarginal, NumberMarginal, marginal
from galileomix._fitted.distribution import SECONDS
from galileomix._fitted.fitted_model import model_of
from galileomix._fitted.query import check_name
from galileomix._words import counted, shown_number
from galileomix.plots._drawing import (
    BLUE,
    COLORS,
    GRAY,
    INK,
    PALE,
    cluster_labels,
    drawing,
    in_percent,
    label,
    shown_of,
)
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def attribute(model: FittedGalileo, name: str, *, most: int = 30, ax: Axes | None = None) -> Axes:
    """Draw how one attribute is distributed in each cluster, and in all records.

    The values of a category are bars beside each other; of a number there are the median (a dot),
    the middle half (a thick line) and the middle nine tenths (a thin line).

    Parameters
    ----------
    model : Galileo
        A fitted model.
    name : str
        The attribute.
    most : int, default=30
        The most clusters to draw, the largest first.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import Galileo, plots
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> ax = plots.attribute(Galileo(random_state=0).fit(table), "x1")
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['all records', '0: x0=a', '1: x0=b']
    """
    fitted, components = model_of(model), model.components()[:most]
    check_name(name, fitted.schema.names)
    a = fitted.schema.names.index(name)
    found = [marginal(fitted, a, i) for i in range(len(components))]
    with drawing(ax, 9.0, 1.7 + 0.32 * len(components)) as ax:
        categories = [one for one in found if isinstance(one, CategoryMarginal)]
        numbers = [one for one in found if isinstance(one, NumberMarginal)]
        if categories:
            _draw_categories(ax, categories)
        else:
            _draw_numbers(ax, numbers)
        ax.set_yticks(range(len(found) + 1), ["all records", *cluster_labels(components)])
        ax.set_ylim(len(found) + 0.6, -0.6)
        ax.axhline(0.5, color=GRAY, linewidth=0.8)
        few = shown_of(len(components), fitted.k, "clusters")
        ax.set_title(f"{label(name, 60)} in each cluster{few and f': {few}'}")
    return ax


def _draw_categories(ax: Axes, found: Sequence[CategoryMarginal]) -> None:
    """Draw the commonest values in colours, and all others together in grey."""
    shares = np.stack([found[0].overall, *(one.here for one in found)])
    order = np.argsort(-found[0].overall, kind="stable")
    shown, others = np.sort(order[: len(COLORS)]), order[len(COLORS) :]
    places, left = np.arange(len(shares)), np.zeros(len(shares))
    for v, color in zip(shown.tolist(), COLORS, strict=False):
        name = label(found[0].values[v], 24)
        bars = ax.barh(places, shares[:, v], 0.78, left, color=color, edgecolor="white")
        bars.set_label(f" {name}" if name.startswith("_") else name)  # or it would be hidden
        left = left + shares[:, v]
    if len(others):
        rest = shares[:, others].sum(axis=1)
        ax.barh(places, rest, 0.78, left, color=PALE, label=counted(len(others), "other"))
    ax.set_xlim(0, 1)
    in_percent(ax)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _draw_numbers(ax: Axes, found: Sequence[NumberMarginal]) -> None:
    """Draw medians and two intervals; how many are exactly a spike is written beside them."""
    for place, one in enumerate([found[0].overall, *(other.here for other in found)]):
        color = BLUE if place else INK
        low, lower, middle, upper, high = map(one.quantile, QUANTILES)
        ax.plot([low, high], [place, place], color=color, linewidth=1.2)
        ax.plot([lower, upper], [place, place], color=color, linewidth=5, solid_capstyle="butt")
        ax.plot(middle, place, "o", color="white", markeredgecolor=color)
        if one.spike is not None:
            spike = shown_number(one.spike, one.unit)
            text = label(f"{100 * one.spike_probability:.0f} % are {spike}")
            ax.text(1.01, place, text, transform=ax.get_yaxis_transform(), va="center", fontsize=9)
    if found[0].overall.unit in SECONDS:
        unit = found[0].overall.unit
        left, right = ax.get_xlim()
        ax.xaxis.set_major_formatter(lambda at, _: shown_number(at, unit, (right - left) / 20))
    ax.set_xlabel("median, middle half, middle nine tenths")
