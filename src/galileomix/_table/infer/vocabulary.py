"""The values of a categorical column and how often they occur: a count that adds up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from galileomix._table.values import Key, Value, key
from galileomix.errors import TableError

MOST_VALUES = 1 << 20
"""A column of more values than this is taken for an identifier, and they are not held."""


@dataclass(frozen=True)
class Vocabulary:
    """How many rows hold each value that occurs in a column, None not among them. Parts add up.

    ``1``, ``1.0`` and ``True`` are three values, so that they are counted by a key that has the
    type. `order` are the values of an ordered column, from the lowest to the highest.

    Examples
    --------
    >>> total = Vocabulary.of([(True, 2), (1, 1)]) + Vocabulary.of([(1, 1), ("a", 3)])
    >>> total.in_order(), total.rows, total.counts[("int", 1)]
    ((True, 1, 'a'), 7, 2)
    """

    counts: Mapping[Key, int] = field(default_factory=dict[Key, int])
    rows: int = 0
    overflow: bool = False  # whether there were more than `most` values: none is held then
    order: tuple[Value, ...] = ()
    most: int = MOST_VALUES

    @classmethod
    def of(
        cls,
        values: Iterable[tuple[Value, int]],
        order: tuple[Value, ...] = (),
        most: int = MOST_VALUES,
    ) -> Vocabulary:
        """Count distinct values, each held by so many rows."""
        counts = {key(value): rows for value, rows in values if value is not None and rows}
        return _limited(counts, sum(counts.values()), False, order, most)

    def __add__(self, other: Vocabulary) -> Vocabulary:
        """Join the values of both."""
        if self.order and other.order and self.order != other.order:
            raise TableError(
                f"the order of its values differs between parts of the table: "
                f"{self.order[:5]} and {other.order[:5]}"
            )
        small, large = sorted((self.counts, other.counts), key=len)
        counts = dict(large)
        for value, rows in small.items():
            counts[value] = counts.get(value, 0) + rows
        overflow = self.overflow or other.overflow
        order = self.order or other.order
        return _limited(counts, self.rows + other.rows, overflow, order, self.most)

    def __len__(self) -> int:
        """Return the number of values."""
        return self.most + 1 if self.overflow else len(self.counts)

    @property
    def values(self) -> list[Value]:
        """The values in any order."""
        return [value for _, value in self.counts]

    def in_order(self) -> tuple[Value, ...]:
        """Return the values in the order of the column, or by type and value."""
        if self.order:
            return tuple(value for value in self.order if key(value) in self.counts)
        comparable: Any = self.counts
        return tuple(value for _, value in sorted(comparable))


def _limited(
    counts: dict[Key, int], rows: int, overflow: bool, order: tuple[Value, ...], most: int
) -> Vocabulary:
    overflow = overflow or len(counts) > most
    return Vocabulary({} if overflow else counts, rows, overflow, order, most)
