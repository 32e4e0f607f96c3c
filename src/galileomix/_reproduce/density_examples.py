"""The worked examples of Section II: lengths, densities, and deviations as entropies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import xlogy

from galileomix._reproduce import paper
from galileomix._reproduce.record import Chart, Claim, Item, Plan, Series
from galileomix._reproduce.verdict import compare

ABOUT = """\
The effective length of an axis is exp(S), the density N over the product of the lengths. The \
paper gives these values with pictures whose counts it does not print; the counts here \
give them. The last rows check what the paper says of the standard deviation of \
known distributions: it is a constant times exp(S)."""
UNITS: dict[str, tuple[Any, float]] = {
    "Gaussian": (stats.norm(scale=2.0), 1 / math.sqrt(2 * math.pi * math.e)),
    "exponential": (stats.expon(scale=2.0), 1 / math.e),
    "Laplace": (stats.laplace(scale=2.0), 1 / (math.sqrt(2) * math.e)),
}
"""Distributions, and what the paper multiplies exp(S) by to get their deviation."""


def compute(plan: Plan) -> Item:
    """Compute every example."""
    claims = (*_lines(), *_planes(), *_deviations())
    bars = [each for each in claims if each.what.startswith("density")]
    chart = Chart(
        "The examples of Section II",
        "",
        "density",
        tuple(
            Series(label, tuple(float(getattr(each, field) or 0) for each in bars))
            for label, field in (("paper", "paper"), ("ours", "ours"))
        ),
        bars=tuple(each.what.removeprefix("density of ") for each in bars),
    )
    return Item(
        "density-examples",
        "The density of small examples",
        "Section II",
        ABOUT,
        claims,
        charts=(chart,),
    )


def length(counts: Any) -> float:
    """Return exp(S) of counts (Eqs. length, entropy).

    Examples
    --------
    >>> round(length([3, 3, 1, 1]), 2)
    3.51
    """
    p = np.asarray(counts, dtype=float) / np.sum(counts)
    return float(np.exp(-xlogy(p, p).sum()))


def density(counts: Any) -> float:
    """Return N over the product of the lengths of the axes (Eq. density).

    Examples
    --------
    >>> round(density([3, 3, 1, 1]), 2), round(density([[1, 1], [1, 0]]), 2)
    (2.28, 0.84)
    """
    cells = np.asarray(counts, dtype=float)
    axes = range(cells.ndim)
    sides = [length(cells.sum(axis=tuple(a for a in axes if a != axis))) for axis in axes]
    return float(cells.sum() / math.prod(sides))


def _lines() -> list[Claim]:
    claims: list[Claim] = []
    for each in paper.LENGTHS:
        name = " ".join(map(str, each.counts))
        found = length(each.counts), density(each.counts)
        said = compare(each.length, found[0], 2), compare(each.density, found[1], 2)
        claims.append(Claim(f"length of {name}", each.length, found[0], said[0]))
        claims.append(Claim(f"density of {name}", each.density, found[1], said[1]))
    return claims


def _planes() -> list[Claim]:
    return [
        Claim(
            "density of " + " / ".join(" ".join(map(str, row)) for row in counts),
            value,
            density(counts),
            compare(value, density(counts), digits),
        )
        for counts, value, digits in paper.PLANES
    ]


def _deviations() -> list[Claim]:
    claims: list[Claim] = []
    for name, (distribution, constant) in UNITS.items():
        said = constant * math.exp(float(distribution.entropy()))
        found = float(distribution.std())
        what = f"deviation of scale 2, {name}"
        claims.append(Claim(what, said, found, compare(said, found, 9)))
    return claims
