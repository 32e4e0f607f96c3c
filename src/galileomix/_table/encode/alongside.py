"""The rows of a table as they were given, beside their codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Column, Columns, NumberColumn, TextColumn
from galileomix._table.encode.encoder import Block, Encoder, unmarked
from galileomix._table.encode.recode import Unseen
from galileomix._table.read.chunk import Source, no_rows
from galileomix._table.read.source import warn_of_notes
from galileomix._table.schema import Schema


def alongside(
    source: Source, schema: Schema, unseen: Unseen
) -> Iterator[tuple[Columns, Block, NDArray[np.bool_]]]:
    """Yield some rows at a time: their cells, their codes, and which were never seen in fit.

    Parameters
    ----------
    source : Source
        The table, aligned with the schema (see `align`).
    schema : Schema
        What was fitted.
    unseen : {"ignore", "error"}
        Whether a value that was never seen is allowed.
    """
    warn_of_notes(source)
    encoder = Encoder(schema, "mark" if unseen == "ignore" else unseen)
    some = False
    for chunk in source.chunks():
        first = 0
        with chunk.placed():
            for part in encoder.parts(chunk.columns):
                rows = chunk.columns.rows(slice(first, first + len(part)))
                yield rows, *unmarked(part, schema)
                first, some = first + len(part), True
    if not some:
        raise no_rows(len(source.names))


def cells(column: Column) -> NDArray[Any]:
    """Return what the cells of a column hold, as they were given; None or NaN where missing.

    Examples
    --------
    >>> from galileomix._table import read
    >>> [cells(column).tolist() for column in read([["b", 1.5], [None, 2.0]]).columns]
    [['b', None], [1.5, 2.0]]
    """
    if isinstance(column, NumberColumn):
        return column.values
    values = column.texts.to_pylist() if isinstance(column, TextColumn) else column.values
    held = np.empty(len(values) + 1, dtype=object)  # the last one stays None: code -1 is missing
    held[:-1] = values
    return held[column.codes]
