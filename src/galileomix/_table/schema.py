"""What the columns of a table are: how each was taken and why, and what the model knows of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from galileomix._table.attribute import (
    Attribute,
    Binned,
    Categorical,
    Numeric,
    Ordered,
    attribute_from,
)
from galileomix._table.text.text_format import TextFormat
from galileomix._words import counted
from galileomix.errors import ParameterError, TableError

Missing = Literal["category", "ignore"]
TypeName = Literal["category", "ordered", "number", "date", "identifier", "text", "dropped"]
MODELLED: tuple[TypeName, ...] = ("category", "ordered", "number", "date")
LEFT_OUT: tuple[TypeName, ...] = ("identifier", "text", "dropped")
TYPES_IN_WORDS: dict[TypeName, tuple[str, str]] = {
    "category": ("category", "categories"),
    "ordered": ("ordered category", "ordered categories"),
    "number": ("number", "numbers"),
    "date": ("date", "dates"),
    "identifier": ("identifier", "identifiers"),
    "text": ("column of text", "columns of text"),
    "dropped": ("column", "columns"),
}
SHOWN_NAMES = 4


@dataclass(frozen=True)
class ColumnType:
    """How one column was taken, and why.

    `type` is "category", "ordered", "number" or "date" (times and durations too) for what is
    modelled; "identifier", "text" or "dropped" for what is left out. `format` is how its text is
    read and `missing` the share of its cells that are missing.
    """

    name: str
    type: TypeName
    why: str = ""
    format: TextFormat = field(default_factory=TextFormat)
    missing: float = 0.0

    @property
    def modelled(self) -> bool:
        """Whether the column is in the model."""
        return self.type in MODELLED

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        known = {"name": self.name, "type": self.type, "why": self.why, "missing": self.missing}
        return {**known, "format": self.format.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ColumnType:
        """Return the record that `to_dict` wrote; raise TypeError where the data is none."""
        name, why, missing = data["name"], data["why"], data["missing"]
        texts = isinstance(name, str) and isinstance(why, str)
        share = isinstance(missing, int | float) and 0.0 <= missing <= 1.0
        if not texts or not share or data["type"] not in (*MODELLED, *LEFT_OUT):
            raise TypeError(f"{data!r:.80} is not how a column was taken")
        return cls(name, data["type"], why, TextFormat.from_dict(data["format"]), float(missing))


class Place(NamedTuple):
    """Which columns of a block hold an attribute: one of codes, of numbers, or one of each."""

    code: int | None
    number: int | None


@dataclass(frozen=True)
class Schema:
    """The columns of a table, and the attributes that are modelled, both in the table's order.

    `missing` says whether a missing category is a value of its own or is ignored.

    Examples
    --------
    >>> schema = Schema((Categorical("odor", ("foul", "none")), Numeric("width", 5.0, 2.0)))
    >>> schema.names, schema.cardinalities, schema.n_attributes
    (('odor', 'width'), (2,), 2)
    >>> [column.type for column in schema.columns]
    ['category', 'number']
    >>> Schema.from_dict(schema.to_dict()) == schema
    True
    """

    attributes: tuple[Attribute, ...]
    missing: Missing = "category"
    columns: tuple[ColumnType, ...] = ()

    def __post_init__(self) -> None:
        """Check the parameter; columns that nothing is said of are what their attributes are."""
        check_missing(self.missing)
        if not self.columns:
            object.__setattr__(self, "columns", tuple(map(_type_of, self.attributes)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all attributes."""
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of all columns, those left out included."""
        return tuple(column.name for column in self.columns)

    @property
    def modelled(self) -> tuple[ColumnType, ...]:
        """How the columns of the attributes were taken, in the order of the attributes."""
        return tuple(column for column in self.columns if column.modelled)

    @property
    def left_out(self) -> tuple[ColumnType, ...]:
        """The columns that are not in the model."""
        return tuple(column for column in self.columns if not column.modelled)

    @cached_property
    def categorical(self) -> tuple[Categorical, ...]:
        """The columns of a block's codes: categories, and whether a number is a spike."""
        return tuple(
            a if isinstance(a, Categorical) else a.indicator
            for a in self.attributes
            if isinstance(a, Categorical) or a.spike is not None
        )

    @property
    def numeric(self) -> tuple[Numeric, ...]:
        """The columns of a block's numbers."""
        return self._numeric

    @cached_property
    def _numeric(self) -> tuple[Numeric, ...]:
        return tuple(a for a in self.attributes if isinstance(a, Numeric))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Where each attribute stands in a block."""
        found: list[Place] = []
        m = q = 0
        for attribute in self.attributes:
            number = isinstance(attribute, Numeric)
            coded = not number or attribute.spike is not None
            found.append(Place(m if coded else None, q if number else None))
            m, q = m + coded, q + number
        return tuple(found)

    def log_slope(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what is added to the log density of standardised records, (n, Q) to (n,)."""
        total = np.zeros(len(numbers))
        for q, attribute in enumerate(self.numeric):
            total += attribute.log_slope(numbers[:, q])
        return total

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """The number of values of each categorical attribute."""
        return tuple(len(attribute.values) for attribute in self.categorical)

    @property
    def ordered(self) -> tuple[tuple[int, int], ...]:
        """The positions of ordered attributes among the categorical ones; how many ranks each has.

        A missing value, where it is a value, is no rank.
        """
        return tuple(
            (m, len(attribute.values) - (None in attribute.values))
            for m, attribute in enumerate(self.categorical)
            if isinstance(attribute, Ordered)
        )

    @property
    def n_attributes(self) -> int:
        """The number of attributes."""
        return len(self.attributes)

    def in_words(self) -> str:
        """Return how many columns were taken as what.

        Examples
        --------
        >>> columns = (ColumnType("odor", "category", missing=0.25),)
        >>> Schema((Categorical("odor", ("foul", "none")),), columns=columns).in_words()
        '1 category; 25.0% of the cells are missing'
        """
        missing = float(np.mean([column.missing for column in self.modelled] or 0.0))
        words = ", ".join(self._counted())
        return f"{words}; {missing:.1%} of the cells are missing" if missing else words

    def _counted(self) -> list[str]:
        constant = {one.name for one in self.categorical if len(one.values) == 1}
        counts = Counter(column.type for column in self.columns if column.name not in constant)
        shown = [counted(counts[t], *TYPES_IN_WORDS[t]) for t in MODELLED if counts[t]]
        shown += [f"{len(constant)} constant"] if constant else []
        for type_ in LEFT_OUT:
            names = [column.name for column in self.left_out if column.type == type_]
            if names:
                more = ", ..." if len(names) > SHOWN_NAMES else ""
                left = f"{counted(len(names), *TYPES_IN_WORDS[type_])} left out"
                named = ", ".join(name or "''" for name in names[:SHOWN_NAMES])
                shown.append(f"{left} ({named}{more})")
        return shown

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        attributes = [attribute.to_dict() for attribute in self.attributes]
        columns = [column.to_dict() for column in self.columns]
        return {"missing": self.missing, "attributes": attributes, "columns": columns}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Schema:
        """Return the schema that `to_dict` wrote; raise TableError where the data is none."""
        try:
            attributes = tuple(map(attribute_from, data["attributes"]))
            # Model files of the first version say nothing of how columns were taken.
            columns = tuple(map(ColumnType.from_dict, data.get("columns", ())))
            return cls(attributes, data["missing"], columns)
        except (KeyError, TypeError, AttributeError) as error:
            raise TableError(f"this is not a schema: {error!r}") from error

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: not what was computed."""
        return {name: getattr(self, name) for name in ("attributes", "missing", "columns")}


def _type_of(attribute: Attribute) -> ColumnType:
    if isinstance(attribute, Numeric):
        return ColumnType(attribute.name, "number", format=TextFormat("number"))
    if isinstance(attribute, Binned):
        return ColumnType(attribute.name, "category", format=TextFormat("number"))
    return ColumnType(attribute.name, "ordered" if isinstance(attribute, Ordered) else "category")


def check_missing(missing: object) -> None:
    """Refuse what is neither "category" nor "ignore"."""
    if missing not in ("category", "ignore"):
        raise ParameterError(f"missing={missing!r}: it must be 'category' or 'ignore'")


__all__ = [
    "Attribute",
    "Binned",
    "Categorical",
    "ColumnType",
    "Missing",
    "Numeric",
    "Ordered",
    "Place",
    "Schema",
    "check_missing",
]
