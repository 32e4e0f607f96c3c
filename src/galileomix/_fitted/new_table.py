"""A table for a fitted model to judge: its columns as those that were fitted, its rows as codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._table import (
    BLOCK_ROWS,
    Block,
    Columns,
    MissingValues,
    Schema,
    Source,
    Unseen,
    align,
    encoded_blocks,
    open_table,
    over_rows,
    rows_and_blocks,
)


@dataclass(frozen=True)
class ReadingOptions:
    """How tables are read and whose they are: parameters of an estimator, and its name."""

    missing: MissingValues
    unseen: Unseen
    estimator: str


class CodedRows(NamedTuple):
    """Some rows: their cells as given, their codes, and which categories fit never saw."""

    cells: Columns
    block: Block
    unseen: NDArray[np.bool_]

    def take(self, rows: slice | NDArray[Any]) -> CodedRows:
        """Return some of the rows."""
        return CodedRows(self.cells.rows(rows), self.block.rows(rows), self.unseen[rows])


@dataclass(frozen=True, eq=False)
class NewTable:
    """A table with its columns in the order of a schema."""

    given: Any  # the table as the user gave it
    source: Source
    schema: Schema
    named: bool  # whether the columns were found by their names
    unseen: Unseen  # what to do with a category that fit never saw

    @classmethod
    def open(cls, X: Any, schema: Schema, named: bool, reading: ReadingOptions) -> NewTable:
        """Open a table, and find in it the columns that were fitted."""
        wanted = schema.names if named else ()
        source = open_table(X, missing=reading.missing, wanted=wanted)
        found = align(source, schema, named=named, estimator=reading.estimator)
        return cls(X, found, schema, named, reading.unseen)

    @property
    def index(self) -> pd.Index | None:
        """The index of a pandas frame; None for any other table."""
        return self.given.index if isinstance(self.given, pd.DataFrame) else None

    def blocks(self) -> Iterator[Block]:
        """Yield the rows as blocks."""
        return encoded_blocks(self.source, self.schema, self.unseen)

    def map(self, f: Callable[[Block], NDArray[Any]]) -> NDArray[Any]:
        """Return what a function makes of the rows, a block at a time."""
        return over_rows(self.source, self.schema, f, self.unseen)

    def coded_rows(self) -> Iterator[CodedRows]:
        """Yield the rows with their cells, no more than a block's at a time."""
        for part in rows_and_blocks(self.source, self.schema, self.unseen):
            rows = CodedRows(*part)
            for first in range(0, len(rows.block), BLOCK_ROWS):
                yield rows.take(slice(first, first + BLOCK_ROWS))
