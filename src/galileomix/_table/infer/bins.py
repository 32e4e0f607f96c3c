"""Numbers into intervals: by what rule, and what they are called."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, cast

import numpy as np

from galileomix.errors import ParameterError

Rule = Literal["quantile", "width"]
Cut = tuple[Rule, int] | tuple[float, ...]
"""A rule and a number of intervals, or the inner edges themselves."""
Column = str | int
Discretize = (
    None | Rule | tuple[Rule, int] | Mapping[Any, Rule | tuple[Rule, int] | Sequence[float]]
)

RULES = ("quantile", "width")
BINS = 5
"""Intervals per column where the user names no number."""
MOST_BINS = 1000
"""More are no intervals any more: a component would have a parameter for each."""
DIGITS = 6


@dataclass(frozen=True)
class Binning:
    """Which numeric columns are cut into intervals, and how.

    `every` says how to cut every numeric column; where it is None, `columns` says how to cut
    those that the user names, by name or position.
    """

    every: Cut | None
    columns: Mapping[Column, Cut]

    def wants(self, name: str) -> bool:
        """Return whether a numeric column is cut."""
        return self.every is not None or name in self.columns

    def cut(self, name: str) -> Cut:
        """Return how a column is cut."""
        return self.columns[name] if self.every is None else self.every

    def by_name(self, names: Sequence[str]) -> Binning:
        """Return the same with names of columns instead of positions."""
        found: dict[Column, Cut] = {}
        for column, cut in self.columns.items():
            name = column if isinstance(column, str) else names[column]
            if name in found:
                raise ParameterError(f"discretize names the column {name!r} twice")
            found[name] = cut
        return Binning(self.every, found)


def binning_of(discretize: object) -> Binning | None:
    """Return what the parameter ``discretize`` stands for.

    Examples
    --------
    >>> binning_of(("width", 3)).every
    ('width', 3)
    >>> binning_of({"age": [18, 65], "pay": "width", 0: ("quantile", 3)}).columns
    {'age': (18.0, 65.0), 'pay': ('width', 5), 0: ('quantile', 3)}
    """
    if discretize is None:
        return None
    if isinstance(discretize, Mapping):
        given = cast("Mapping[object, Any]", discretize).items()
        cuts = {_column(key): _rule(cut) or _edges(key, cut) for key, cut in given}
        return Binning(None, cuts)
    cut = _rule(discretize)
    if cut is None:
        raise ParameterError(
            f"discretize={discretize!r}: it must be 'quantile', 'width', one of these with a "
            f"number of intervals (2 to {MOST_BINS}) as ('quantile', 5), or any of them or edges "
            f"by column as {{'age': [18, 65], 'pay': 'width'}}"
        )
    return Binning(cut, {})


def _column(key: object) -> Column:
    if isinstance(key, str):
        return key
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        return int(key)
    raise ParameterError(f"discretize has the key {key!r}: give names or positions of columns")


def _rule(given: Any) -> tuple[Rule, int] | None:
    """Return a rule that is given with or without a number; None where it is not one."""
    if isinstance(given, str):
        given = (given, BINS)
    if not isinstance(given, tuple) or len(cast("tuple[Any, ...]", given)) != 2:
        return None
    rule, n_bins = cast("tuple[Any, Any]", given)
    whole = isinstance(n_bins, int | np.integer) and not isinstance(n_bins, bool)
    number = whole and 2 <= n_bins <= MOST_BINS
    return (rule, int(n_bins)) if isinstance(rule, str) and rule in RULES and number else None


def _edges(column: object, given: Any) -> tuple[float, ...]:
    try:
        edges = () if isinstance(given, str) else tuple(map(float, given))
    except (TypeError, ValueError, OverflowError):
        edges = ()
    ordered = all(low < high for low, high in pairwise(edges))
    if not edges or not ordered or not all(map(math.isfinite, edges)):
        raise ParameterError(
            f"discretize[{column!r}]={given!r}: give the edges between intervals, finite numbers "
            f"that increase, or a rule as 'width' or ('quantile', 3), of 2 to {MOST_BINS} intervals"
        )
    return edges


def labels(edges: Sequence[float]) -> tuple[str, ...]:
    """Return the names of the intervals between edges.

    Examples
    --------
    >>> labels((1.5, 2.7))
    ('< 1.5', '[1.5, 2.7)', '>= 2.7')
    >>> labels((1000000.0, 1000000.5))
    ('< 1000000', '[1000000, 1000000.5)', '>= 1000000.5')
    """
    if not edges:
        return ("any number",)
    shown = _shown(edges)
    inner = (f"[{low}, {high})" for low, high in pairwise(shown))
    return (f"< {shown[0]}", *inner, f">= {shown[-1]}")


def _shown(edges: Sequence[float]) -> list[str]:
    """Return edges in as many digits as make them differ, six or more."""
    for digits in range(DIGITS, 18):
        shown = [
            np.format_float_positional(edge, max(digits, len(str(int(abs(edge))))), False, False)
            for edge in edges
        ]
        shown = [text.rstrip("0").rstrip(".") if "." in text else text for text in shown]
        if len(set(shown)) == len(shown):
            return shown
    return [repr(edge) for edge in edges]
