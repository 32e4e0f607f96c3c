"""Progress as lines of a log: few of them, on stderr."""

from __future__ import annotations

import sys
import time

from galileomix._progress.progress import Progress

EVERY = 10.0
"""Seconds between two lines."""


class LogDisplay:
    """Prints a line at the beginning, one now and then, and one at the end."""

    def __init__(self, name: str = "") -> None:
        self._name = name
        self._printed = -EVERY  # when; before anything else
        self._part: str | None = None
        self._last: Progress | None = None
        self._line = ""

    def show(self, step: Progress) -> None:
        """Print a line if a part begins or ends, or if the last line is some seconds old."""
        self._last = step
        now = time.monotonic()
        if step.part != self._part or step.done or now - self._printed >= EVERY:
            self._part, self._printed = step.part, now
            self._print()

    def close(self, finished: bool) -> None:
        """Print the last progress, unless that was done; where work failed, an error follows."""
        if finished:
            self._print()

    def _print(self) -> None:
        line = str(self._last or "")
        if line != self._line:
            self._line = line
            print(": ".join(filter(None, (self._name, line))), file=sys.stderr, flush=True)
