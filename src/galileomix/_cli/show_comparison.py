"""A comparison of clustering methods in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from galileomix._cli.terminal import as_text, print_json, print_line, stdout_console
from galileomix._words import counted
from galileomix.baselines._comparison import Comparison, MethodResult

# The heading, the field, how it is written, and whether the greatest or the least is the best.
FIGURES = (
    ("ARI", "ari", "z.3f", max),
    ("category utility", "category_utility", "z.4f", max),
    ("mean density", "density", ".4g", max),
    ("BIC", "bic", "z.1f", min),
    ("time, s", "seconds", "z.2f", min),
)
WHERE_FROM = {"you": "as you asked", "the classes": "the number of true classes"}


def show_comparison(name: str, found: Comparison, as_json: bool) -> None:
    """Print the methods that ran, the best first, then why others did not; or all as JSON."""
    if as_json:
        print_json({"name": name, **asdict(found)})
        return
    ran = [result for result in found.methods if result.ran]
    size = f"{counted(found.n_rows, 'record')}, {counted(found.n_attributes, 'column')}"
    stdout_console().print(_table(f"{name}: {size}", ran))
    where_from = WHERE_FROM.get(found.n_clusters_from, "the number that Galileo found")
    print_line(f"Methods that need the number of clusters got {found.n_clusters}, {where_from}.")
    if any(result.outliers for result in ran):
        print_line("The outliers of a method count as one more cluster in every measure.")
    for result in found.methods:
        if not result.ran:
            print_line(f"{result.method} did not run: {result.note}")


def _table(title: str, ran: Sequence[MethodResult]) -> Table:
    table = Table(title=as_text(title), title_justify="left")
    table.add_column("method", no_wrap=True)
    figures = [
        figure for figure in FIGURES if any(getattr(row, figure[1]) is not None for row in ran)
    ]
    for heading in ("clusters", "outliers", *(figure[0] for figure in figures)):
        table.add_column(heading, justify="right")
    table.add_column("note")
    for row in ran:
        cells = [_cell(row, ran, *figure[1:]) for figure in figures]
        table.add_row(row.method, str(row.k), str(row.outliers), *cells, as_text(row.note))
    return table


def _cell(
    row: MethodResult,
    rows: Sequence[MethodResult],
    field: str,
    form: str,
    best: Callable[[list[Any]], Any],
) -> str:
    """Return a figure, in bold where none is better."""
    value = getattr(row, field)
    if value is None:
        return ""
    values = [getattr(other, field) for other in rows if getattr(other, field) is not None]
    text, first = format(value, form), format(best(values), form)
    return f"[bold]{text}[/bold]" if text == first else text
