"""A summary of one column, whatever holds it: what its type and its attribute are found from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.column import (
    SLICE_ROWS,
    CategoryColumn,
    Column,
    NumberColumn,
    TextColumn,
    slices,
)
from galileomix._table.infer.digest import Digest
from galileomix._table.infer.vocabulary import MOST_VALUES, Vocabulary
from galileomix._table.read.convert import as_categories
from galileomix._table.read.declared_types import AUTO, Declared
from galileomix._table.text.date_text import WRITTEN_AS
from galileomix._table.text.text_evidence import TextEvidence
from galileomix._table.text.text_format import TextFormat
from galileomix.errors import TableError

Weights = NDArray[np.float64]
NUMBER = TextFormat("number")
MOST_WRITTEN = 1 << 10
"""Numbers written as people write them are also held as text, up to so many."""


@dataclass(frozen=True)
class ColumnSummary:
    """What is known of the rows of a column; parts add up.

    It has a digest of the `numbers` where the cells are numbers so far, or text that reads as
    such; and the `values` where they are categories, or text. Both where numbers are written so
    that their text says more than the number does.
    """

    declared: Declared = AUTO
    rows: int = 0  # how many rows are not missing
    missing: int = 0
    values: Vocabulary = field(default_factory=Vocabulary)
    numbers: Digest | None = None
    unit: str = ""
    evidence: TextEvidence | None = None  # where it is text
    read_as: TextFormat | None = None  # how its text was read
    spelled: frozenset[str] = frozenset()  # what was taken for missing, although nobody said so
    mixed: bool = False  # whether parts were taken for different things: look at them again

    @property
    def format(self) -> TextFormat:
        """How text of the column is read, here or in another table."""
        if self.evidence:
            return format_of(self.evidence, self.declared)
        if self.numbers is not None:
            return TextFormat("date", layout=WRITTEN_AS[self.unit]) if self.unit else NUMBER
        booleans = self.values.rows and all(isinstance(v, bool) for v in self.values.values)
        return TextFormat("boolean" if booleans else "text")

    def __add__(self, other: ColumnSummary) -> ColumnSummary:
        """Join the rows of both."""
        evidence = _both(self.evidence, other.evidence)
        joint = format_of(evidence, self.declared) if evidence else None
        texts = [part for part in (self, other) if part.evidence is not None]
        otherwise = any(_differently(part.read_as, joint) for part in texts)
        mixed = self.mixed or other.mixed or otherwise
        if not (self.rows and other.rows):
            empty, full = (self, other) if other.rows else (other, self)
            return replace(
                full,
                missing=full.missing + empty.missing,
                values=full.values + empty.values,  # words among numbers, where there are no others
                spelled=full.spelled | empty.spelled,
                evidence=evidence,
                read_as=joint,
                mixed=mixed,
            )
        numbers = [part.numbers for part in (self, other) if part.numbers is not None]
        if len(texts) == 1 and (numbers or texts[0].format.type != "text"):
            raise _differ()  # text and categories go together where the text is no number
        if not texts and len(numbers) == 1:
            raise _differ()
        return ColumnSummary(
            self.declared,
            self.rows + other.rows,
            self.missing + other.missing,
            self.values + other.values,
            numbers[0] + numbers[1] if len(numbers) == 2 else None,
            self.unit,
            evidence,
            joint,
            self.spelled | other.spelled,
            mixed or (len(texts) == 2 and _unheld(self, other)),
        )


def _both(left: TextEvidence | None, right: TextEvidence | None) -> TextEvidence | None:
    """Join evidence; where it is that of all parts already, it is the same one."""
    return left + right if left and right and left is not right else left or right


def _differently(used: TextFormat | None, joint: TextFormat | None) -> bool:
    """Return whether text was read otherwise than all of it together says.

    A text that means missing only now does not occur where it did not; but one that is a value
    now may have been taken for missing.
    """
    if used is None or joint is None:
        return used is not joint
    ways = [(how.type, how.decimal, how.layout, how.scaled) for how in (used, joint)]
    return ways[0] != ways[1] or not set(used.missing) <= set(joint.missing)


def _unheld(left: ColumnSummary, right: ColumnSummary) -> bool:
    """Return whether the texts of one part's numbers were not held, but those of the other were."""
    few = all(p.numbers is not None and len(p.numbers.keys) <= MOST_WRITTEN for p in (left, right))
    plain = [part.evidence is not None and part.evidence.all_plain for part in (left, right)]
    return few and plain[0] != plain[1]


