"""A summary of one column: its values, its numbers, or text whose type is still open."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import SLICE_ROWS, CategoryColumn, Column, NumberColumn, slices
from galileomix._table.infer.bins import Binning, labels
from galileomix._table.infer.digest import Digest
from galileomix._table.infer.moments import Moments
from galileomix._table.infer.text_summary import TextSummary, WordsAmongNumbers, add_summaries
from galileomix._table.infer.vocabulary import Vocabulary
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.text_types import TextEvidence, parse_numbers
from galileomix._table.schema import Attribute, Binned, Categorical, Missing, Numeric
from galileomix.errors import TableError

Weights = NDArray[np.float64]
ParsedSummary = Vocabulary | Moments | Digest
ColumnSummary = ParsedSummary | TextSummary


def summarise_column(
    column: Column,
    weights: Weights,
    declared: Declared,
    binning: Binning | None,
    known: TextEvidence,
) -> ColumnSummary:
    """Summarise the rows of positive weight; `known` is what other parts say of a text column."""
    if isinstance(column, NumberColumn):
        return _of_numbers(column, weights, binning)
    if isinstance(column, CategoryColumn):
        return _of_categories(column, weights)
    counts = _counts(column.codes + 1, len(column.texts) + 1, weights)
    held = counts[1:] > 0
    texts = column.texts if held.all() else column.texts.filter(held)
    evidence = known + TextEvidence.of(texts)
    if evidence.text_type(declared) == "number":
        numbers = _of_numbers(parse_numbers(column), weights, binning)
        return TextSummary(evidence, declared, numbers)
    auto = declared == "auto"
    words = WordsAmongNumbers.of(texts, counts[1:][held]) if auto else WordsAmongNumbers()
    values = Vocabulary.of_texts(texts.to_pylist(), bool(counts[0]), int(counts[1:].sum()))
    return TextSummary(evidence, declared, values, words=words)


def _of_numbers(column: NumberColumn, weights: Weights, binning: Binning | None) -> ParsedSummary:
    binned = binning is not None and binning.wants(column.name)
    return (Digest if binned else Moments).of(column.values, weights)


def _of_categories(column: CategoryColumn, weights: Weights) -> Vocabulary:
    counts = _counts(column.codes, len(column.values), weights)
    present = [column.values[code] for code in np.flatnonzero(counts).tolist()]
    missing = sum(int(counts[code]) for code, value in enumerate(column.values) if value is None)
    return Vocabulary.of(present, int(counts.sum()) - missing)


def _counts(codes: NDArray[Any], n_values: int, weights: Weights) -> NDArray[np.int64]:
    """Count the rows of positive weight that hold each value."""
    counts = np.zeros(n_values, np.int64)
    # Slices no shorter than the vocabulary, or a wide one would cost more than its rows.
    for rows in slices(len(codes), max(SLICE_ROWS, n_values)):
        counts += np.bincount(codes[rows][weights[rows] > 0], minlength=n_values)
    return counts


def join(name: str, left: ColumnSummary, right: ColumnSummary) -> ColumnSummary:
    """Join the summaries of two parts of a column."""
    if isinstance(left, TextSummary) and isinstance(right, TextSummary):
        return left + right
    joint = add_summaries(parsed(left), parsed(right))
    if joint is None:
        raise TableError(
            "numbers in one part of the table and categories in another: say in "
            "`categorical` which columns are categorical",
            column=name,
        )
    return joint


def parsed(summary: ColumnSummary) -> ParsedSummary:
    """Return a summary, of text as the values that it stands for."""
    return summary.parsed() if isinstance(summary, TextSummary) else summary


def attribute_of(
    name: str, summary: ParsedSummary, missing: Missing, binning: Binning | None
) -> Attribute:
    """Return the attribute that a column is, given the summary of all its rows."""
    if isinstance(summary, Moments):
        return Numeric(name, *summary.center_and_scale())
    if isinstance(summary, Digest):
        assert binning is not None
        return _binned(name, summary, missing, binning)
    values = summary.in_order()
    # A column with no value at all keeps the missing one, so that no attribute is empty.
    if missing == "ignore" and len(values) > 1 and values[-1] is None:
        values = values[:-1]
    return Categorical(name, values or (None,))


def _binned(name: str, summary: Digest, missing: Missing, binning: Binning) -> Categorical:
    if summary.rows == 0:
        return Categorical(name, (None,))
    edges = summary.edges(binning.cut(name))
    missing_value = (None,) if summary.missing and missing == "category" else ()
    return Binned(name, (*labels(edges), *missing_value), edges)
