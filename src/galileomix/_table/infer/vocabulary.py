"""The values of a categorical column: a set that adds up and has one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from galileomix._table.values import Value

NONE = type(None).__name__


@dataclass(frozen=True)
class Vocabulary:
    """The values that occur in a column, and in how many rows one is present. Parts add up.

    The values are in sets by the name of their type: ``1``, ``1.0`` and ``True`` are three values,
    which one set of Python's would take for one.

    Examples
    --------
    >>> (Vocabulary.of([True, 1, None], 2) + Vocabulary.of([1, "a"], 2)).in_order()
    (True, 1, 'a', None)
    """

    sets: Mapping[str, frozenset[Value]] = field(default_factory=dict[str, frozenset[Value]])
    rows: int = 0

    @classmethod
    def of(cls, values: Iterable[Value], rows: int) -> Vocabulary:
        """Collect distinct values."""
        by_type: dict[str, list[Value]] = {}
        for value in values:
            by_type.setdefault(type(value).__name__, []).append(value)
        return cls({name: frozenset(same) for name, same in by_type.items()}, rows)

    @classmethod
    def of_texts(cls, texts: list[Value], missing: bool, rows: int) -> Vocabulary:
        """Collect distinct texts, without a look at the type of each."""
        values = {str.__name__: frozenset(texts)} if texts else {}
        return cls(values | ({NONE: frozenset({None})} if missing else {}), rows)

    def __add__(self, other: Vocabulary) -> Vocabulary:
        """Join the values of both."""
        sets = {
            name: self.sets.get(name, frozenset()) | other.sets.get(name, frozenset())
            for name in (*self.sets, *other.sets)
        }
        return Vocabulary(sets, self.rows + other.rows)

    def __len__(self) -> int:
        """Return the number of values, a missing one included."""
        return sum(map(len, self.sets.values()))

    def __iter__(self) -> Iterator[Value]:
        """Yield the values in any order."""
        return chain.from_iterable(self.sets.values())

    @property
    def missing(self) -> bool:
        """Whether a cell was missing."""
        return NONE in self.sets

    def in_order(self) -> tuple[Value, ...]:
        """Return the values by type and value, with the missing one last."""
        present: list[Value] = []
        for name in sorted(set(self.sets) - {NONE}):
            comparable: Any = self.sets[name]
            present += sorted(comparable)
        return (*present, None) if self.missing else tuple(present)
