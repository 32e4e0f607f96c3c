"""How surely records belong to their clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from galileomix._fitted.fitted_model import model_of
from galileomix._model.params import Floats
from galileomix.plots._drawing import (
    BLUE,
    ORANGE,
    PALE,
    cluster_labels,
    drawing,
    in_percent,
    shown_of,
)
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVELS = (0.95, 0.7)
"""The probabilities from which a record's cluster is sure, and likely."""
GROUPS = {"sure: 95 % or more": BLUE, "likely: 70 % or more": PALE, "doubtful": ORANGE}


def certainty(model: FittedGalileo, X: Any, *, most: int = 30, ax: Axes | None = None) -> Axes:
    """Draw how surely the records of a table belong to their clusters.

    Each record is in its most probable cluster; how probable that is tells how sure it is. A
    cluster with many doubtful records overlaps with others.

    Parameters
    ----------
    model : Galileo
        A fitted model.
    X : table
        As in `Galileo.fit`.
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
    >>> plots.certainty(Galileo(random_state=0).fit(table), table).get_title()
    'How sure the clusters of 100 records are: 100 % of them at 95 % or more'
    """
    probabilities = model.predict_proba(X)
    components = model.components()[:most]
    shares = _shares(probabilities)[: len(components)]
    places, left = np.arange(len(components)), np.zeros(len(components))
    with drawing(ax, 9.4, 1.6 + 0.32 * len(components)) as ax:
        for (name, color), share in zip(GROUPS.items(), shares.T, strict=True):
            ax.barh(places, share, 0.78, left, color=color, label=name)
            left = left + share
        ax.set_yticks(places, cluster_labels(components))
        ax.set(xlim=(0, 1), ylim=(len(components) - 0.4, -0.6))
        few = shown_of(len(components), model_of(model).k, "clusters")
        ax.set_xlabel(f"records of the cluster{few and f' ({few})'}")
        in_percent(ax)
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
        sure = 100 * float(np.mean(probabilities.max(axis=1) >= LEVELS[0]))
        of_all = f"{sure:.0f} % of them at {100 * LEVELS[0]:.0f} % or more"
        ax.set_title(f"How sure the clusters of {len(probabilities):,} records are: {of_all}")
    return ax


def _shares(probabilities: Floats) -> Floats:
    """Return which shares of each cluster's records are sure, likely and doubtful, (k, 3)."""
    label, greatest = probabilities.argmax(axis=1), probabilities.max(axis=1)
    group = (greatest[:, None] < LEVELS).sum(axis=1)
    counts = np.zeros((probabilities.shape[1], len(GROUPS)))
    np.add.at(counts, (label, group), 1.0)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
