"""The values of a categorical column: a set that adds up and has one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from galileomix._table.values import Value

NONE = type(None).__name__


@dataclass(frozen=True)
class Vocabulary:
    """The values seen in a column and in how many rows one was present.

    ``Vocabulary()`` has seen nothing; two add up with ``+``.

    Parameters
    ----------
    sets : mapping of str to frozenset
        The values by the name of their type: ``1``, ``1.0`` and ``True`` are three values, which
        one set of Python's would take for one.
    rows : int

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
        sets: dict[str, list[Value]] = {}
        for value in values:
            sets.setdefault(type(value).__name__, []).append(value)
        return cls({name: frozenset(each) for name, each in sets.items()}, rows)

    def __add__(self, other: Vocabulary) -> Vocabulary:
        """Join what both have seen."""
        sets = {
            name: self.sets.get(name, frozenset()) | other.sets.get(name, frozenset())
            for name in (*self.sets, *other.sets)
        }
        return Vocabulary(sets, self.rows + other.rows)

    def __len__(self) -> int:
        """Return the number of values, a missing one included."""
        return sum(map(len, self.sets.values()))

    @property
    def missing(self) -> bool:
        """Whether a cell was missing."""
        return NONE in self.sets

    def in_order(self) -> tuple[Value, ...]:
        """Return the values by type and value, with the missing one last."""
        known: list[Value] = []
        for name in sorted(set(self.sets) - {NONE}):
            comparable: Any = self.sets[name]
            known += sorted(comparable)
        return (*known, None) if self.missing else tuple(known)
