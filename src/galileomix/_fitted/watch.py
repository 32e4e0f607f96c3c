"""When a search ends before it does by itself: its time is up, or somebody says so."""

from __future__ import annotations

import time

from galileomix._model.search import Stopped


class Watch:
    """Looks at the time from now on; `check` raises `Stopped` when the search has to end, once."""

    def __init__(self, time_limit: float | None = None) -> None:
        self._began = time.monotonic()
        self._time_limit = time_limit
        self._told = False
        self.why = ""

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return time.monotonic() - self._began

    def stop(self) -> None:
        """End the search before its next pass."""
        self._told = True

    def check(self) -> None:
        """Raise `Stopped` if the search has to end and was not told so before."""
        if self.why:
            return
        if self._told:
            self.why = "by its progress function"
        elif self._time_limit is not None and self.seconds >= self._time_limit:
            self.why = f"by time_limit={self._time_limit:g}"
        if self.why:
            raise Stopped
