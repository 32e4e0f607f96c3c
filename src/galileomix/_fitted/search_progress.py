"""Progress: while a table is read, and while a model is searched for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from galileomix._fitted.results import Progress
from galileomix._fitted.watch import Watch
from galileomix._model.em import Fit
from galileomix._table import Reading
from galileomix._words import counted

ProgressOption = bool | Callable[[Any], Any]
"""The parameter ``progress`` of an estimator: False, True for stderr, or a function."""


def notifier(
    progress: ProgressOption,
    value: Callable[[Fit], float],
    criterion: str,
    n_passes: Callable[[], int],
    watch: Watch,
) -> Callable[[Fit], None]:
    """Return what the search calls with its best fit so far; a function may end it by False.

    The function is called with the same fit again from time to time, so that it may end a search
    whatever that is doing.
    """
    if progress is False:
        return lambda fit: None
    report = _printer() if progress is True else progress
    last: tuple[int, float] | None = None

    def tell() -> None:
        if last is not None and report(Progress(last[0], criterion, last[1], n_passes())) is False:
            watch.stop()

    def notify(fit: Fit) -> None:
        nonlocal last
        last = (fit.k, value(fit))
        tell()

    watch.beat = tell
    return notify


def reading_notifier(progress: ProgressOption) -> Callable[[Reading], None] | None:
    """Return what is called while a table is read, or None."""
    if progress is False:
        return None
    return _print_reading if progress is True else progress


def _printer() -> Callable[[Progress], None]:
    """Return what prints a line whenever there is a better model."""
    last = ""

    def show(step: Progress) -> None:
        nonlocal last
        line = f"best so far: k = {step.k}, {step.criterion} {step.value:.6g}"
        if line != last:
            print(f"{line} ({counted(step.n_passes, 'pass', 'passes')})", file=sys.stderr)
        last = line

    return show


def _print_reading(reading: Reading) -> None:
    terminal = sys.stderr.isatty()
    if reading.done or terminal:
        end = "\n" if reading.done else "\r"
        print(f"{reading}\x1b[K" if terminal else reading, end=end, file=sys.stderr)
