"""Items as text: in the terminal, as JSON, and as a page of Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from galileomix._reproduce.claims import Cell
from galileomix._reproduce.item import Grid, Item

WIDTH_OF_A_FILE = 160
"""Columns to print when the output is not a terminal."""
COLORS = {"reproduced": "green", "beaten": "cyan", "differs": "yellow"}
INTRO = """\
# Reproduction

Every table and figure of the results of the GALILEO paper (Savkli, Lin, Graff and Kinsey, 2017), \
its numbers beside ours. This page is written by `make reproduce`; `galileo reproduce NAME` \
computes one item and prints it. Every claim has one of three verdicts: **reproduced**, \
**beaten** (ours is better in the direction that counts), or **differs**, and why.

"The default search" is `Galileo` with a criterion; "as published" is `Galileo.as_published`, the \
paper's algorithm to the letter. Seeds are fixed, so all but times is the same on every run.
"""
HEADER = ("what", "paper", "ours", "verdict")


def written(cell: Cell) -> str:
    """Return a number as people read it.

    Examples
    --------
    >>> [written(cell) for cell in (None, 23, 10000, 0.326673602, 150731.141, "yes")]
    ['–', '23', '10 000', '0.32667', '150731.1', 'yes']
    """
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.5g}" if abs(cell) < 1e4 else f"{cell:.1f}"
    if isinstance(cell, int) and abs(cell) >= 10_000:
        return f"{cell:,}".replace(",", " ")
    return str(cell)


def to_json(items: Sequence[Item]) -> str:
    """Return items as JSON text: one object, or a list where there are several."""
    data = [item.to_dict() for item in items]
    return json.dumps(data[0] if len(data) == 1 else data, indent=2, allow_nan=False)


def print_item(item: Item) -> None:
    """Print an item: the claims with their verdicts, then the numbers."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH_OF_A_FILE)
    console.print(f"[bold]{escape(item.title)}[/bold] ({escape(item.source)})")
    console.print(escape(item.about))
    for grid in _grids(item):
        table = Table(title=escape(grid.title), title_justify="left")
        for name in grid.header:
            table.add_column(escape(name))
        for row in grid.rows:
            table.add_row(*(escape(written(cell)) for cell in row))
        console.print(table)
    color = COLORS[item.verdict.word]
    console.print(f"[{color}]{escape(item.name)}: {item.tally}[/{color}]\n")


def page(items: Sequence[Item], pictures: dict[str, str]) -> str:
    """Return all items as a page of Markdown; `pictures` has the path of each item's figure."""
    rows = tuple(
        (f"[{item.title}](#{_anchor(item.title)})", item.source, item.tally) for item in items
    )
    parts = [INTRO, _markdown(Grid("", ("item", "in the paper", "claims"), rows))]
    for item in items:
        parts += [f"## {item.title}", f"{item.source}. {item.about}"]
        for grid in _grids(item):
            parts += [f"{grid.title}:", _markdown(grid)]
        if item.name in pictures:
            parts.append(f"![{item.title}]({pictures[item.name]})")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _grids(item: Item) -> tuple[Grid, ...]:
    """Return the claims as a table, and the item's own tables after it."""
    rows = tuple((c.what, c.paper, c.ours, str(c.verdict)) for c in item.claims)
    return (Grid("What the paper says", HEADER, rows), *item.grids)


def _markdown(grid: Grid) -> str:
    """Return a table in Markdown."""
    lines = [grid.header, *(tuple(map(written, row)) for row in grid.rows)]
    text = ["| " + " | ".join(line) + " |" for line in lines]
    text.insert(1, "|" + "---|" * len(grid.header))
    return "\n".join(text)


def _anchor(title: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")
