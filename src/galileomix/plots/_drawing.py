"""What all plots share: matplotlib when it is there, axes to draw on, colours and labels."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from galileomix._fitted.visible_text import shown
from galileomix.errors import GalileoError, ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, GRAY, PALE = "#30343b", "#8b9098", "#c9cdd3"
# The colours of Okabe and Ito: people who do not tell red from green tell all of them apart.
BLUE, VERMILION, GREEN, ORANGE, PURPLE = "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7"
COLORS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, "#56b4e9", "#f0e442")
SHADES = "Blues"
"""A scale of colours, white to dark, that is the same to everybody and in grey."""
STYLE: dict[Any, Any] = {
    "font.size": 10.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GRAY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titleweight": "bold",
    "axes.titlesize": 11.5,
    "figure.facecolor": "white",  # so that it reads in a dark page too
    "legend.frameon": False,
    "xtick.color": INK,
    "ytick.color": INK,
}


def check_drawing() -> None:
    """Raise `GalileoError` where there is no matplotlib."""
    if find_spec("matplotlib") is None:
        raise GalileoError("plots need matplotlib, which is not installed: pip install matplotlib")


@contextmanager
def drawing(ax: Axes | None, width: float, height: float) -> Generator[Axes]:
    """Give axes to draw on: those that are given as they are, or new ones of a size in inches."""
    check_drawing()
    if ax is not None:
        _check_axes(ax)
        yield ax
        return
    from matplotlib import pyplot

    with styled():
        yield pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _check_axes(ax: object) -> None:
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise ParameterError(f"ax={ax!r:.60}: it must be the Axes of matplotlib, or None")


@contextmanager
def styled() -> Generator[None]:
    """Draw in our style, and leave matplotlib's settings as they were.

    Not by ``rc_context``: with the first figure a notebook says that it shows all figures, and
    this must stay so.
    """
    from matplotlib import rcParams

    before = {name: rcParams[name] for name in STYLE}
    rcParams.update(STYLE)
    try:
        yield
    finally:
        rcParams.update(before)


def label(text: object, most: int = 28) -> str:
    r"""Return text as a label: short, visible, and with no dollar taken for mathematics.

    Examples
    --------
    >>> print(label("pay in $ or €"))
    pay in \$ or €
    """
    return shown(text, most).replace("$", r"\$")


def in_percent(ax: Axes) -> None:
    """Write the numbers of the horizontal axis, which are shares, in percent."""
    ax.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")


def cluster_labels(components: Sequence[Any], most: int = 44) -> list[str]:
    """Return the number and the name of each component."""
    return [f"{component.label}: {label(component.name, most)}" for component in components]


def shown_of(shown: int, every: int, what: str) -> str:
    """Return that only some are shown; nothing where all are.

    Examples
    --------
    >>> shown_of(30, 200, "clusters"), shown_of(4, 4, "clusters")
    ('30 of 200 clusters', '')
    """
    return f"{shown} of {every} {what}" if shown < every else ""
