"""What commands print: lines, tables and JSON."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from galileomix._fitted.visible_text import visible

WIDTH_OF_A_FILE, LEAST_WIDTH = 140, 60
"""Columns to print where stdout is not a terminal, and on one of fewer, whose lines then wrap."""


def stdout_console() -> Console:
    """Return what prints on stdout; where that is a file, its lines are long."""
    console = Console()
    width = max(console.width, LEAST_WIDTH) if console.is_terminal else WIDTH_OF_A_FILE
    return Console(highlight=False, emoji=False, width=width)


def print_line(text: str, *, stderr: bool = False) -> None:
    """Print one line, however long it is, above whatever shows progress."""
    print(visible(text), file=sys.stderr if stderr else sys.stdout, flush=True)


def as_text(text: str) -> str:
    r"""Return text for a table: nothing in it is taken for markup, or orders the terminal around.

    Examples
    --------
    >>> print(as_text("[bold]\x1b"))
    \[bold]⟨U+001B⟩
    """
    return escape(visible(text))


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
