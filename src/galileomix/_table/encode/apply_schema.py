"""Another table by a schema that was fitted: its columns found, its rows encoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.blocks.block import Block, in_blocks
from galileomix._table.column import Columns
from galileomix._table.encode.column_encoder import Unseen
from galileomix._table.encode.encoder import Encoder, unmarked
from galileomix._table.read.chunk import Source, no_rows
from galileomix._table.read.open_table import warn_of_notes
from galileomix._table.schema import Schema
from galileomix.errors import TableError

SHOWN_NAMES = 5


def align(source: Source, schema: Schema, *, named: bool, estimator: str) -> Source:
    """Return the fitted columns of another table, in the order of the schema.

    By name where both tables have names of the user's own: any order, and further columns are
    ignored. Otherwise by position, and the number of columns must be the same. `named` is that of
    the fitted table; the message names the estimator.

    Examples
    --------
    >>> from galileomix._table import open_table, read, summarise
    >>> schema = summarise(read({"odor": ["none", "foul"], "width": [1.0, 2.0]})).schema()
    >>> new = open_table({"width": [3.0], "note": ["late"], "odor": ["foul"]})
    >>> align(new, schema, named=True, estimator="Galileo").names
    ('odor', 'width')
    """
    if not named or not source.named:
        found, expected = len(source.names), len(schema.columns)
        if found != expected:
            raise TableError(
                f"X has {found} features, but {estimator} is expecting {expected} features as "
                f"input."
            )
        pairs = zip(source.names, schema.columns, strict=True)
        return source.select([name for name, column in pairs if column.modelled])
    present = set(source.names)
    absent = [name for name in schema.names if name not in present]
    if absent:
        shown = [f"- {name}\n" for name in absent[:SHOWN_NAMES]]
        more = ["- ...\n"] if len(absent) > SHOWN_NAMES else []
        raise TableError(
            "The feature names should match those that were passed during fit.\n"
            "Feature names seen at fit time, yet now missing:\n" + "".join(shown + more)
        )
    return source.select(schema.names)


def encoded_blocks(source: Source, schema: Schema, unseen: Unseen = "ignore") -> Iterator[Block]:
    """Yield the rows of an aligned table as blocks; `unseen` is for values never seen in fit."""
    warn_of_notes(source)
    encoder, n_rows = Encoder(schema, unseen, source.missing.usual), 0
    for block in in_blocks(encoder.parts_of(source), weighted=False):
        n_rows += len(block)
        yield block
    if not n_rows:
        raise no_rows(source)
    encoder.warn_of_left_out()


def over_rows(
    source: Source, schema: Schema, f: Callable[[Block], NDArray[Any]], unseen: Unseen = "ignore"
) -> NDArray[Any]:
    """Return what a function makes of the rows of an aligned table, never whole in memory.

    `f` takes a block and returns one row of an array for each of its rows.
    """
    return np.concatenate([f(block) for block in encoded_blocks(source, schema, unseen)])


def rows_and_blocks(
    source: Source, schema: Schema, unseen: Unseen
) -> Iterator[tuple[Columns, Block, NDArray[np.bool_]]]:
    """Yield some rows of an aligned table at a time: cells, codes, and which were never seen."""
    warn_of_notes(source)
    policy = "mark" if unseen == "ignore" else unseen
    encoder = Encoder(schema, policy, source.missing.usual)
    n_rows = 0
    for chunk in source.chunks():
        first = 0
        with chunk.placed():
            for part in encoder.parts(chunk.columns):
                rows = chunk.columns.rows(slice(first, first + len(part)))
                yield rows, *unmarked(part, schema)
                first += len(part)
        n_rows += first
    if not n_rows:
        raise no_rows(source)
    encoder.warn_of_left_out()
