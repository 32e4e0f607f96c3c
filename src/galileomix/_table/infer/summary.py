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
from galileomix._table.infer.column_summary import ColumnSummary, summarise_column
from galileomix._table.infer.decide import decide
from galileomix._table.infer.make_attribute import AttributeRules, make_attribute
from galileomix._table.infer.notes import notes_of
from galileomix._table.read.declared_types import Declared, undeclared
from galileomix._table.schema import Schema
from galileomix._table.text.text_evidence import TextEvidence
from galileomix._warn import warn
from galileomix._words import counted
from galileomix.errors import GalileoWarning, TableError

USUAL_RULES = AttributeRules()
MOST_NOTES = 6
"""More notes than this on one table nobody reads."""


@dataclass(frozen=True)
class Summary:
    """A summary of every column. ``Summary()`` is that of no rows.

    Examples
    --------
    >>> from galileomix._table import read
    >>> parts = [{"odor": ["none"]}, {"odor": ["foul"]}]
    >>> summary = sum((summarise(read(part)) for part in parts), Summary())
    >>> summary.schema().attributes
    (Categorical(name='odor', values=('foul', 'none'), pooled=False, rare=()),)
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
        columns = tuple(map(_joined, self.names, self.columns, other.columns))
        return Summary(self.names, columns, self.n_rows + other.n_rows)

    @property
    def mixed(self) -> bool:
        """Whether parts of a column of text were taken for different things."""
        return any(column.mixed for column in self.columns)

    @property
    def evidence(self) -> dict[str, TextEvidence]:
        """What is known of each column of text."""
        pairs = zip(self.names, self.columns, strict=True)
        return {name: column.evidence for name, column in pairs if column.evidence}

    def schema(self, rules: AttributeRules = USUAL_RULES) -> Schema:
        """Return the schema of all rows: the same for the same rows in any order."""
        pairs = list(zip(self.names, self.columns, strict=True))
        types = tuple(
            decide(name, column, self.n_rows, rules.price(column.rows)) for name, column in pairs
        )
        attributes = tuple(
            make_attribute(found, column, rules)
            for found, (_, column) in zip(types, pairs, strict=True)
            if found.modelled
        )
        return Schema(attributes, rules.missing, types)

    def warn(self, schema: Schema) -> None:
        """Warn of what a user should know of how columns were taken."""
        if self.n_rows < 2:
            return
        notes = list(notes_of(schema, self.columns))
        for note in notes[:MOST_NOTES]:
            warn(note.text, note.category)
        if len(notes) > MOST_NOTES:
            more = counted(len(notes) - MOST_NOTES, "more note")
            where = "`schema_.columns` and, of a saved model, `galileo info`"
            warn(f"{more} on columns; {where} say what each is and why", GalileoWarning)


def _joined(name: str, left: ColumnSummary, right: ColumnSummary) -> ColumnSummary:
    try:
        return left + right
    except TableError as error:
        raise type(error)(error.problem, column=name) from None


def summarise(
    columns: Columns,
    weights: NDArray[np.float64] | None = None,
    *,
    declared: Sequence[Declared] | None = None,
    evidence: Mapping[str, TextEvidence] | None = None,
    symbols: bool = True,
) -> Summary:
    """Summarise the rows of positive weight.

    `declared` is what the user says of each column; `evidence` is what the whole table says of
    columns of text, in which `symbols` such as ``?`` may mean missing.
    """
    if weights is None:
        weights = np.ones(columns.n_rows)
    known = evidence or {}
    pairs = zip(columns.columns, declared or undeclared(columns.names), strict=True)
    summaries = tuple(
        summarise_column(column, weights, said, known.get(column.name), symbols)
        for column, said in pairs
    )
    return Summary(columns.names, summaries, int(np.count_nonzero(weights > 0)))
