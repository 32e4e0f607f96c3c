"""Cells of a column of numbers or dates that cannot be read, and so are taken for missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted.new_table import CodedRows
from galileomix._fitted.visible_text import shown
from galileomix._report.table_pass import missing_codes
from galileomix._table import SYMBOLS, CategoryColumn, NumberColumn, Schema, TextColumn


def unreadable(schema: Schema, rows: CodedRows, a: int) -> list[str]:
    """Return the texts of an attribute that cannot be read, and do not mean missing."""
    column, (m, q) = rows.cells.columns[a], schema.places[a]
    if isinstance(column, NumberColumn):
        return []
    gone = np.isnan(rows.block.numbers[:, q])
    if m is not None:
        gone &= missing_codes(rows.block.codes[:, m], schema.categorical[m])
    known = {*SYMBOLS, *schema.modelled[a].format.missing}
    given = _given(column, gone)
    return [shown(text) for text in given if isinstance(text, str) and text.strip() not in known]


def _given(column: TextColumn | CategoryColumn, which: NDArray[np.bool_]) -> list[Any]:
    """Return some cells that hold something; no other text of the column is looked at."""
    codes = column.codes[which]
    codes = codes[codes >= 0]
    if isinstance(column, TextColumn):
        return column.texts.take(codes).to_pylist()
    return [column.values[code] for code in codes.tolist()]
