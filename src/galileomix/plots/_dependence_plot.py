"""Which attributes carry the same information."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from galileomix._fitted.dependence import side_by_side
from galileomix._model.params import Floats
from galileomix.errors import ParameterError
from galileomix.plots._drawing import SHADES, drawing, label, shown_of
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def dependence(
    model: FittedGalileo | pd.DataFrame, *, most: int = 30, ax: Axes | None = None
) -> Axes:
    """Draw attributes against attributes: the darker a cell, the more the two depend on each other.

    Attributes that depend on each other lie side by side.

    Parameters
    ----------
    model : Galileo or DataFrame
        A fitted model, or what its ``dependence()`` returns.
    most : int, default=30
        The most attributes to draw: those that depend on others most.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import Galileo, plots
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> ax = plots.dependence(Galileo(random_state=0).fit(table))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['x0', 'x1']
    """
    pairs = model if isinstance(model, pd.DataFrame) else model.dependence()
    if not len(pairs):
        raise ParameterError("there is one attribute only: it depends on no other")
    names, shares = _matrix(pairs)
    greatest = (shares - np.eye(len(names))).max(axis=1, initial=0.0)
    kept = np.argsort(-greatest, kind="stable")[:most]
    order = kept[side_by_side(shares[np.ix_(kept, kept)])]
    labels = [label(names[a], 26) for a in order]
    side = 2.6 + 0.27 * len(order)
    with drawing(ax, side + 1.2, side) as ax:
        image = ax.imshow(shares[np.ix_(order, order)], cmap=SHADES, vmin=0.0, vmax=1.0)
        ax.set_xticks(range(len(order)), labels, rotation=90)
        ax.set_yticks(range(len(order)), labels)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.6, pad=0.02)
        bar.set_label("0: independent, 1: one determines the other")
        few = shown_of(len(order), len(names), "attributes")
        ax.set_title(f"Which attributes depend on each other{few and f': {few}'}")
    return ax


def _matrix(pairs: pd.DataFrame) -> tuple[list[str], Floats]:
    """Return the attributes and what each pair shares, (M, M)."""
    names = list(dict.fromkeys([*pairs["first"], *pairs["second"]]))
    place = {name: a for a, name in enumerate(names)}
    shares = np.eye(len(names))
    for first, second, share in zip(pairs["first"], pairs["second"], pairs["share"], strict=True):
        a, b = place[first], place[second]
        shares[a, b] = shares[b, a] = share
    return names, shares
