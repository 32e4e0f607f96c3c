"""What is told of a search: the best model so far, and how long it will still take."""

from __future__ import annotations

from collections.abc import Callable

from galileomix._fitted.time_left import TimeLeft
from galileomix._fitted.watch import Watch
from galileomix._model.em import Fit
from galileomix._progress import Progress, Report


def notifier(
    report: Report | None,
    value: Callable[[Fit], float],
    criterion: str,
    n_passes: Callable[[], int],
    watch: Watch,
) -> Callable[[Fit], None]:
    """Return what the search calls with its best fit so far; a report may end it by False.

    The report is made again with the same fit from time to time, so that it may end a search
    whatever that is doing.
    """
    if report is None:
        return lambda fit: None
    best: tuple[int, float] | None = None
    time_left = TimeLeft()

    def tell() -> None:
        if best is None:
            return
        step = Progress(
            watch.outlook.phase,
            watch.seconds,
            *_outlook(time_left, watch),
            k=best[0],
            criterion=criterion,
            value=best[1],
            n_passes=n_passes(),
        )
        if report(step) is False:
            watch.stop()

    def notify(fit: Fit) -> None:
        nonlocal best
        best = (fit.k, value(fit))
        tell()

    watch.beat = tell
    return notify


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
