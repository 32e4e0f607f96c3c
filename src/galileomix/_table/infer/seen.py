"""What has been seen of one column: values, numbers, or text whose meaning is still open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import (
    SLICE_ROWS,
    CategoryColumn,
    Column,
    NumberColumn,
    TextColumn,
    slices,
)
from galileomix._table.infer.almost_numbers import Almost
from galileomix._table.infer.bins import Binning, labels
from galileomix._table.infer.digest import Digest
from galileomix._table.infer.moments import Moments
from galileomix._table.infer.vocabulary import Vocabulary
from galileomix._table.read.text_meaning import Evidence, Kind, read_as, text_as_numbers
from galileomix._table.schema import Attribute, Binned, Categorical, Missing, Numeric
from galileomix.errors import TableError

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Spelt:
    """What has been seen of a column of text in parts of a CSV file.

    Parameters
    ----------
    evidence : Evidence
        What the text could mean.
    kind : {"auto", "categorical", "numeric"}
        What the user says.
    seen : Vocabulary, Moments or Digest
        The texts, or the numbers where they mean that.
    lost : bool
        Whether some part was taken for numbers and another for something else, so that the
        parts must be seen again.
    almost : Almost
        Which words keep the column from being numbers, where it is not.
    """

    evidence: Evidence
    kind: Kind
    seen: Vocabulary | Moments | Digest
    lost: bool = False
    almost: Almost = field(default_factory=Almost)

    @property
    def rows(self) -> int:
        """In how many rows a cell was present."""
        return self.seen.rows

    def __add__(self, other: Spelt) -> Spelt:
        """Join what both have seen."""
        evidence = self.evidence + other.evidence
        numbers = evidence.meaning(self.kind) == "number"
        parts = [each.seen for each in (self, other) if each.evidence.cells or each.rows]
        fit = all(numbers is not isinstance(each, Vocabulary) for each in parts)
        if self.lost or other.lost or not fit:
            return Spelt(evidence, self.kind, self.seen, lost=True)
        almost = self.almost + other.almost
        return Spelt(evidence, self.kind, _add(self.seen, other.seen), almost=almost)


Seen = Vocabulary | Moments | Digest | Spelt


def see(
    column: Column, weights: Weights, kind: Kind, binning: Binning | None, known: Evidence
) -> Seen:
    """Return what the rows of positive weight show."""
    if isinstance(column, NumberColumn):
        return _see_numbers(column, weights, binning)
    if isinstance(column, CategoryColumn):
        return _see_categories(column, weights)
    return _see_text(column, weights, kind, binning, known)


def _see_numbers(
    column: NumberColumn, weights: Weights, binning: Binning | None
) -> Moments | Digest:
    binned = binning is not None and binning.wants(column.name)
    return (Digest if binned else Moments).of(column.values, weights)


def _see_categories(column: CategoryColumn, weights: Weights) -> Vocabulary:
    counts = _tally(column.codes, len(column.values), weights)
    present = [column.values[code] for code in np.flatnonzero(counts).tolist()]
    missing = sum(int(counts[code]) for code, value in enumerate(column.values) if value is None)
    return Vocabulary.of(present, int(counts.sum()) - missing)


def _see_text(
    column: TextColumn, weights: Weights, kind: Kind, binning: Binning | None, known: Evidence
) -> Spelt:
    counts = _tally(column.codes + 1, len(column.texts) + 1, weights)
    held = counts[1:] > 0
    texts = column.texts if held.all() else column.texts.filter(held)
    evidence = known + Evidence.of(texts)
    if evidence.meaning(kind) == "number":
        numbers = _see_numbers(text_as_numbers(column), weights, binning)
        return Spelt(evidence, kind, numbers)
    values = {str.__name__: frozenset(texts.to_pylist())} if len(texts) else {}
    missing = {type(None).__name__: frozenset({None})} if counts[0] else {}
    almost = Almost.of(texts, counts[1:][held]) if kind == "auto" else Almost()
    seen = Vocabulary(values | missing, int(counts[1:].sum()))
    return Spelt(evidence, kind, seen, almost=almost)


def _tally(codes: NDArray[Any], n_values: int, weights: Weights) -> NDArray[np.int64]:
    """Count the rows of positive weight that hold each value."""
    counts = np.zeros(n_values, np.int64)
    # Slices no shorter than the vocabulary, or a wide one would cost more than its rows.
    for rows in slices(len(codes), max(SLICE_ROWS, n_values)):
        counts += np.bincount(codes[rows][weights[rows] > 0], minlength=n_values)
    return counts


def join(name: str, left: Seen, right: Seen) -> Seen:
    """Join what two parts of a column show."""
    if isinstance(left, Spelt) and isinstance(right, Spelt):
        return left + right
    if isinstance(left, Spelt) or isinstance(right, Spelt):
        return join(name, settled(left), settled(right))
    joint = _add(left, right)
    if joint is None:
        raise TableError(
            "numbers in one part of the table and categories in another: say in "
            "`categorical` which columns are categorical",
            column=name,
        )
    return joint


def _add(left: Any, right: Any) -> Any:
    if type(left) is type(right):
        return left + right
    # A part whose cells are all missing cannot tell numbers from categories: the other part can.
    for part, other in ((left, right), (right, left)):
        if isinstance(part, Vocabulary) and part.rows == 0:
            return other
    return None


def settled(seen: Seen) -> Vocabulary | Moments | Digest:
    """Return what was seen, text as the values that it means."""
    if not isinstance(seen, Spelt):
        return seen
    meaning = seen.evidence.meaning(seen.kind)
    if meaning in ("text", "number") or not isinstance(seen.seen, Vocabulary):
        return seen.seen
    values = (None if text is None else read_as(str(text), meaning) for text in _all(seen.seen))
    return Vocabulary.of(values, seen.rows)


def _all(vocabulary: Vocabulary) -> Any:
    return (value for each in vocabulary.sets.values() for value in each)


def attribute_of(
    name: str,
    seen: Vocabulary | Moments | Digest,
    missing: Missing,
    binning: Binning | None,
) -> Attribute:
    """Return the attribute that a column is, all of it seen."""
    if isinstance(seen, Moments):
        return Numeric(name, *seen.center_and_scale())
    if isinstance(seen, Digest):
        assert binning is not None
        return _binned(name, seen, missing, binning)
    values = seen.in_order()
    # A column with no value at all keeps the missing one, so that no attribute is empty.
    if missing == "ignore" and len(values) > 1 and values[-1] is None:
        values = values[:-1]
    return Categorical(name, values or (None,))


def _binned(name: str, seen: Digest, missing: Missing, binning: Binning) -> Categorical:
    if seen.rows == 0:
        return Categorical(name, (None,))
    edges = seen.edges(binning.cut(name))
    holes = (None,) if seen.missing and missing == "category" else ()
    return Binned(name, (*labels(edges), *holes), edges)
