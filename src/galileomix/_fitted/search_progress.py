"""What is told of a search: the best model so far, and how long it will still take."""

from __future__ import annotations

from collections.abc import Callable

from galileomix._fitted.time_left import TimeLeft
from galileomix._fitted.watch import Watch
from galileomix._model.em import Fit
from galileomix._progress import Progress, Report

SEARCHES = ("growing", "improving", "annealing")
"""The phases whose passes are those of the search."""


def notifier(
    report: Report | None,
    value: Callable[[Fit], float],
    criterion: str,
    n_passes: Callable[[], int],
    watch: Watch,
) -> Callable[[Fit], None]:
    """Return what the search calls with its best fit so far; a report may end it by False.

    A search may find better fits a hundred times a second. Of a phase the first and the last are
    reported, and in between the best so far from time to time, so that the report may end a search
    whatever that is doing.
    """
    if report is None:
        return lambda fit: None
    teller = _Teller(report, criterion, n_passes, watch)
    watch.beat = teller.beat
    return lambda fit: teller.note(fit.k, value(fit))


class _Teller:
    """Reports the best fit, not more often than somebody can read it."""

    def __init__(
        self, report: Report, criterion: str, n_passes: Callable[[], int], watch: Watch
    ) -> None:
        self._report, self._criterion = report, criterion
        self._n_passes, self._watch = n_passes, watch
        self._time_left = TimeLeft()
        self._k, self._value = 0, 0.0  # no fit yet
        self._passes, self._searches = 0, True
        self._phase = ""  # that was reported last
        self._held: Progress | None = None  # what was not reported, of the same phase

    def note(self, k: int, value: float) -> None:
        """Take over the best fit; report it where a phase begins."""
        self._k, self._value = k, value
        self._tell(at_once=False)

    def beat(self) -> None:
        """Report the best fit, if there is one."""
        if self._k:
            self._tell(at_once=True)

    def _tell(self, at_once: bool) -> None:
        step = self._step()
        begins = step.phase != self._phase
        if begins and self._held is not None:
            self._send(self._held)
        self._held = step
        if begins or at_once:
            self._send(step)

    def _send(self, step: Progress) -> None:
        self._phase, self._held = step.phase, None
        if self._report(step) is False:
            self._watch.stop()

    def _step(self) -> Progress:
        if self._searches:
            self._passes = self._n_passes()
        self._searches = self._watch.outlook.phase in SEARCHES
        return Progress(
            self._watch.outlook.phase,
            self._watch.seconds,
            *_outlook(self._time_left, self._watch),
            k=self._k,
            criterion=self._criterion,
            value=self._value,
            n_passes=self._passes,
        )


def _outlook(time_left: TimeLeft, watch: Watch) -> tuple[float | None, float | None, bool]:
    """Return the share of a fit that is done, how long it will still take, and whether that is all.

    A limit in seconds says no more than that a longer search will be cut short.
    """
    if watch.outlook.phase == "fitted":
        return 1.0, 0.0, True
    seconds = watch.seconds
    left = time_left.seconds(watch.outlook, seconds)
    if left is None:
        return None, None, False
    left = max(min(left, watch.seconds_to_limit), 0.0)
    return seconds / (seconds + left), left, False
