"""Cells of a column of numbers or dates that cannot be read, and so are taken for missing."""

from __future__ import annotations

import numpy as np

from galileomix._fitted.new_table import CodedRows
from galileomix._fitted.visible_text import shown
from galileomix._report.table_pass import missing_codes
from galileomix._table import SYMBOLS, NumberColumn, Schema, cells


def unreadable(schema: Schema, rows: CodedRows, a: int) -> list[str]:
    """Return the texts of an attribute that cannot be read, and do not mean missing."""
    column, (m, q) = rows.cells.columns[a], schema.places[a]
    if isinstance(column, NumberColumn):
        return []
    gone = np.isnan(rows.block.numbers[:, q])
    if m is not None:
        gone &= missing_codes(rows.block.codes[:, m], schema.categorical[m])
    known = {*SYMBOLS, *schema.modelled[a].format.missing}
    given = cells(column)[gone].tolist() if gone.any() else []
    return [shown(text) for text in given if isinstance(text, str) and text.strip() not in known]
