"""What has been seen of a table: summaries that add up, and the schema they give.

The summary of a table is the sum of the summaries of its parts, in any order and to the bit, so
a schema does not depend on how rows were ordered, cut or handed to workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Columns
from galileomix._table.infer.bins import Binning
from galileomix._table.infer.seen import Seen, Spelt, attribute_of, join, see, settled
from galileomix._table.infer.vocabulary import Vocabulary
from galileomix._table.read.text_meaning import Evidence, Kind
from galileomix._table.schema import Missing, Schema, check_missing
from galileomix._warn import warn
from galileomix.errors import ConstantColumnWarning, GalileoWarning, TableError

# A categorical column looks like an identifier when more than this part of its values differ.
DISTINCT_PART = 0.9
# With fewer rows than this, values that all differ are nothing unusual.
DISTINCT_ROWS = 20


@dataclass(frozen=True)
class Summary:
    """What was seen of every column. ``Summary()`` is what was seen of nothing.

    Examples
    --------
    >>> from galileomix._table import read
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
        seen = tuple(map(join, self.names, self.seen, other.seen))
        return Summary(self.names, seen, self.n_rows + other.n_rows)

    @property
    def evidence(self) -> dict[str, Evidence]:
        """What the columns of text could be, by name."""
        pairs = zip(self.names, self.seen, strict=True)
        return {name: seen.evidence for name, seen in pairs if isinstance(seen, Spelt)}

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The columns of text that were taken for something else before the last part was seen.

        To summarise them, see all parts again, with the `evidence` that there is now.
        """
        pairs = zip(self.names, self.seen, strict=True)
        return tuple(name for name, seen in pairs if isinstance(seen, Spelt) and seen.lost)

    @property
    def spoilt(self) -> tuple[int, ...]:
        """The positions of columns of text that are numbers, but for infinite ones."""
        pairs = enumerate(self.seen)
        spelt = ((m, seen) for m, seen in pairs if isinstance(seen, Spelt))
        return tuple(m for m, seen in spelt if seen.evidence.spoilt(seen.kind))

    def schema(self, missing: Missing = "category", binning: Binning | None = None) -> Schema:
        """Return the schema of all rows seen."""
        check_missing(missing)
        pairs = zip(self.names, self.seen, strict=True)
        attributes = (attribute_of(name, settled(seen), missing, binning) for name, seen in pairs)
        return Schema(tuple(attributes), missing)

    def warn(self, missing: Missing = "category") -> None:
        """Warn of columns that say nothing and of those that look like identifiers."""
        if self.n_rows < 2:
            return
        for name, seen in zip(self.names, self.seen, strict=True):
            if odd := _odd_words(seen):
                warn(f"column {name!r}: {odd}", GalileoWarning)
                continue
            for message, category in _doubts(name, settled(seen), missing):
                warn(message, category)


def summarise(
    columns: Columns,
    weights: NDArray[np.float64] | None = None,
    *,
    kinds: Sequence[Kind] | None = None,
    binning: Binning | None = None,
    evidence: Mapping[str, Evidence] | None = None,
) -> Summary:
    """Summarise the rows of positive weight.

    Parameters
    ----------
    columns : Columns
    weights : ndarray of shape (n_rows,), optional
    kinds : sequence of {"auto", "categorical", "numeric"}, optional
        What the user says of each column; for text as it is written.
    binning : Binning, optional
        Which numbers will be cut into intervals.
    evidence : mapping of str to Evidence, optional
        What is already known of columns of text.
    """
    if weights is None:
        weights = np.ones(columns.n_rows)
    known = evidence or {}
    said: Sequence[Kind] = kinds or ("auto",) * len(columns.columns)
    seen = tuple(
        see(column, weights, kind, binning, known.get(column.name, Evidence()))
        for column, kind in zip(columns.columns, said, strict=True)
    )
    return Summary(columns.names, seen, int(np.count_nonzero(weights > 0)))


def infer_schema(
    columns: Columns,
    weights: NDArray[np.float64] | None = None,
    missing: Missing = "category",
    *,
    binning: Binning | None = None,
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
    binning : Binning, optional
        Which numbers are cut into intervals.

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
    >>> from galileomix._table import read
    >>> infer_schema(read([["b", 1.0], ["a", 3.0], [None, 2.0]])).attributes[0]
    Categorical(name='x0', values=('a', 'b', None))
    """
    summary = summarise(columns, weights, binning=binning)
    summary.warn(missing)
    return summary.schema(missing, binning)


def _odd_words(seen: Seen) -> str | None:
    """Return what to say of a column of text that would be numbers but for some words."""
    if not isinstance(seen, Spelt) or not isinstance(seen.seen, Vocabulary):
        return None
    distinct = len(seen.seen) - seen.seen.missing
    return seen.almost.note(distinct) if seen.evidence.meaning(seen.kind) == "text" else None


def _doubts(name: str, seen: Seen, missing: Missing) -> Iterator[tuple[str, type[Warning]]]:
    if seen.rows == 0:
        yield (
            f"column {name!r} is missing in every row; it says nothing",
            ConstantColumnWarning,
        )
    elif _constant(seen, missing):
        yield f"column {name!r} has one value; it says nothing", ConstantColumnWarning
    elif isinstance(seen, Vocabulary) and _identifies(seen):
        yield (
            f"column {name!r} looks like an identifier: {len(seen)} different values in "
            f"{seen.rows} rows; leave it out, or make it a float if it is a measurement",
            GalileoWarning,
        )


def _constant(seen: Seen, missing: Missing) -> bool:
    if isinstance(seen, Vocabulary):
        return len(seen) - (missing == "ignore" and seen.missing) == 1
    return not isinstance(seen, Spelt) and seen.low == seen.high


def _identifies(seen: Vocabulary) -> bool:
    distinct = len(seen) - seen.missing
    return seen.rows > DISTINCT_ROWS and distinct > DISTINCT_PART * seen.rows
