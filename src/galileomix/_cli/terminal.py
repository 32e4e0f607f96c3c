"""What commands print: lines, tables and JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from galileomix._fitted.visible_text import visible

WIDTH_OF_A_FILE = 140
"""Columns to print where stdout is not a terminal."""


def stdout_console() -> Console:
    """Return what prints on stdout; where that is a file, its lines are long."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDTH_OF_A_FILE)


def print_line(text: str, *, stderr: bool = False) -> None:
    """Print one line, however long it is."""
    Console(highlight=False, soft_wrap=True, stderr=stderr).print(as_text(text))


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
