"""Which attributes tell the clusters apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from galileomix._fitted.differences import separation
from galileomix._fitted.fitted_model import model_of
from galileomix.plots._drawing import BLUE, drawing, in_percent, label, shown_of
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def attributes(model: FittedGalileo, *, most: int = 30, ax: Axes | None = None) -> Axes:
    """Draw how much each attribute tells of the clusters.

    A bar is the share of the uncertainty of a record's cluster that knowing the attribute removes.

    Parameters
    ----------
    model : Galileo
        A fitted model.
    most : int, default=30
        The most attributes to draw: those that tell most.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import Galileo, plots
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> ax = plots.attributes(Galileo(random_state=0).fit(table))
    >>> [text.get_text() for text in ax.texts]
    ['100 %', '100 %']
    """
    fitted = model_of(model)
    shares, names = separation(fitted), fitted.schema.names
    order = np.argsort(-shares, kind="stable")[:most]
    places = np.arange(len(order))
    with drawing(ax, 7.2, 1.3 + 0.27 * len(order)) as ax:
        bars = ax.barh(places, shares[order], color=BLUE, height=0.74)
        ax.bar_label(bars, [f"{100 * share:.0f} %" for share in shares[order]], padding=4)
        ax.set_yticks(places, [label(names[a]) for a in order])
        ax.set(xlim=(0, 1.08), ylim=(len(order) - 0.4, -0.6))
        ax.set_xlabel("of what there is to know about a record's cluster")
        in_percent(ax)
        few = shown_of(len(order), len(names), "attributes")
        ax.set_title(f"Which attributes tell clusters apart{few and f': {few}'}")
    return ax
