"""How large and how dense the clusters are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from galileomix.plots._drawing import SHADES, cluster_labels, drawing, shown_of
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALEST = 0.5
"""The share of the scale that is too pale for a bar: none is drawn with it."""


def sizes(model: FittedGalileo, *, most: int = 30, ax: Axes | None = None) -> Axes:
    """Draw a bar for each cluster: as long as it is large, the darker the denser.

    The density is relative: how many times as dense a cluster is as all records, taken for one.

    Parameters
    ----------
    model : Galileo
        A fitted model.
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
    >>> ax = plots.sizes(Galileo(random_state=0).fit(table))
    >>> [text.get_text() for text in ax.texts]
    ['50 (50.0 %)', '50 (50.0 %)']
    """
    every = model.components()
    shown = every[:most]
    with np.errstate(divide="ignore"):
        power = np.log10([component.relative_density for component in shown])
    power = np.clip(power, -300.0, 300.0)
    with drawing(ax, 8.6, 1.3 + 0.32 * len(shown)) as ax:
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize
        from matplotlib.ticker import MaxNLocator

        low, high = min(0.0, float(power.min())), max(1.0, float(power.max()))
        shade = ScalarMappable(Normalize(low - PALEST * (high - low), high), SHADES)
        places = np.arange(len(shown))
        bars = ax.barh(places, [c.size for c in shown], color=shade.to_rgba(power), height=0.78)
        texts = [f"{c.size:,.0f} ({100 * c.weight:.1f} %)" for c in shown]
        ax.bar_label(bars, texts, padding=4, fontsize=9)
        ax.set_yticks(places, cluster_labels(shown))
        ax.set(ylim=(len(shown) - 0.4, -0.6), xlabel="records")
        ax.set_xlim(0, 1.35 * max(c.size for c in shown))  # with room for the text
        bar = ax.figure.colorbar(shade, ax=ax, format=lambda x, _: f"$10^{{{x:g}}}$", pad=0.02)
        bar.ax.set_ylim(low, high)
        bar.locator = MaxNLocator(6, integer=True)
        bar.set_label("times as dense as all records")
        few = shown_of(len(shown), len(every), "clusters")
        ax.set_title(f"Sizes and densities{few and f': {few}'}")
    return ax
