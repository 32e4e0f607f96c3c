"""How surprising records are, and which of them are anomalies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from galileomix._model.params import Floats
from galileomix.errors import ParameterError
from galileomix.plots._drawing import PALE, VERMILION, drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BINS = 60
FAR = 0.5
"""A limit that is this many times the range beyond all records is not worth the room."""


def surprise(scores: Any, limit: float | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw how surprising records are, the anomalies marked.

    Parameters
    ----------
    scores : array of shape (n_rows,)
        How usual each record is, such as ``scores_`` of a `GalileoDetector`, or what its
        ``score_samples`` returns: the lower, the more a record stands out; with every unit
        records are about e times rarer.
    limit : float, optional
        Records with a lower score are anomalies, such as ``offset_`` of a detector.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import plots
    >>> plots.surprise([-0.1, 0.2, -0.3, -9.0], limit=-5.0).get_title()
    '1 anomaly among 4 records'
    """
    found = -np.asarray(scores, dtype=np.float64)
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise ParameterError("scores: they must be a list of finite numbers, one for each record")
    edge = np.inf if limit is None else -limit
    odd = found > edge
    with drawing(ax, 7.2, 3.8) as ax:
        edges = _edges(found, edge)
        if not odd.all():
            usual = edges[edges <= edge].tolist()
            ax.hist(found[~odd], usual, color=PALE, edgecolor="white", linewidth=0.4, label="usual")
        if odd.any():
            ax.hist(found[odd], edges[edges >= edge].tolist(), color=VERMILION, label="anomalies")
        if limit is not None:
            _mark(ax, edge, found)
        ax.set_yscale("log")  # so that a single record can be seen beside thousands
        ax.set(xlabel="surprise (with every unit records are e times rarer)", ylabel="records")
        ax.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}" if y >= 1 else "")
        ax.set_ylim(bottom=0.6)
        ax.set_title(_title(len(found), int(odd.sum()), limit is not None))
    return ax


def _edges(found: Floats, limit: float) -> Floats:
    """Return the edges of bins; the limit is one of them, so that no bar lies on both sides."""
    edges = np.histogram_bin_edges(found, int(min(2 * np.sqrt(len(found)) + 1, MOST_BINS)))
    if not edges[0] <= limit < edges[-1]:
        return edges
    width = edges[1] - edges[0]
    left, right = np.ceil(np.array([limit - edges[0], edges[-1] - limit]) / width)
    shifted = limit + width * np.arange(-max(left, 1), right + 1)
    shifted[[0, -1]] = min(shifted[0], edges[0]), max(shifted[-1], edges[-1])
    return shifted


def _mark(ax: Axes, limit: float, found: Floats) -> None:
    """Draw the limit; where it is far beyond all records the legend alone says where it is."""
    room = ax.get_xlim()
    far = limit > found.max() + FAR * (found.max() - found.min())
    name = f"limit: {limit:.3g}{', beyond the edge' if far else ''}"
    ax.axvline(limit, color=VERMILION, linestyle="--", linewidth=1.2, label=name)
    if far:
        ax.set_xlim(room)
    # The limit may lie behind the legend: it is not to cross the text.
    ax.legend(loc="upper right", frameon=True, framealpha=1.0, edgecolor="none")


def _title(n: int, n_odd: int, limited: bool) -> str:
    records = f"{n:,} {'record' if n == 1 else 'records'}"
    if not limited:
        return f"How surprising {records} are"
    found = f"{n_odd:,} {'anomaly' if n_odd == 1 else 'anomalies'}" if n_odd else "No anomaly"
    return f"{found} among {records}"
