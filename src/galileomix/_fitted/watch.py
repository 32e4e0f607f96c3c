"""When a search ends before it does by itself: its time is up, or somebody says so."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from galileomix._model.outlook import Outlook
from galileomix._model.search import Stopped
from galileomix._warn import warn
from galileomix.errors import GalileoWarning

BEAT = 0.25
"""Seconds after which ``beat`` is called again."""


class Watch:
    """Looks at the time from now on; `check` raises `Stopped` when searches have to end.

    ``spent`` is the seconds that a fit took before it was taken up again.
    """

    def __init__(self, time_limit: float | None = None, spent: float = 0.0) -> None:
        self._beaten = time.monotonic()
        self._began = self._beaten - spent
        self._time_limit = time_limit
        self.beat: Callable[[], None] = _nothing
        self.outlook = Outlook()  # of the search that is under way
        self._told = False
        self._why = ""

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return time.monotonic() - self._began

    @property
    def seconds_to_limit(self) -> float:
        """The time until searches have to end; infinite where there is no limit."""
        return math.inf if self._time_limit is None else self._time_limit - self.seconds

    @property
    def has_stopped(self) -> bool:
        """Whether a search was ended."""
        return bool(self._why)

    def stop(self) -> None:
        """End searches before their next pass."""
        self._told = True

    def enter(self, phase: str) -> None:
        """Begin another phase of a fit, and tell of it."""
        self.outlook.phase = phase
        self.beat()

    def check(self) -> None:
        """Raise `Stopped` if a search has to end; from time to time, call ``beat`` before."""
        now = time.monotonic()
        if now - self._beaten >= BEAT:
            self._beaten = now
            self.beat()
        if self._told:
            self._why = "by its progress function"
        elif self._time_limit is not None and self.seconds >= self._time_limit:
            self._why = f"by time_limit={self._time_limit:g}"
        if self._why:
            raise Stopped

    def tell(self) -> None:
        """Warn of a search that was ended."""
        if self._why:
            said = f"the search was stopped {self._why}: this is the best model it had"
            warn(said, GalileoWarning)


def _nothing() -> None:
    """Do nothing from time to time."""
