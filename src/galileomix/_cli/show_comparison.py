"""A comparison of methods in the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from galileomix._cli.show import finite, stdout_console
from galileomix._words import counted
from galileomix.baselines._comparison import Comparison, MethodResult

# The heading, the field, how it is written, and whether more or less is better.
FIGURES = (
    ("ARI", "ari", "z.3f", max),
    ("category utility", "category_utility", "z.4f", max),
    ("mean density", "density", ".4g", max),
    ("BIC", "bic", "z.1f", min),
    ("time, s", "seconds", "z.2f", min),
)


@contextmanager
def telling(name: str) -> Generator[Callable[[str], None]]:
    """Give what tells on stderr which method is at work, where that is a terminal."""
    with Console(stderr=True).status(escape(name)) as status:
        yield lambda method: status.update(escape(f"{name}: {method} ..."))


def to_json(name: str, found: Comparison) -> str:
    """Return a comparison as JSON text."""
    return json.dumps(finite({"name": name, **asdict(found)}), indent=2, allow_nan=False)


def print_comparison(name: str, found: Comparison) -> None:
    """Print the methods that ran, the best first, then why others did not."""
    console = stdout_console()
    ran = [each for each in found.methods if each.ran]
    what = f"{counted(found.n_rows, 'record')}, {counted(found.n_attributes, 'attribute')}"
    console.print(_table(f"{name}: {what}", ran))
    told = f"Methods that must be told how many clusters there are were told {found.n_clusters}"
    source = {"you": "as you asked", "the classes": "as many as there are classes"}
    console.print(f"{told}, {source.get(found.told_by, 'as many as Galileo found')}.")
    if any(each.outliers for each in ran):
        console.print("The outliers of a method count as one more cluster in every measure.")
    for each in found.methods:
        if not each.ran:
            console.print(escape(f"{each.method} did not run: {each.note}"), soft_wrap=True)


def _table(title: str, ran: list[MethodResult]) -> Table:
    table = Table(title=escape(title), title_justify="left")
    table.add_column("method", no_wrap=True)
    for heading in ("k", "outliers"):
        table.add_column(heading, justify="right")
    shown = [each for each in FIGURES if any(getattr(row, each[1]) is not None for row in ran)]
    for heading, *_ in shown:
        table.add_column(heading, justify="right")
    table.add_column("note")
    for each in ran:
        cells = [_cell(each, ran, *figure[1:]) for figure in shown]
        table.add_row(each.method, str(each.k), str(each.outliers), *cells, escape(each.note))
    return table


def _cell(
    row: MethodResult,
    rows: list[MethodResult],
    field: str,
    form: str,
    best: Callable[[list[str]], str],
) -> str:
    """Return a figure, in bold where none is better."""
    value = getattr(row, field)
    if value is None:
        return ""
    values = [getattr(each, field) for each in rows if getattr(each, field) is not None]
    text, first = format(value, form), format(best(values), form)
    return f"[bold]{text}[/bold]" if text == first else text
