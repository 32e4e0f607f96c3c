"""Several pieces of work, one after the other, told as one."""

from __future__ import annotations

import time
from dataclasses import replace

from galileomix._progress.progress import Progress, Report


class Parts:
    """Tells of pieces of work as parts of one.

    Parameters
    ----------
    report : callable or None
        What is told; None where nobody listens.
    noun : str
        What a piece is called.
    total : int
        How many pieces there are.
    alike : bool
        Whether they take about as long as each other, so that those done say how long the others
        will take.

    Examples
    --------
    >>> parts = Parts(print, "method", 3)
    >>> parts.begin("clustering", "k-modes")
    method 1 of 3 (k-modes): clustering
    """

    def __init__(self, report: Report | None, noun: str, total: int, alike: bool = False) -> None:
        self.total = total
        self._report, self._noun, self._alike = report, noun, alike
        self._began = time.monotonic()
        self._done = -1  # pieces that are finished; none has begun
        self._took = 0.0  # seconds that those took
        self._part = ""

    def begin(self, phase: str, name: str = "") -> None:
        """Begin the next piece."""
        self._done, self._took = self._done + 1, time.monotonic() - self._began
        named = f" ({name})" if name else ""
        self._part = f"{self._noun} {self._done + 1} of {self.total}{named}"
        self.tell(Progress(phase, 0.0))

    @property
    def inner(self) -> Report | None:
        """What a piece reports its own progress to; None where nobody listens."""
        return None if self._report is None else self.tell

    def tell(self, step: Progress) -> object:
        """Pass on the progress of a piece; return what the listener answers."""
        if self._report is None:
            return None
        seconds = time.monotonic() - self._began
        whole = {"share": self._done / self.total, "seconds_left": self._seconds_left(seconds)}
        return self._report(replace(step, part=self._part, seconds=seconds, done=False, **whole))

    def _seconds_left(self, seconds: float) -> float | None:
        if not self._alike or self._done < 1:
            return None
        one = self._took / self._done
        this_one = max(one - (seconds - self._took), 0.0)
        return this_one + one * (self.total - self._done - 1)
