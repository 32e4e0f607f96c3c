"""The columns of a new table, in the order of those that were fitted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from galileomix._table.schema import Schema
from galileomix.errors import TableError

SHOWN_NAMES = 5


class HasColumns(Protocol):
    """A table, read or not: `Columns` or a `Source`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        ...

    @property
    def named(self) -> bool:
        """Whether the names are the user's own."""
        ...

    def select(self, names: Sequence[str]) -> Any:
        """Return some of the columns."""
        ...


T = TypeVar("T", bound=HasColumns)


def align(columns: T, schema: Schema, *, named: bool, estimator: str) -> T:
    """Find the fitted columns in a new table.

    By name where both tables have names of the user's own: any order, and further columns are
    ignored. Otherwise by position, and the number of columns must be the same.

    Parameters
    ----------
    columns : Columns or Source
        The new table.
    schema : Schema
        What was fitted.
    named : bool
        Whether the names in the schema are the user's own (`Columns.named` of the fitted table).
    estimator : str
        Who is asking; for the message.

    Returns
    -------
    Columns or Source
        As many columns as the schema has attributes, in its order.

    Examples
    --------
    >>> from galileomix._table import infer_schema, read
    >>> schema = infer_schema(read({"odor": ["none", "foul"], "width": [1.0, 2.0]}))
    >>> new = read({"width": [3.0], "note": ["late"], "odor": ["foul"]})
    >>> align(new, schema, named=True, estimator="Galileo").names
    ('odor', 'width')
    """
    if named and columns.named:
        return _by_name(columns, schema)
    found, expected = len(columns.names), schema.n_attributes
    if found != expected:
        raise TableError(
            f"X has {found} features, but {estimator} is expecting {expected} features as input."
        )
    return columns


def _by_name(columns: T, schema: Schema) -> T:
    absent = [name for name in schema.names if name not in columns.names]
    if absent:
        shown = [f"- {name}\n" for name in absent[:SHOWN_NAMES]]
        more = ["- ...\n"] if len(absent) > SHOWN_NAMES else []
        raise TableError(
            "The feature names should match those that were passed during fit.\n"
            "Feature names seen at fit time, yet now missing:\n" + "".join(shown + more)
        )
    return columns.select(schema.names)
