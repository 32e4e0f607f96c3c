"""Small tables of HTML, as notebooks show results. All text is data and is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from galileomix._fitted.visible_text import shown

MOST_LETTERS = 160
"""Of a cell."""
OPEN = 15
"""A table of more rows is folded."""
CELL = "padding:0.15em 0.6em;vertical-align:top"
TEXT, NUMBER = f"{CELL};text-align:left", f"{CELL};text-align:right;white-space:nowrap"
BAR = "background:#0072b2;height:0.8em;min-width:1px"


class Markup(str):
    """HTML that is not to be escaped again."""


class Column(NamedTuple):
    """One column of a table: its heading, whether it holds text, and its cells."""

    heading: str
    is_text: bool
    cells: Sequence[object]


def table(
    caption: str, columns: Sequence[Column], strong: int | None = None, below: str = ""
) -> str:
    """Return a table with a caption; one row may be strong, and text may follow.

    Examples
    --------
    >>> "&lt;b&gt;" in table("Names", [Column("name", True, ["<b>"])])
    True
    >>> "empty" in table("Names", [Column("", True, [""])])
    False
    """
    heads = "".join(
        f'<th scope="col" style="{_style(column)}">{_shown(column.heading)}</th>'
        for column in columns
    )
    rows = zip(*(column.cells for column in columns), strict=True)
    body = "".join(_row(columns, row, n == strong) for n, row in enumerate(rows))
    found = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    is_open = " open" if len(columns[0].cells) <= OPEN else ""
    after = f"<p>{_shown(below)}</p>" if below else ""
    return f"<details{is_open}><summary>{_shown(caption)}</summary>{found}{after}</details>"


def bar(share: float) -> Markup:
    """Return a share as a bar."""
    return Markup(
        f'<div style="width:6em"><div style="{BAR};width:{100 * share:.1f}%"></div></div>'
    )


def lines(texts: Sequence[object]) -> Markup:
    """Return texts below one another."""
    return Markup("<br>".join(map(_shown, texts)))


def _row(columns: Sequence[Column], cells: Sequence[object], is_strong: bool) -> str:
    weight = ";font-weight:bold" if is_strong else ""
    return "<tr>{}</tr>".format(
        "".join(
            f'<td style="{_style(column)}{weight}">{_shown(cell)}</td>'
            for column, cell in zip(columns, cells, strict=True)
        )
    )


def _style(column: Column) -> str:
    return TEXT if column.is_text else NUMBER


def _shown(cell: object) -> str:
    if isinstance(cell, Markup):
        return cell
    return escape(shown(cell, MOST_LETTERS)) if cell != "" else ""
