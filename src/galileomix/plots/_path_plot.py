"""The path: AIC, BIC and density against the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from galileomix._fitted.results import Path
from galileomix.plots._drawing import BLUE, GRAY, GREEN, VERMILION, drawing
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LABELS = {"bic": "BIC, least", "aic": "AIC, least", "density": "density, greatest"}
CURVES: dict[str, dict[str, Any]] = {
    "bic": {"color": BLUE, "linestyle": "-"},
    "aic": {"color": VERMILION, "linestyle": "--"},
    "density": {"color": GREEN, "linestyle": ":"},
}
WIDE = 1e3
"""Densities that differ by more times are drawn on a logarithmic scale."""


def path(model: FittedGalileo | Path, *, ax: Axes | None = None) -> Axes:
    """Draw AIC, BIC and the density against the number of clusters.

    A dot marks the best of each, a line the number that was chosen. AIC and BIC have the axis on
    the left, the density that on the right.

    Parameters
    ----------
    model : Galileo or Path
        A fitted model, or its ``path_``.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import Galileo, plots
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> plots.path(Galileo(random_state=0).fit(table)).get_xlabel()
    'clusters, k'
    """
    found = model if isinstance(model, Path) else model.path_
    with drawing(ax, 7.2, 4.6) as ax:
        from matplotlib.ticker import MaxNLocator

        lines = [_curve(ax, found, name) for name in ("bic", "aic")]
        lines += _density(ax, found)
        chosen = ax.axvline(found.chosen, color=GRAY, linewidth=1.2, zorder=0)
        chosen.set_label(f"chosen: k = {found.chosen}")
        ax.set(xlabel="clusters, k", ylabel="AIC, BIC (less is better)")
        ax.set_title("How many clusters?")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        # Below: inside, the legend of two scales always hides a curve.
        ax.legend(handles=[chosen, *lines], loc="upper left", bbox_to_anchor=(0, -0.16), ncols=2)
    return ax


def _density(ax: Axes, found: Path) -> list[Any]:
    """Draw the density on an axis of its own; nothing where it is too great for a number."""
    values = np.array([step.density for step in found])
    if not np.isfinite(values).all():
        return []
    right = ax.twinx()
    right.set_ylabel("mean density (more is better)")
    right.spines["right"].set_visible(True)
    if values.min() > 0 and values.max() > WIDE * values.min():
        right.set_yscale("log")
    return [_curve(right, found, "density")]


def _curve(ax: Axes, found: Path, name: str) -> Any:
    values, best = [getattr(step, name) for step in found], found.best(name)
    style, label = CURVES[name], f"{LABELS[name]} at k = {best}"
    (line,) = ax.plot(found.sizes, values, marker="o", markersize=7, label=label, **style)
    line.set_markevery([found.sizes.index(best)])
    return line
