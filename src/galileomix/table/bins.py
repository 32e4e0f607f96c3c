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
Discretize = None | Rule | tuple[Rule, int] | Mapping[str, Sequence[float]]

BINS = 5
"""Intervals per column where the user names no number."""
DIGITS = 6


@dataclass(frozen=True)
class Binning:
    """Which numbers become intervals, and by what rule.

    Parameters
    ----------
    rule : "quantile", "width" or None
        Applied to every numeric column; None where `edges` names the columns.
    n_bins : int
    edges : mapping of str to tuple of float
        The inner edges of the columns the user names.
    """

    rule: Rule | None
    n_bins: int
    edges: Mapping[str, tuple[float, ...]]

    def wants(self, name: str) -> bool:
        """Return whether a numeric column is to be cut."""
        return self.rule is not None or name in self.edges


def binning_of(discretize: object) -> Binning | None:
    """Return the rule that a user's ``discretize`` stands for.

    Examples
    --------
    >>> binning_of(("width", 3)).n_bins, binning_of({"age": [18, 65]}).edges
    (3, {'age': (18.0, 65.0)})
    """
    if discretize is None:
        return None
    if isinstance(discretize, Mapping):
        given = cast("Mapping[str, Any]", discretize)
        return Binning(None, 0, {name: _edges(name, given[name]) for name in given})
    rule, n_bins = discretize if isinstance(discretize, tuple) else (discretize, BINS)
    counted = isinstance(n_bins, int | np.integer) and not isinstance(n_bins, bool) and n_bins >= 2
    if rule not in ("quantile", "width") or not counted:
        raise ParameterError(
            f"discretize={discretize!r}: it must be 'quantile', 'width', one of these with a "
            f"number of intervals as ('quantile', 5), or edges by column as {{'age': [18, 65]}}"
        )
    return Binning(rule, int(cast(int, n_bins)), {})


def _edges(name: str, given: Any) -> tuple[float, ...]:
    try:
        edges = tuple(float(each) for each in given)
    except (TypeError, ValueError):
        edges = ()
    ordered = all(low < high for low, high in pairwise(edges))
    if not edges or not ordered or not all(map(math.isfinite, edges)):
        raise ParameterError(
            f"discretize[{name!r}]={given!r}: give the edges between intervals, finite numbers "
            f"that increase"
        )
    return edges


def labels(edges: Sequence[float]) -> tuple[str, ...]:
    """Return what the intervals between edges are called.

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
    """Return edges in as many digits as tell them apart, six or more."""
    for digits in range(DIGITS, 18):
        shown = [
            np.format_float_positional(edge, max(digits, len(str(int(abs(edge))))), False, False)
            for edge in edges
        ]
        shown = [text.rstrip("0").rstrip(".") if "." in text else text for text in shown]
        if len(set(shown)) == len(shown):
            return shown
    return [repr(edge) for edge in edges]
