"""What a person knows records by: their cells in identifiers, which no model looks at."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted.new_table import NewTable
from galileomix._fitted.visible_text import shown
from galileomix._table import Schema, Source, cells, open_table
from galileomix._words import shown_value

MOST_IDENTIFIERS = 2
MOST_CHARACTERS = 40
"""Of the cell of an identifier."""


def record_names(table: NewTable, rows: Iterable[int]) -> dict[int, str]:
    """Return the names of some rows, which are counted from 1; none where there are no identifiers.

    They take one more look at the table, at its identifiers alone.
    """
    source = _identifiers(table)
    wanted = np.unique(np.fromiter(rows, np.intp))
    if source is None:
        return {}
    names: dict[int, str] = {}
    first = 0
    for chunk in source.chunks():
        inside = wanted[(wanted > first) & (wanted <= first + chunk.columns.n_rows)]
        some = chunk.columns.rows(inside - first - 1)
        texts = zip(*(_texts(cells(column)) for column in some.columns), strict=True)
        names |= {
            row: ", ".join(filter(None, line))
            for row, line in zip(inside.tolist(), texts, strict=True)
        }
        first += chunk.columns.n_rows
    return names


def _identifiers(table: NewTable) -> Source | None:
    """Return the identifiers of a table; None where it has none."""
    wanted = [column.name for column in table.schema.columns if column.type == "identifier"]
    source = open_table(table.given, missing=table.source.missing, wanted=wanted)
    if not (table.named and source.named):
        wanted = _at_places(source, table.schema)
    present = [name for name in wanted if name in source.names][:MOST_IDENTIFIERS]
    return source.select(present) if present else None


def _at_places(source: Source, schema: Schema) -> list[str]:
    pairs = zip(source.names, schema.columns, strict=True)
    return [name for name, column in pairs if column.type == "identifier"]


def _texts(column: NDArray[np.generic]) -> list[str]:
    """Return cells in short; nothing where they are missing, whole numbers with all digits."""
    return [_text(value) for value in column.tolist()]


def _text(value: object) -> str:
    if value is None or value != value:
        return ""
    whole = isinstance(value, float) and value.is_integer()
    return shown(f"{value:.0f}" if whole else shown_value(value), MOST_CHARACTERS)
