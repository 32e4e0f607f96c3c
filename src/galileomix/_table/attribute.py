"""What one column of a table is in the model: its values, or where its numbers lie."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import LARGEST_NUMBER
from galileomix._table.transform import TRANSFORMS, Transform, TransformName
from galileomix._table.values import Value
from galileomix._words import counted, shown_number
from galileomix.errors import TableError

OTHER = "(other)"
"""The value that stands for all rare values of a column together."""
MOMENTS = ("date", "datetime", "time", "duration")
"""Units of what is in seconds: dates are whole days, with a time of day they are "datetime"."""
NOT_SPIKE = "any other number"
MOST_DECIMALS = 6
FARTHEST = 1e100
"""In units of the scale: the square of what is farther out may be too large for a float."""


@dataclass(frozen=True)
class Categorical:
    """A categorical attribute.

    Its values have one order: by type, then by value, the missing one (None) last. Where it is
    `pooled`, `OTHER` stands before that for every value that is not among them, and the most
    frequent of those are in `rare`, each with the rows that hold it, so that they can be drawn.
    """

    name: str
    values: tuple[Value, ...]
    pooled: bool = False
    rare: tuple[tuple[Value, float], ...] = ()

    @property
    def modelled_as(self) -> tuple[str, ...]:
        """What is done to the values, in words; nothing where they are taken as they are."""
        if not self.pooled:
            return ()
        named = len(self.values) - 1 - (None in self.values[-1:])
        return (f"all but {counted(named, 'value')} share {OTHER}",)

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        pooled = {"pooled": True, "rare": [*map(list, self.rare)]} if self.pooled else {}
        return {"kind": "categorical", "name": self.name, "values": list(self.values), **pooled}


@dataclass(frozen=True)
class Binned(Categorical):
    """A numeric column cut into intervals, which are its categories.

    The values are the intervals as text, in increasing order, with None last where cells are
    missing. The edges lie between the intervals; a number that equals an edge is above it.
    """

    edges: tuple[float, ...] = ()

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
    """A numeric attribute: what is done to its numbers before the model sees them.

    The model works with ``(T(x) - center) / scale``. The centre is a round number near the mean
    and the scale a power of two near the deviation, for precision alone. T is the identity, or a
    transformation that takes skew away. A `spike` is a number that so many rows hold that it is a
    category of its own: then the attribute has codes too, those of its `indicator`.
    """

    name: str
    center: float
    scale: float
    unit: str = ""  # "%", "$", "kg", ..., or one of `MOMENTS`, which are in seconds
    transform: TransformName = ""
    power: float = 1.0  # of the transformation of Yeo and Johnson
    stretch: float = 1.0  # what numbers are divided by before it
    spike: float | None = None
    positive: bool = False  # whether no number is below zero, so that none is drawn either
    decimals: int | None = None  # the most that a number has, and those that are drawn; None: many

    @cached_property
    def function(self) -> Transform:
        """The transformation T."""
        return Transform(self.transform, self.power, self.stretch)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: not what was computed."""
        return _fields(self, "name", "center", "scale", *_MORE)

    @property
    def is_moment(self) -> bool:
        """Whether the numbers are dates, times or durations."""
        return self.unit in MOMENTS

    @property
    def modelled_as(self) -> tuple[str, ...]:
        """What is done to the numbers, in words; nothing where they are taken as they are."""
        scale = {"log": "on a logarithmic scale", "yeo-johnson": "on a scale without skew"}
        words = [scale[self.transform]] if self.transform else []
        if self.spike is not None:
            words.append(f"{shown_number(self.spike, self.unit)} is a value of its own")
        return tuple(words)

    @property
    def indicator(self) -> Categorical:
        """Whether a number is the spike or another one."""
        return Categorical(self.name, (self.spike, NOT_SPIKE))

    def standardised(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """Return numbers as the model sees them; NaN where missing, or the spike.

        What is `FARTHEST` from the centre, or farther, is so far.
        """
        x = x.astype(np.float64, copy=False)
        if self.spike is not None:
            x = np.where(x == self.spike, np.nan, x)
        return np.clip((self.function.forward(x) - self.center) / self.scale, -FARTHEST, FARTHEST)

    def original(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return numbers in the user's units, no larger than those of a table can be."""
        with np.errstate(over="ignore"):
            found = self.function.backward(z * self.scale + self.center)
        return np.clip(found, -LARGEST_NUMBER, LARGEST_NUMBER)

    def rounded(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return numbers with no more decimals than those of the table have."""
        return x if self.decimals is None else np.round(x, self.decimals)

    def spread(self, z: NDArray[np.float64], deviation: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return deviations of standardised numbers in the user's units."""
        if not self.transform:
            return deviation * self.scale
        return 0.5 * (self.original(z + deviation) - self.original(z - deviation))

    def log_slope(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what is added to log-densities of standardised numbers to be those of x."""
        log_scale = np.log(self.scale)
        if not self.transform:
            return np.where(np.isnan(z), 0.0, -log_scale)
        slope = self.function.log_slope(self.original(z)) - log_scale
        return np.where(np.isnan(z), 0.0, slope)

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold: what is not as usual among the rest."""
        usual = Numeric(self.name, self.center, self.scale)
        more = {n: v for n, v in _fields(self).items() if v != getattr(usual, n)}
        return {"kind": "numeric", **_fields(usual, "name", "center", "scale"), **more}


Attribute = Categorical | Numeric
_MORE = ("unit", "transform", "power", "stretch", "spike", "positive", "decimals")


def _fields(attribute: Numeric, *names: str) -> dict[str, Any]:
    return {name: getattr(attribute, name) for name in names or _MORE}


def attribute_from(data: Mapping[str, Any]) -> Attribute:
    """Return the attribute that `to_dict` wrote; raise TypeError where the data is none."""
    if data["kind"] == "numeric":
        return _numeric_from(data)
    if data["kind"] not in ("categorical", "binned", "ordered"):
        raise TableError(f"attribute {data['name']!r} has the unknown kind {data['kind']!r}")
    name, values = str(data["name"]), _listed(data["values"])
    pooled, rare = data.get("pooled", False), _rare(_listed(data.get("rare", ())))
    for value in (*values, *(value for value, _ in rare)):
        if value is not None and not isinstance(value, str | int | float):
            raise TableError(f"attribute {name!r}: {value!r:.60} is not a value")
    if not isinstance(pooled, bool) or (pooled and OTHER not in values[-2:]):
        raise TypeError(f"pooled={pooled!r:.60} without {OTHER!r} among the values")
    if data["kind"] == "binned":
        return Binned(name, tuple(values), edges=_numbers(_listed(data["edges"])))
    of_kind = Ordered if data["kind"] == "ordered" else Categorical
    return of_kind(name, tuple(values), pooled, rare)


def _rare(data: Sequence[Any]) -> tuple[tuple[Any, float], ...]:
    """Refuse what are not values with the rows that hold each."""
    pairs = [tuple(_listed(pair)) for pair in data]
    if any(len(pair) != 2 for pair in pairs):
        raise TypeError(f"{data!r:.60} are not values and rows")
    rows = _numbers([pair[1] for pair in pairs])
    if not all(0 < n < math.inf for n in rows):
        raise TypeError(f"{max(rows)!r} is no number of rows")
    return tuple((pair[0], n) for pair, n in zip(pairs, rows, strict=True))


def _numeric_from(data: Mapping[str, Any]) -> Numeric:
    more = {name: data[name] for name in _MORE if name in data}
    numbers = [more[name] for name in ("power", "stretch", "spike") if name in more]
    _numbers(numbers)
    if data.get("whole") is True:  # as the first versions wrote it
        more["decimals"] = 0
    places = more.get("decimals")
    counted = type(places) is int and 0 <= places <= MOST_DECIMALS
    sound = isinstance(more.get("unit", ""), str) and isinstance(more.get("positive", False), bool)
    if not (sound and (places is None or counted)) or more.get("transform", "") not in TRANSFORMS:
        raise TypeError(f"{more!r:.80} is not what is done to numbers")
    center, scale = _numbers((data["center"], data["scale"]))
    return Numeric(str(data["name"]), center, scale, **more)


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
