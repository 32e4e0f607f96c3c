"""The map of all clusters: what is unusual about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from galileomix._fitted.differences import Raised, differences, raised, separation
from galileomix._fitted.fitted_model import FittedModel, model_of
from galileomix._model.params import Ints
from galileomix.plots._drawing import SHADES, cluster_labels, drawing, label, shown_of
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LETTERS, FEWEST_LETTERS = 12, 4
LETTERS_PER_INCH, LINES_PER_INCH = 13, 8
"""Of the small text in the cells."""
WORTH_A_WORD = 0.25
"""Cells that differ by less are left blank."""
DARK = 0.72
"""From this difference on text is white, before that black: its contrast is always above 4.5."""


def profile(model: FittedGalileo, *, most: int = 24, ax: Axes | None = None) -> Axes:
    """Draw clusters against attributes: the darker a cell, the more it differs from all records.

    The difference is the share of the cluster's records whose value would have to change for it to
    be like the whole table. A cell names a value that is more common than there, with its share
    where fewer than half of the records have it, or one that is absent, or it has the mean of a
    number, with an arrow. Attributes that set clusters apart most come first.

    Parameters
    ----------
    model : Galileo
        A fitted model.
    most : int, default=24
        The most clusters and the most attributes to draw: the largest, and those that tell most.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import Galileo, plots
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> ax = plots.profile(Galileo(random_state=0).fit(table))
    >>> [text.get_text() for text in ax.texts]
    ['a', 'x', 'b', 'y']
    """
    fitted, components = model_of(model), model.components()[:most]
    away = differences(fitted)
    tells = separation(fitted).round(2)  # as the report orders them
    columns = np.argsort(-tells, kind="stable")[:most]
    shown = away[: len(components), columns]
    names = [label(fitted.schema.names[a], 26) for a in columns]
    width, height = 4.2 + 0.62 * len(names), 1.9 + 0.34 * len(components)
    with drawing(ax, min(width, 19.0), height) as ax:
        image = ax.imshow(shown, cmap=SHADES, vmin=0.0, vmax=1.0, aspect="auto")
        ax.set_xticks(range(len(names)), names, rotation=40, ha="left", rotation_mode="anchor")
        ax.xaxis.tick_top()
        ax.set_yticks(range(len(components)), cluster_labels(components))
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        _name_values(ax, fitted, shown, columns)
        bar = ax.figure.colorbar(image, ax=ax, shrink=min(1.0, 2.5 / height), pad=0.01)
        bar.set_label("differs from\nall records")
        ax.set_title("What is unusual about each cluster", pad=10)
        ax.set_xlabel(_left_out(fitted, len(components), len(columns)))
    return ax


def _left_out(fitted: FittedModel, k: int, n: int) -> str:
    """Return how many clusters and attributes are shown, where that is not all."""
    few = (shown_of(k, fitted.k, "clusters"), shown_of(n, len(fitted.schema.names), "attributes"))
    return ", ".join(filter(None, few))


def _name_values(ax: Axes, fitted: FittedModel, shown: np.ndarray, columns: Ints) -> None:
    """Write into each unusual cell what there is more of, where there is room for text."""
    extent = ax.get_window_extent()
    k, n = shown.shape
    letters = min(int(extent.width / ax.figure.dpi / n * LETTERS_PER_INCH), MOST_LETTERS)
    two_lines = extent.height / ax.figure.dpi / k * LINES_PER_INCH >= 2
    if letters < FEWEST_LETTERS:
        return
    for i, j in np.argwhere(shown >= WORTH_A_WORD).tolist():
        text = _text(raised(fitted, int(columns[j]), i), letters, two_lines)
        color = "white" if shown[i, j] >= DARK else "black"
        ax.text(j, i, text, ha="center", va="center", fontsize=7.5, linespacing=1.0, color=color)


def _text(found: Raised, letters: int, two_lines: bool) -> str:
    """Return a word and its share, below it or beside it; nothing where there is no room."""
    if not found.share or two_lines:
        return "\n".join(filter(None, (label(found.word, letters), found.share)))
    letters -= len(found.share) + 1
    return f"{label(found.word, letters)} {found.share}" if letters >= FEWEST_LETTERS else ""
