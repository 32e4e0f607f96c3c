"""Progress in a notebook: a bar with a line beside it, in plain HTML."""

from __future__ import annotations

import time
from dataclasses import dataclass
from html import escape
from typing import Any

from galileomix._progress.progress import Progress

EVERY = 0.25
"""Seconds after which the bar is drawn again."""
BAR = '<progress max="1" {value} style="width: 12em; vertical-align: middle"></progress>'


@dataclass(frozen=True)
class Bar:
    """What a notebook shows: a bar, or text where that is all it can show."""

    name: str
    step: Progress
    finished: bool = False

    @property
    def share(self) -> float | None:
        """How much of the bar is filled; None where that is not known."""
        return 1.0 if self.finished else self.step.share

    def __repr__(self) -> str:
        return ": ".join(filter(None, (self.name, str(self.step))))

    def _repr_html_(self) -> str:
        value = "" if self.share is None else f'value="{self.share:.3f}"'
        said = f'<span style="margin-left: 0.5em">{escape(repr(self))}</span>'
        return f"<div>{BAR.format(value=value)}{said}</div>"


class NotebookDisplay:
    """Shows a bar in the output of the cell that is running."""

    def __init__(self, name: str = "") -> None:
        self._name = name
        self._handle: Any = None
        self._drawn = -EVERY
        self._last: Progress | None = None

    def show(self, step: Progress) -> None:
        """Draw the bar, unless it was drawn a moment ago."""
        self._last = step
        if time.monotonic() - self._drawn >= EVERY:
            self._draw(Bar(self._name, step))

    def close(self, finished: bool) -> None:
        """Draw the last progress, with a full bar if the work is finished."""
        if self._last is not None:
            self._draw(Bar(self._name, self._last, finished))

    def _draw(self, bar: Bar) -> None:
        from IPython.display import display

        self._drawn = time.monotonic()
        if self._handle is None:
            self._handle = display(bar, display_id=True)
        else:
            self._handle.update(bar)
