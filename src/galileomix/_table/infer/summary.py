"""A summary of a table: summaries of its parts add up, and give the schema.

The summary of a table is the sum of the summaries of its parts, in any order and to the bit, so
a schema does not depend on how rows were ordered, cut or handed to workers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Columns
from galileomix._table.infer.bins import Binning
from galileomix._table.infer.column_summary import (
    ColumnSummary,
    ParsedSummary,
    attribute_of,
    join,
    parsed,
    summarise_column,
)
from galileomix._table.infer.text_summary import TextSummary
from galileomix._table.infer.vocabulary import Vocabulary
from galileomix._table.read.declared_types import Declared, undeclared
from galileomix._table.read.text_types import TextEvidence
from galileomix._table.schema import Missing, Schema
from galileomix._warn import warn
from galileomix.errors import ConstantColumnWarning, GalileoWarning, TableError

# A categorical column looks like an identifier when more than this part of its values differ.
DISTINCT_PART = 0.9
# With fewer rows than this, values that all differ are nothing unusual.
DISTINCT_ROWS = 20


@dataclass(frozen=True)
class Summary:
    """A summary of every column. ``Summary()`` is that of no rows.

    Examples
    --------
    >>> from galileomix._table import read
    >>> parts = [{"odor": ["none"]}, {"odor": ["foul"]}]
    >>> summary = sum((summarise(read(part)) for part in parts), Summary())
    >>> summary.schema().attributes
    (Categorical(name='odor', values=('foul', 'none')),)
    """

    names: tuple[str, ...] = ()
    columns: tuple[ColumnSummary, ...] = ()
    n_rows: int = 0

    def __add__(self, other: Summary) -> Summary:
        """Join the rows of two parts of one table."""
        if not self.names or not other.names:
            return self if self.names else other
        if self.names != other.names:
            raise TableError(
                f"parts of one table must have the same columns: {list(self.names)} "
                f"and {list(other.names)}"
            )
        columns = tuple(map(join, self.names, self.columns, other.columns))
        return Summary(self.names, columns, self.n_rows + other.n_rows)

    @property
    def texts(self) -> dict[str, TextSummary]:
        """The summaries of the columns of text, by name."""
        pairs = zip(self.names, self.columns, strict=True)
        return {name: column for name, column in pairs if isinstance(column, TextSummary)}

    def schema(self, missing: Missing = "category", binning: Binning | None = None) -> Schema:
        """Return the schema of all rows: the same for the same rows in any order."""
        pairs = zip(self.names, map(parsed, self.columns), strict=True)
        attributes = (attribute_of(name, column, missing, binning) for name, column in pairs)
        return Schema(tuple(attributes), missing)

    def warn(self, missing: Missing = "category") -> None:
        """Warn of constant columns and of those that look like identifiers."""
        if self.n_rows < 2:
            return
        for name, column in zip(self.names, self.columns, strict=True):
            note = column.note() if isinstance(column, TextSummary) else None
            if note:
                warn(f"column {name!r}: {note}", GalileoWarning)
            else:
                _warn_of_column(name, parsed(column), missing)


def summarise(
    columns: Columns,
    weights: NDArray[np.float64] | None = None,
    *,
    declared: Sequence[Declared] | None = None,
    binning: Binning | None = None,
    evidence: Mapping[str, TextEvidence] | None = None,
) -> Summary:
    """Summarise the rows of positive weight.

    `declared` is what the user says of each column and `evidence` what other parts of the table
    say, both for columns of text. `binning` says which numbers will be cut into intervals.
    """
    if weights is None:
        weights = np.ones(columns.n_rows)
    known = {name: TextEvidence() for name in columns.names} | dict(evidence or {})
    pairs = zip(columns.columns, declared or undeclared(columns.names), strict=True)
    summaries = tuple(
        summarise_column(column, weights, column_type, binning, known[column.name])
        for column, column_type in pairs
    )
    return Summary(columns.names, summaries, int(np.count_nonzero(weights > 0)))


def _warn_of_column(name: str, column: ParsedSummary, missing: Missing) -> None:
    distinct, identifier = 0, False
    if isinstance(column, Vocabulary):
        distinct = len(column) - column.missing
        constant = distinct + (column.missing and missing == "category") == 1
        identifier = column.rows > DISTINCT_ROWS and distinct > DISTINCT_PART * column.rows
    else:
        constant = column.low == column.high
    if column.rows == 0:
        warn(f"column {name!r} is missing in every row and is ignored", ConstantColumnWarning)
    elif constant:
        warn(f"column {name!r} is constant and is ignored", ConstantColumnWarning)
    elif identifier:
        warn(
            f"column {name!r} looks like an identifier: {distinct} different values in "
            f"{column.rows} rows; leave it out, or make it a float if it is a measurement",
            GalileoWarning,
        )
