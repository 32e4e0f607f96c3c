"""What the columns of a table are: a name each, and its values or its centre and scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from galileomix._table.values import Value
from galileomix.errors import ParameterError, TableError

Missing = Literal["category", "ignore"]


@dataclass(frozen=True)
class Categorical:
    """A categorical attribute.

    Its values have one order: by type, then by value, the missing one (None) last.
    """

    name: str
    values: tuple[Value, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return {"kind": "categorical", "name": self.name, "values": list(self.values)}


@dataclass(frozen=True)
class Binned(Categorical):
    """A numeric column cut into intervals, which are its categories.

    The values are the intervals as text, in increasing order, with None last where cells are
    missing. The edges lie between the intervals; a number that equals an edge is above it.
    """

    edges: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return {**super().to_dict(), "kind": "binned", "edges": list(self.edges)}


@dataclass(frozen=True)
class Ordered(Categorical):
    """A categorical attribute whose values have an order: from the lowest to the highest."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return {**super().to_dict(), "kind": "ordered"}


@dataclass(frozen=True)
class Numeric:
    """A numeric attribute, with a round number near its mean and a power of two near its deviation.

    The model works with ``(x - center) / scale``; this is for precision alone and changes no
    result.
    """

    name: str
    center: float
    scale: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        scaling = {"center": self.center, "scale": self.scale}
        return {"kind": "numeric", "name": self.name, **scaling}


Attribute = Categorical | Numeric


@dataclass(frozen=True)
class Schema:
    """The attributes of a table, in the order of its columns.

    `missing` says whether a missing category is a value of its own or is ignored.

    Examples
    --------
    >>> schema = Schema((Categorical("odor", ("foul", "none")), Numeric("width", 5.0, 2.0)))
    >>> schema.names, schema.cardinalities, schema.n_attributes
    (('odor', 'width'), (2,), 2)
    >>> Schema.from_dict(schema.to_dict()) == schema
    True
    """

    attributes: tuple[Attribute, ...]
    missing: Missing = "category"

    def __post_init__(self) -> None:
        """Check the parameter."""
        check_missing(self.missing)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all attributes."""
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def categorical(self) -> tuple[Categorical, ...]:
        """The categorical attributes: the columns of a block's codes."""
        return tuple(a for a in self.attributes if isinstance(a, Categorical))

    @property
    def numeric(self) -> tuple[Numeric, ...]:
        """The numeric attributes: the columns of a block's numbers."""
        return tuple(a for a in self.attributes if isinstance(a, Numeric))

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

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        attributes = [attribute.to_dict() for attribute in self.attributes]
        return {"missing": self.missing, "attributes": attributes}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Schema:
        """Return the schema that `to_dict` wrote; raise TableError where the data is none."""
        try:
            return cls(tuple(map(_attribute, data["attributes"])), data["missing"])
        except (KeyError, TypeError, AttributeError) as error:
            raise TableError(f"this is not a schema: {error!r}") from error


def _attribute(data: Mapping[str, Any]) -> Attribute:
    if data["kind"] == "numeric":
        return Numeric(str(data["name"]), *_numbers((data["center"], data["scale"])))
    if data["kind"] not in ("categorical", "binned", "ordered"):
        raise TableError(f"attribute {data['name']!r} has the unknown kind {data['kind']!r}")
    values = _listed(data["values"])
    for value in values:
        if value is not None and not isinstance(value, str | int | float):
            raise TableError(f"attribute {data['name']!r}: {value!r} is not a value")
    if data["kind"] == "binned":
        return Binned(str(data["name"]), tuple(values), _numbers(_listed(data["edges"])))
    family = Ordered if data["kind"] == "ordered" else Categorical
    return family(str(data["name"]), tuple(values))


def _listed(data: Any) -> Sequence[Any]:
    """Refuse what is not a list, such as text, which is a sequence too."""
    if not isinstance(data, list | tuple):
        raise TypeError(f"{data!r:.60} is not a list")
    return cast("Sequence[Any]", data)


def _numbers(data: Sequence[Any]) -> tuple[float, ...]:
    """Refuse what is not a number, such as text that reads as one, or a boolean."""
    for number in data:
        if not isinstance(number, int | float) or isinstance(number, bool):
            raise TypeError(f"{number!r:.60} is not a number")
    return tuple(map(float, data))


def check_missing(missing: object) -> None:
    """Refuse what is neither "category" nor "ignore"."""
    if missing not in ("category", "ignore"):
        raise ParameterError(f"missing={missing!r}: it must be 'category' or 'ignore'")
