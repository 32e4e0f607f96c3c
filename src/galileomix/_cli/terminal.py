"""What commands show: tables and JSON on stdout, a status line on stderr."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from galileomix._cli.stop import searching
from galileomix._fitted.results import Progress
from galileomix._table import Reading
from galileomix._words import counted

WIDTH_OF_A_FILE = 140
"""Columns to print where stdout is not a terminal."""
CRITERIA = {"density": "density", "aic": "AIC", "bic": "BIC"}
"""How criteria are written."""


def stdout_console() -> Console:
    """Return what prints on stdout; where that is a file, its lines are long."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDTH_OF_A_FILE)


def print_line(text: str, *, stderr: bool = False) -> None:
    """Print one line, however long it is."""
    Console(highlight=False, soft_wrap=True, stderr=stderr).print(escape(text))


def print_json(data: Any) -> None:
    """Print data as JSON."""
    click.echo(json.dumps(finite(data), indent=2, default=str, allow_nan=False))


def finite(value: Any) -> Any:
    """Replace numbers that JSON does not have, such as an infinite density, by None."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextmanager
def status_line(name: str) -> Generator[Callable[[str], None]]:
    """Give a function that shows what is being done; only a terminal shows it."""
    with Console(stderr=True).status(escape(name)) as status:
        yield lambda doing: status.update(escape(f"{name}: {doing}"))


@contextmanager
def fit_progress(source: Any, name: str) -> Generator[Callable[[Progress | Reading], bool]]:
    """Give the parameter ``progress`` of a fit: it shows the reading, then the best model so far.

    Where stderr is not a terminal, one line says what is fitted. Ctrl-C ends the search.
    """
    size = ""

    def begin(n_rows: int) -> None:
        nonlocal size
        size = f"{counted(n_rows, 'record')}, {counted(len(source.names), 'column')}"
        if not Console(stderr=True).is_terminal:
            print_line(f"fitting {name}: {size} ...", stderr=True)

    with status_line(name) as show, searching() as asked_to_end:

        def progress(step: Progress | Reading) -> bool:
            if isinstance(step, Reading):
                show(str(step))
                if step.done and step.stage == "encode":
                    begin(step.rows)
                return True
            best = f"{counted(step.k, 'cluster')}, {CRITERIA[step.criterion]} {step.value:.6g}"
            show(f"{size}; best so far: {best} ({counted(step.n_passes, 'pass', 'passes')})")
            return not asked_to_end()

        if source.n_rows is not None:
            begin(source.n_rows)
        yield progress
