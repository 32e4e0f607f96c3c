"""Progress of commands, on stderr: on a terminal unless it is refused, in a log if asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import click

from galileomix._cli.options import ASKED_FOR_PROGRESS
from galileomix._cli.stop import searching
from galileomix._cli.terminal import print_line
from galileomix._fitted.visible_text import visible
from galileomix._progress import Progress, Report, shown
from galileomix._words import counted


@contextmanager
def reporting(name: str, output: str | None = None) -> Generator[Report | None]:
    """Give what shows progress; None where nothing is to be shown.

    ``output`` is where rows are written meanwhile: a terminal cannot show both.
    """
    rows_are_shown = output == "-" and sys.stdout.isatty()
    with shown(_is_wanted() and not rows_are_shown, visible(name)) as report:
        yield report


def _is_wanted() -> bool:
    context = click.get_current_context(silent=True)
    asked = context.meta.get(ASKED_FOR_PROGRESS) if context else None
    return sys.stderr.isatty() if asked is None else asked


@contextmanager
def fit_progress(source: Any, name: str) -> Generator[Callable[[Progress], bool]]:
    """Give the parameter ``progress`` of a fit. Ctrl-C ends the search.

    Where stderr is not a terminal, one line says what is fitted.
    """

    def begin(n_rows: int) -> None:
        size = f"{counted(n_rows, 'record')}, {counted(len(source.names), 'column')}"
        if not sys.stderr.isatty():
            print_line(f"fitting {name}: {size} ...", stderr=True)

    with reporting(name) as report, searching() as asked_to_end:

        def progress(step: Progress) -> bool:
            if report is not None:
                report(step)
            if step.phase == "encoding" and step.done:
                begin(step.rows)
            return step.value is None or not asked_to_end()

        if source.n_rows is not None:
            begin(source.n_rows)
        yield progress
