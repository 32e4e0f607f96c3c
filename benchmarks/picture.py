"""Draw docs/images/mushroom.png, a picture of the README: ``python -m benchmarks.picture``."""

from __future__ import annotations

import pathlib

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from galileomix import Galileo
from galileomix._fitted.results import Path
from galileomix.datasets import load_mushroom

PICTURE = pathlib.Path(__file__).parents[1] / "docs" / "images" / "mushroom.png"
EDIBLE, POISONOUS, INK = "#2a78b5", "#d1495b", "#30343b"
CURVES = {"density": "#2e7d4f", "aic": "#c98a1b", "bic": "#6a4c93"}
STYLE = {
    "font.size": 12,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#9aa0a8",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}


def draw(model: Galileo, edible: pd.Series) -> Figure:
    """Draw the path of a fit and the components it chose."""
    # A white ground, so that it reads in GitHub's dark mode too.
    figure = Figure(figsize=(14, 6.4), dpi=100, facecolor="white", layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.1))
    above = figure.add_subplot(grid[0, 0])
    below = figure.add_subplot(grid[1, 0], sharex=above)
    draw_path(above, below, model.path_, model.n_components_)
    draw_components(figure.add_subplot(grid[:, 1]), model.labels_, edible)
    return figure


def draw_path(above: Axes, below: Axes, path: Path, chosen: int) -> None:
    """Draw the density above, AIC and BIC below, against k; a dot at the best of each."""
    frame = path.to_frame().set_index("k")
    for axes, name in ((above, "density"), (below, "bic"), (below, "aic")):
        curve = frame[name] if name == "density" else frame[name] / 1000
        best = path.best(name)
        label = f"{name.upper()}, least of this path at k = {best}"
        axes.plot(curve.index, curve, color=CURVES[name], label=label)
        axes.plot(best, curve[best], "o", color=CURVES[name], markersize=8)
    for axes in (above, below):
        axes.axvline(chosen, color="#c4c8ce", linestyle="--", linewidth=1.2, zorder=0)
    above.annotate(
        f"chosen: k = {chosen}, density {frame['density'][chosen]:.3f}",
        (chosen, frame["density"][chosen]),
        xytext=(-10, -34),
        textcoords="offset points",
        horizontalalignment="right",
    )
    above.set(ylabel="mean density", title="Mushroom, 8124 records: how many clusters?")
    above.tick_params(labelbottom=False)
    below.set(xlabel="components, k", ylabel="AIC, BIC / 1000")
    below.legend()


def draw_components(axes: Axes, labels: np.ndarray, edible: pd.Series) -> None:
    """Draw the components as bars, largest on top, coloured by what most of their records are."""
    sizes = np.bincount(labels)
    share = np.bincount(labels, weights=edible.to_numpy()) / sizes
    order = np.argsort(-sizes, kind="stable")
    colors = [EDIBLE if share[i] > 0.5 else POISONOUS for i in order]
    bars = axes.barh(np.arange(len(order)), sizes[order], color=colors, height=0.78)
    axes.bar_label(bars, padding=4, fontsize=11)
    axes.set(yticks=[], ylim=(len(order) - 0.4, -0.6), xlabel="records", ylabel="component")
    axes.set_title(f"The {len(order)} clusters")
    pure = bool(np.all((share == 0) | (share == 1)))
    kinds = [Patch(color=EDIBLE, label="edible"), Patch(color=POISONOUS, label="poisonous")]
    # The class is no discovery: the paper clusters on it too.
    title = f"{'all' if pure else 'most'} records are\n(one of the 23 columns fitted)"
    axes.legend(handles=kinds, loc="lower right", title=title)


def main() -> None:
    """Fit mushroom, draw it, keep the picture."""
    mushroom = load_mushroom()
    model = Galileo(criterion="density", random_state=0).fit(mushroom.data)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        draw(model, mushroom.target == "edible").savefig(PICTURE)


if __name__ == "__main__":
    main()
