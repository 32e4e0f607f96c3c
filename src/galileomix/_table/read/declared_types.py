"""What the user says of columns: which are categories, numbers, ordered, or to be left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from galileomix._table.values import Value, plain
from galileomix.errors import ParameterError

Names = Sequence[str | int]
CategoricalChoice = Literal["auto", "all"] | Names
NumericChoice = Literal["all"] | Names
OrderedChoice = Names | Mapping[Any, Sequence[Any]]
DeclaredType = Literal["auto", "categorical", "numeric", "ordered", "drop"]


class Declared(NamedTuple):
    """What the user says of one column; "auto" where nothing.

    `order` are the values of an ordered column, from the lowest to the highest, where they are
    given.
    """

    type: DeclaredType = "auto"
    order: tuple[Value, ...] = ()


AUTO = Declared()


@dataclass(frozen=True)
class TypeChoices:
    """What the user says of a table: columns by name or position.

    A choice of "all" is for every column that no other choice names. `cut` are numbers that
    become intervals.

    Examples
    --------
    >>> choices = TypeChoices(numeric=["age"], ordered={"size": ["S", "L"]}, drop=[2])
    >>> [declared.type for declared in choices.of(("age", "size", "id", "pay"))]
    ['numeric', 'ordered', 'drop', 'auto']
    """

    categorical: CategoricalChoice = "auto"
    numeric: NumericChoice = ()
    ordered: OrderedChoice = ()
    drop: Names = ()
    cut: Names = ()

    def of(self, names: Sequence[str]) -> tuple[Declared, ...]:
        """Return what is said of each column."""
        said: dict[int, tuple[str, Declared]] = {}
        for parameter, declared, column in self._named():
            position = _position(parameter, names, column)
            before = said.setdefault(position, (parameter, declared))
            if before[1] != declared:
                raise ParameterError(
                    f"{before[0]} and {parameter} both name the column {names[position]!r}"
                )
        everything = self._everything()
        return tuple(said[m][1] if m in said else everything for m in range(len(names)))

    def _named(self) -> Iterator[tuple[str, Declared, object]]:
        """Yield the parameter, what it says and the column, for every column that is named."""
        lists: dict[str, tuple[DeclaredType, Any]] = {
            "categorical": ("categorical", _unless("categorical", self.categorical, "auto", "all")),
            "numeric": ("numeric", _unless("numeric", self.numeric, "all")),
            "drop": ("drop", _unless("drop", self.drop)),
            "discretize": ("numeric", self.cut),
        }
        for parameter, (type_, columns) in lists.items():
            yield from ((parameter, Declared(type_), column) for column in columns)
        ordered = self.ordered
        if isinstance(ordered, Mapping):
            for column, order in cast("Mapping[object, Any]", ordered).items():
                yield "ordered", Declared("ordered", _order(column, order)), column
        else:
            named = _unless("ordered", ordered)
            yield from (("ordered", Declared("ordered"), column) for column in named)

    def _everything(self) -> Declared:
        """Return what is said of columns that are not named."""
        if _is(self.categorical, "all") and _is(self.numeric, "all"):
            raise ParameterError("categorical='all' and numeric='all': only one of them can be")
        if _is(self.categorical, "all"):
            return Declared("categorical")
        return Declared("numeric") if _is(self.numeric, "all") else AUTO


def _is(choice: object, word: str) -> bool:
    return isinstance(choice, str) and choice == word


def _unless(parameter: str, given: Any, *words: str) -> Iterable[object]:
    """Return the columns that a parameter lists; none where it is one of the words."""
    if isinstance(given, str):
        if given in words:
            return ()
        instead = "".join(f"{word!r} or " for word in words)
        raise ParameterError(f"{parameter}={given!r}: give {instead}a list such as [{given!r}]")
    if not isinstance(given, Iterable):
        instead = "".join(f"{word!r} or " for word in words)
        raise ParameterError(
            f"{parameter}={given!r}: give {instead}a list of column names or positions"
        )
    return cast("Iterable[object]", given)


def _order(column: object, given: Any) -> tuple[Value, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(
            f"ordered[{column!r}]={given!r}: give its values, from the lowest to the highest"
        )
    values = tuple(map(plain, cast("Iterable[object]", given)))
    if len(set(values)) < len(values) or None in values:
        raise ParameterError(f"ordered[{column!r}]={given!r}: a value is missing or given twice")
    return values


def undeclared(names: Sequence[str]) -> tuple[Declared, ...]:
    """Return "auto" for each column."""
    return (AUTO,) * len(names)


def _position(parameter: str, names: Sequence[str], column: object) -> int:
    """Return the position of a column that is given by name or position."""
    if isinstance(column, bool | np.bool_):
        raise ParameterError(
            f"{parameter} holds {column!r}: give the names or positions of the columns, not a mask"
        )
    if isinstance(column, str) and column in names:
        return names.index(column)
    if isinstance(column, int | np.integer) and 0 <= column < len(names):
        return int(column)
    raise ParameterError(
        f"{parameter} names {column!r}, but the table has no such column; it has {some(names)}"
    )


def named_twice(names: Sequence[str]) -> str:
    """Return what is wrong where a name occurs more than once; nothing where none does."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    return f"{len(twice)} column name(s) occur more than once: {some(twice)}" if twice else ""


def some(names: Sequence[str], most: int = 10) -> str:
    """Return the first names for a message."""
    more = ", ..." if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