def _differ() -> TableError:
    return TableError(
        "numbers in one part of the table and something else in another: say in `categorical` "
        "or `numeric` what the column is"
    )


def format_of(evidence: TextEvidence, declared: Declared) -> TextFormat:
    """Return how text is read, given what the user says of the column."""
    match declared.type:
        case "numeric":
            return evidence.number_format()
        case "categorical" | "ordered":
            return evidence.category_format()
        case _:
            return evidence.format()


def summarise_column(
    column: Column, weights: Weights, declared: Declared, known: TextEvidence | None, symbols: bool
) -> ColumnSummary:
    """Summarise the rows of positive weight; `known` is what all parts say of a text column.

    `symbols` says whether signs such as ``?`` may mean missing in text.
    """
    if declared.type == "drop":
        return ColumnSummary(declared)
    if isinstance(column, NumberColumn) and declared.type in ("categorical", "ordered"):
        column = as_categories(column)
    if isinstance(column, TextColumn):
        return _of_text(column, weights, declared, known, symbols)
    if isinstance(column, NumberColumn):
        return _of_numbers(column, weights, ColumnSummary(declared))
    counts = _counts(column.codes, len(column.values), weights)
    pairs = list(zip(column.values, counts.tolist(), strict=True))
    order = tuple(v for v in column.values if v is not None) if column.ordered else ()
    values = Vocabulary.of(pairs, order, _most(declared))
    missing = sum(rows for value, rows in pairs if value is None)
    return ColumnSummary(declared, values.rows, missing, values)


def _of_numbers(column: NumberColumn, weights: Weights, summary: ColumnSummary) -> ColumnSummary:
    numbers = Digest.of(column.values, weights)
    missing = int(np.count_nonzero(weights > 0)) - numbers.rows
    return replace(summary, rows=numbers.rows, missing=missing, numbers=numbers, unit=column.unit)


def _of_text(
    column: TextColumn,
    weights: Weights,
    declared: Declared,
    known: TextEvidence | None,
    symbols: bool,
) -> ColumnSummary:
    counts = _counts(column.codes + 1, len(column.texts) + 1, weights)[1:]
    held = counts > 0
    texts = column.texts if held.all() else column.texts.filter(pa.array(held))
    evidence = known or TextEvidence.of(texts, counts[held], symbols)
    how = format_of(evidence, declared)
    summary = ColumnSummary(declared, evidence=evidence, read_as=how, spelled=column.spelled)
    read = how.read(column)
    if isinstance(read, NumberColumn):
        if declared.type == "categorical":
            read = as_categories(read)
        else:
            summary = _of_numbers(read, weights, summary)
            written = _too_many() if evidence.all_plain else _texts(column, counts)
            return replace(summary, values=written)
    if isinstance(read, TextColumn):
        values = _texts(read, _counts(read.codes + 1, len(read.texts) + 1, weights)[1:], declared)
    else:
        values = _categories(read, weights, declared)
    missing = int(np.count_nonzero(weights > 0)) - values.rows
    return replace(summary, rows=values.rows, missing=missing, values=values)


def _texts(
    column: TextColumn, counts: NDArray[np.int64], declared: Declared | None = None
) -> Vocabulary:
    most = MOST_WRITTEN if declared is None else _most(declared)
    return Vocabulary.of(zip(column.texts.to_pylist(), counts.tolist(), strict=True), most=most)


def _too_many() -> Vocabulary:
    return Vocabulary(overflow=True, most=MOST_WRITTEN)


def _categories(column: CategoryColumn, weights: Weights, declared: Declared) -> Vocabulary:
    counts = _counts(column.codes, len(column.values), weights)
    return Vocabulary.of(zip(column.values, counts.tolist(), strict=True), most=_most(declared))


def _most(declared: Declared) -> int:
    """Return how many values are held: all where the user says that they are categories."""
    return MOST_VALUES if declared.type == "auto" else 1 << 62


def _counts(codes: NDArray[Any], n_values: int, weights: Weights) -> NDArray[np.int64]:
    """Count the rows of positive weight that hold each value."""
    counts = np.zeros(n_values, np.int64)
    # Slices no shorter than the vocabulary, or a wide one would cost more than its rows.
    for rows in slices(len(codes), max(SLICE_ROWS, n_values)):
        counts += np.bincount(codes[rows][weights[rows] > 0], minlength=n_values)
    return counts
