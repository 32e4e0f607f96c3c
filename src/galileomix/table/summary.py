"""What has been seen of a table: summaries that add up, and the schema they give.

The summary of a table is the sum of the summaries of its parts, in any order and to the bit, so
a schema does not depend on how rows were ordered, cut or handed to workers.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix.errors import ConstantColumnWarning, GalileoWarning, TableError
from galileomix.table.column import SLICE_ROWS, CategoryColumn, Column, Columns, slices
from galileomix.table.moments import Moments
from galileomix.table.schema import (
    Attribute,
    Categorical,
    Missing,
    Numeric,
    Schema,
    check_missing,
)
from galileomix.table.values import Key, in_order, key

# A categorical column looks like an identifier when more than this part of its values differ.
DISTINCT_PART = 0.9
# With fewer rows than this, values that all differ are nothing unusual.
DISTINCT_ROWS = 20


@dataclass(frozen=True)
class Vocabulary:
    """The values seen in a categorical column and in how many rows one was present."""

    keys: frozenset[Key] = frozenset()
    rows: int = 0

    def __add__(self, other: Vocabulary) -> Vocabulary:
        """Join what both have seen."""
        return Vocabulary(self.keys | other.keys, self.rows + other.rows)


Seen = Vocabulary | Moments


@dataclass(frozen=True)
class Summary:
    """What was seen of every column. ``Summary()`` is what was seen of nothing.

    Examples
    --------
    >>> from galileomix.table import read
    >>> parts = [{"odor": ["none"]}, {"odor": ["foul"]}]
    >>> summary = sum((summarise(read(part)) for part in parts), Summary())
    >>> summary.schema().attributes
    (Categorical(name='odor', values=('foul', 'none')),)
    """

    names: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
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
        seen = tuple(map(_join, self.names, self.seen, other.seen))
        return Summary(self.names, seen, self.n_rows + other.n_rows)

    def schema(self, missing: Missing = "category") -> Schema:
        """Return the schema of all rows seen."""
        check_missing(missing)
        pairs = zip(self.names, self.seen, strict=True)
        return Schema(tuple(_attribute(name, seen, missing) for name, seen in pairs), missing)

    def warn(self, missing: Missing = "category", stacklevel: int = 2) -> None:
        """Warn of columns that say nothing and of those that look like identifiers."""
        if self.n_rows < 2:
            return
        for name, seen in zip(self.names, self.seen, strict=True):
            for message, category in _doubts(name, seen, missing):
                warnings.warn(message, category, stacklevel=stacklevel)


def summarise(columns: Columns, weights: NDArray[np.float64] | None = None) -> Summary:
    """Summarise the rows of positive weight."""
    if weights is None:
        weights = np.ones(columns.n_rows)
    seen = tuple(_see(column, weights) for column in columns.columns)
    return Summary(columns.names, seen, int(np.count_nonzero(weights > 0)))


def infer_schema(
    columns: Columns,
    weights: NDArray[np.float64] | None = None,
    missing: Missing = "category",
    *,
    stacklevel: int = 2,
) -> Schema:
    """Find the attributes of a table; rows of no weight leave no trace.

    Parameters
    ----------
    columns : Columns
        What `read` returned.
    weights : ndarray of shape (n_rows,), optional
        What `check_weights` returned; one for every row where left out.
    missing : {"category", "ignore"}
        Whether a missing category is a value, None, or is left out.
    stacklevel : int
        Whose line the warnings name, as in `warnings.warn`.

    Returns
    -------
    Schema
        The same for the same rows in any order.

    Warns
    -----
    GalileoWarning
        Where a categorical column looks like an identifier.
    ConstantColumnWarning
        Where a column has one value or none.

    Examples
    --------
    >>> from galileomix.table import read
    >>> infer_schema(read([["b", 1.0], ["a", 3.0], [None, 2.0]])).attributes[0]
    Categorical(name='x0', values=('a', 'b', None))
    """
    summary = summarise(columns, weights)
    summary.warn(missing, stacklevel + 1)
    return summary.schema(missing)


def _see(column: Column, weights: NDArray[np.float64]) -> Seen:
    if not isinstance(column, CategoryColumn):
        return Moments.of(column.values, weights)
    counts = _tally(column.codes, len(column.values), weights)
    present = [column.values[code] for code in np.flatnonzero(counts).tolist()]
    missing = sum(int(counts[code]) for code, value in enumerate(column.values) if value is None)
    return Vocabulary(frozenset(map(key, present)), int(counts.sum()) - missing)


def _tally(codes: NDArray[Any], n_values: int, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the rows of positive weight that hold each value."""
    counts = np.zeros(n_values, np.int64)
    # Slices no shorter than the vocabulary, or a wide one would cost more than its rows.
    for rows in slices(len(codes), max(SLICE_ROWS, n_values)):
        counts += np.bincount(codes[rows][weights[rows] > 0], minlength=n_values)
    return counts


def _join(name: str, left: Seen, right: Seen) -> Seen:
    if isinstance(left, Vocabulary) and isinstance(right, Vocabulary):
        return left + right
    if isinstance(left, Moments) and isinstance(right, Moments):
        return left + right
    # A part whose cells are all missing cannot tell numbers from categories: the other part can.
    for part, other in ((left, right), (right, left)):
        if isinstance(part, Vocabulary) and part.rows == 0:
            return other
    raise TableError(
        f"column {name!r} holds numbers in one part of the table and categories in another: "
        f"say in `categorical` which columns are categorical"
    )


def _attribute(name: str, seen: Seen, missing: Missing) -> Attribute:
    if isinstance(seen, Moments):
        return Numeric(name, *seen.center_and_scale())
    values = in_order(value for _, value in seen.keys)
    # A column with no value at all keeps the missing one, so that no attribute is empty.
    if missing == "ignore" and len(values) > 1 and values[-1] is None:
        values = values[:-1]
    return Categorical(name, values or (None,))


def _doubts(name: str, seen: Seen, missing: Missing) -> Iterator[tuple[str, type[Warning]]]:
    if seen.rows == 0:
        yield (
            f"column {name!r} is missing in every row; it says nothing",
            ConstantColumnWarning,
        )
    elif _constant(seen, missing):
        yield f"column {name!r} has one value; it says nothing", ConstantColumnWarning
    elif isinstance(seen, Vocabulary) and _identifies(seen):
        distinct = len(seen.keys)
        yield (
            f"column {name!r} looks like an identifier: {distinct} different values in "
            f"{seen.rows} rows; leave it out, or make it a float if it is a measurement",
            GalileoWarning,
        )


def _constant(seen: Seen, missing: Missing) -> bool:
    if isinstance(seen, Moments):
        return seen.low == seen.high
    holes = missing == "ignore" and key(None) in seen.keys
    return len(seen.keys) - holes == 1


def _identifies(seen: Vocabulary) -> bool:
    distinct = len(seen.keys - {key(None)})
    return seen.rows > DISTINCT_ROWS and distinct > DISTINCT_PART * seen.rows
