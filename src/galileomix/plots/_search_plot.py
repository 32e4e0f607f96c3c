"""The search: how far behind the best the model was, against the passes over the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from galileomix.errors import ParameterError
from galileomix.plots._drawing import BLUE, GRAY, drawing
from galileomix.plots._fitted_galileo import FittedGalileo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = {"aic": "AIC", "bic": "BIC", "density": "mean density"}
SMALL, SMALL_SHARE = 1.0, 1e-3
"""Where the scale becomes linear: of AIC and BIC, and of a density as a share of the whole way."""


def search(model: FittedGalileo, *, ax: Axes | None = None) -> Axes:
    """Draw how far the model was behind the best one, against the passes over the data.

    The curve falls as the search finds better models; a line marks when it found the last one.

    Parameters
    ----------
    model : Galileo
        A fitted model.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from galileomix import Galileo, plots
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> plots.search(Galileo(random_state=0).fit(table)).get_ylabel()
    'BIC behind the best model'
    """
    record, criterion = model.search_, model.path_.criterion
    if not record.trace:
        raise ParameterError(
            "nothing is known of how the search went: an earlier version saved the model, or it is "
            "of several searches; fit it again"
        )
    passes, values = np.array(record.trace).T
    behind = np.abs(values - values[-1])
    with drawing(ax, 7.2, 3.8) as ax:
        last = max(record.n_passes, int(passes[-1]))
        ax.step([*passes, last], [*behind, 0.0], where="post", color=BLUE, linewidth=1.8)
        ax.axvline(passes[-1], color=GRAY, linestyle="--", linewidth=1.2, zorder=0)
        small = SMALL if criterion != "density" else SMALL_SHARE * behind[0]
        ax.set_yscale("symlog", linthresh=max(small, np.finfo(float).tiny))
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
        ax.set_ylim(bottom=0)
        ax.set(xlabel="passes over the data", ylabel=f"{NAMES[criterion]} behind the best model")
        ax.set_title(f"The search: found after {int(passes[-1]):,} of {last:,} passes")
    return ax
