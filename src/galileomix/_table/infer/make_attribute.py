"""The attribute of a column, once its type is decided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.attribute import (
    MOST_DECIMALS,
    OTHER,
    Attribute,
    Binned,
    Categorical,
    Numeric,
    Ordered,
)
from galileomix._table.infer.bins import Binning, labels
from galileomix._table.infer.column_summary import ColumnSummary
from galileomix._table.infer.digest import Digest
from galileomix._table.infer.reshape import AS_IT_IS, best_shape
from galileomix._table.schema import ColumnType, Missing
from galileomix._table.text.date_text import DAY_SECONDS
from galileomix._table.values import Value, key
from galileomix.errors import TableError

Doubles = NDArray[np.float64]

CENTER_STEPS = 256
"""The mean is rounded to this fraction of the scale: near enough to it to keep precision."""
LEAST_SCALE = -1000
"""No scale is below two to this power, so that steps of it are numbers too."""
MANY_VALUES = 64
"""Rare values are taken together only among more values than a person reads through."""
MOST_RARE = 1_000
"""Of those that are taken together so many are remembered: the most frequent."""


@dataclass(frozen=True)
class AttributeRules:
    """How attributes are made: what becomes of missing values, of numbers and of rare values.

    The `criterion` says what a free parameter costs: the more, the more values are rare. Where
    there is none, no values are taken together.
    """

    missing: Missing = "category"
    binning: Binning | None = None
    criterion: str | None = "bic"
    reshape: bool = True  # whether skewed numbers are transformed

    def price(self, rows: int) -> float:
        """Return what the log-likelihood has to gain by one free parameter more."""
        if self.criterion is None:
            return 0.0
        return 1.0 if self.criterion == "aic" else 0.5 * math.log(max(rows, 1))


def make_attribute(found: ColumnType, summary: ColumnSummary, rules: AttributeRules) -> Attribute:
    """Return the attribute that a column is."""
    if found.type in ("number", "date"):
        assert summary.numbers is not None or summary.rows == 0
        binning = rules.binning
        if binning is not None and found.type == "number" and binning.wants(found.name):
            return _binned(found.name, summary, rules.missing, binning)
        return _numeric(found, summary, rules.reshape)
    values = values_of(found, summary)
    missing = n_missing(found, summary) > 0 and rules.missing == "category"
    absent = (None,) if missing or not values else ()
    if found.type == "ordered":
        return Ordered(found.name, (*_in_order(found.name, values, summary), *absent))
    kept = _common(values, summary, rules.price(summary.rows))
    if kept is None:
        return Categorical(found.name, (*values, *absent))
    rare = _rare(values, set(kept), summary)
    return Categorical(found.name, (*kept, OTHER, *absent), pooled=True, rare=rare)


def n_missing(found: ColumnType, summary: ColumnSummary) -> int:
    """Return how many cells are missing: words among numbers are not where these are text."""
    if summary.numbers is None or not _is_text(found, summary):
        return summary.missing
    words = {key(text) for text in found.format.missing}
    named = sum(rows for text, rows in summary.values.counts.items() if text in words)
    return summary.rows + summary.missing - summary.values.rows + named


def _is_text(found: ColumnType, summary: ColumnSummary) -> bool:
    """Return whether numbers are categories as they are written."""
    return found.format.type == "text" and bool(summary.values.counts)


def values_of(found: ColumnType, summary: ColumnSummary) -> tuple[Value, ...]:
    """Return the categories of a column in order; numbers that are all whole are integers."""
    if summary.numbers is not None and not _is_text(found, summary):
        return _as_integers(tuple(summary.numbers.numbers.tolist()))
    gone = found.format.missing
    return _as_integers(tuple(v for v in summary.values.in_order() if v not in gone))


def _as_integers(values: tuple[Value, ...]) -> tuple[Value, ...]:
    whole = all(isinstance(value, float) and value.is_integer() for value in values)
    return tuple(int(value) for value in values if value is not None) if whole else values


def _in_order(name: str, values: tuple[Value, ...], summary: ColumnSummary) -> tuple[Value, ...]:
    """Return the values in the order that the user gives; refuse one that it does not have."""
    order = summary.declared.order
    if not order:
        return values
    known = {key(value) for value in order}
    strange = [value for value in values if key(value) not in known]
    if strange:
        raise TableError(
            f"{strange[0]!r} is not in the order that is given: {', '.join(map(repr, order))}",
            column=name,
        )
    return order


def all_rare(found: ColumnType, summary: ColumnSummary, price: float) -> bool:
    """Return whether the values of a category would all share `OTHER`, which tells nothing."""
    return found.type == "category" and _common(values_of(found, summary), summary, price) == ()


def _common(
    values: tuple[Value, ...], summary: ColumnSummary, price: float
) -> tuple[Value, ...] | None:
    """Return the values that can pay for a parameter of their own; None where all stay.

    A value of n rows adds at most n log 2 to the log-likelihood when two components tell it apart
    from the other rare ones, and costs one parameter more in each component but the first.
    """
    if len(values) <= MANY_VALUES:
        return None
    rows = _rows_of(values, summary)
    kept = tuple(value for value, n in zip(values, rows, strict=True) if n * math.log(2) >= price)
    return kept if len(values) - len(kept) > 1 else None


def _rare(
    values: tuple[Value, ...], kept: set[Value], summary: ColumnSummary
) -> tuple[tuple[Value, float], ...]:
    """Return the most frequent of the values that are not kept, in order, and their rows."""
    every = zip(values, map(float, _rows_of(values, summary)), strict=True)
    rare = [(value, rows) for value, rows in every if value not in kept]
    most = sorted(range(len(rare)), key=lambda i: -rare[i][1])[:MOST_RARE]
    return tuple(rare[i] for i in sorted(most))


def _rows_of(values: tuple[Value, ...], summary: ColumnSummary) -> list[float]:
    if summary.numbers is not None and not summary.values.counts:
        return (summary.numbers.shares * summary.rows).tolist()
    counts = summary.values.counts
    return [counts.get(key(value), counts.get(key(_float(value)), 0)) for value in values]


def _float(value: Value) -> Value:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _binned(name: str, summary: ColumnSummary, missing: Missing, binning: Binning) -> Categorical:
    if summary.rows == 0 or summary.numbers is None:
        return Categorical(name, (None,))
    edges = summary.numbers.edges(binning.cut(name))
    absent = (None,) if summary.missing and missing == "category" else ()
    return Binned(name, (*labels(edges), *absent), edges=edges)


def _numeric(found: ColumnType, summary: ColumnSummary, reshape: bool) -> Numeric:
    """Return the attribute of a column of numbers."""
    numbers = summary.numbers
    if numbers is None or not numbers.rows:
        return Numeric(found.name, 0.0, 1.0, summary.unit)
    amounts = found.type == "number" or summary.unit == "duration"  # no dates, no times of day
    shape = best_shape(numbers) if reshape and amounts else AS_IT_IS
    x, shares = numbers.numbers, numbers.shares
    if shape.spike is not None:
        x, shares = x[x != shape.spike], shares[x != shape.spike]
        shares = shares / shares.sum() if shares.sum() > 0 else np.full(len(x), 1.0 / len(x))
    center, scale = center_and_scale(shape.function.forward(x), shares)
    unit, positive = _unit(summary, numbers), numbers.low >= 0.0
    decimals = _decimals(numbers) if found.type == "number" else None
    return Numeric(found.name, center, scale, unit, *shape, positive=positive, decimals=decimals)


def _decimals(numbers: Digest) -> int | None:
    """Return how many decimals numbers have at most; None where they are many, or not known."""
    if numbers.whole:
        return 0
    x = numbers.numbers
    exact = (d for d in range(MOST_DECIMALS + 1) if (np.round(x, d) == x).all())
    return next(exact, None) if numbers.exact else None


def _unit(summary: ColumnSummary, numbers: Digest) -> str:
    """Return the unit of numbers: as it is written, or whether dates have a time of day."""
    if summary.unit != "date":
        written = summary.evidence.unit if summary.evidence else ""
        return summary.unit or written
    return "datetime" if (numbers.numbers % DAY_SECONDS).any() else "date"


def center_and_scale(x: Doubles, shares: Doubles) -> tuple[float, float]:
    """Return a round number near the mean and the power of two at or above the deviation.

    Examples
    --------
    >>> center_and_scale(np.array([1.0, 2.0, 3.0]), np.full(3, 1 / 3))
    (2.0, 1.0)
    """
    low, high = float(x.min()), float(x.max())
    width = high / 2.0 - low / 2.0  # half of it, which no float is too small for
    if width == 0.0:
        return low, 1.0
    away = (x / 2.0 - low / 2.0) / width
    mean = float((away * shares).sum())
    deviation = 2.0 * width * math.sqrt(max(float(((away - mean) ** 2 * shares).sum()), 0.0))
    scale = _power_of_two(deviation if deviation > 0 else width)
    step = scale / CENTER_STEPS
    return round((low + 2.0 * width * mean) / step) * step, scale


def _power_of_two(x: Any) -> float:
    """Return the least power of two that is no less than a number."""
    fraction, exponent = math.frexp(x)
    return math.ldexp(1.0, max(exponent - (fraction == 0.5), LEAST_SCALE))
