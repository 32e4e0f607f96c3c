"""How surprising records are, and which of them are anomalies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

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
    odd = found > (np.inf if limit is None else -limit)
    with drawing(ax, 7.2, 3.8) as ax:
        n_bins = int(min(2 * np.sqrt(len(found)) + 1, MOST_BINS))
        edges = np.histogram_bin_edges(found, n_bins).tolist()
        ax.hist(found[~odd], edges, color=PALE, edgecolor="white", linewidth=0.4, label="usual")
        if odd.any():
            ax.hist(found[odd], edges, color=VERMILION, label="anomalies")
        if limit is not None:
            edge, right = -limit, float(found.max())
            far = edge > right + FAR * (right - float(found.min()))
            name = f"limit: {edge:.3g}{', beyond the edge' if far else ''}"
            ax.axvline(edge, color=VERMILION, linestyle="--", linewidth=1.2, label=name)
            ax.set_xlim(right=right if far else None)
            # The limit may lie behind the legend: it is not to cross the text.
            ax.legend(loc="upper right", frameon=True, framealpha=1.0, edgecolor="none")
        ax.set_yscale("log")  # so that a single record can be seen beside thousands
        ax.set(xlabel="surprise (with every unit records are e times rarer)", ylabel="records")
        ax.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}" if y >= 1 else "")
        ax.set_ylim(bottom=0.6)
        ax.set_title(_title(len(found), int(odd.sum()), limit is not None))
    return ax


def _title(n: int, n_odd: int, limited: bool) -> str:
    records = f"{n:,} {'record' if n == 1 else 'records'}"
    if not limited:
        return f"How surprising {records} are"
    found = f"{n_odd:,} {'anomaly' if n_odd == 1 else 'anomalies'}" if n_odd else "No anomaly"
    return f"{found} among {records}"
