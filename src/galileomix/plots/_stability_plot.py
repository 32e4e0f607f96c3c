"""How often resampled rows recover each cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from galileomix._fitted.stability import Stability
from galileomix._words import counted
from galileomix.plots._drawing import BLUE, INK, PALE, drawing, in_percent, label, shown_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def stability(found: Stability, *, most: int = 30, ax: Axes | None = None) -> Axes:
    """Draw the share of resamples that recover each cluster, and how well they overlap.

    Parameters
    ----------
    found : Stability
        What `Galileo.stability` returns.
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
    >>> model = Galileo(random_state=0).fit(table)
    >>> plots.stability(model.stability(table, n_resamples=2)).get_title()
    'Clusters recovered from 2 resamples'
    """
    shown = found.components.head(most)
    places = np.arange(len(shown))
    with drawing(ax, 8.6, 1.5 + 0.32 * len(shown)) as ax:
        ax.barh(places, np.ones(len(shown)), color=PALE, alpha=0.35, height=0.78)
        ax.barh(places, shown["recovered"], color=BLUE, height=0.78, label="recovered")
        ax.plot(shown["jaccard"], places, "D", color="white", markeredgecolor=INK, label="overlap")
        rows = zip(shown["label"], shown["name"], strict=True)
        ax.set_yticks(places, [f"{i}: {label(name, 44)}" for i, name in rows])
        ax.set(xlim=(0, 1), ylim=(len(shown) - 0.4, -0.6))
        ax.set_xlabel("share of the resamples; mean overlap (Jaccard)")
        in_percent(ax)
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
        few = shown_of(len(shown), len(found.components), "clusters")
        resamples = counted(found.n_resamples, "resample")
        ax.set_title(f"Clusters recovered from {resamples}{few and f': {few}'}")
    return ax
