"""The worked examples of Section II: lengths, densities, and deviations as entropies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import xlogy

from galileomix._reproduce import paper
from galileomix._reproduce.claims import Claim, compare
from galileomix._reproduce.item import Chart, Item, Plan, Series

ABOUT = """\
The effective length of an axis is exp(S), the density N over the product of the lengths. The \
paper gives these values with pictures that do not print the counts; the counts here yield the \
values. The last rows check what the paper says of the standard deviation of known distributions: \
it is a constant times exp(S)."""
UNITS: dict[str, tuple[Any, float]] = {
    "Gaussian": (stats.norm(scale=2.0), 1 / math.sqrt(2 * math.pi * math.e)),
    "exponential": (stats.expon(scale=2.0), 1 / math.e),
    "Laplace": (stats.laplace(scale=2.0), 1 / (math.sqrt(2) * math.e)),
}
"""Distributions, and the factor that turns exp(S) into their deviation, as the paper has it."""


def compute(plan: Plan) -> Item:
    """Compute every example."""
    claims = (*_lines(), *_planes(), *_deviations())
    bars = [claim for claim in claims if claim.what.startswith("density")]
    chart = Chart(
        "The examples of Section II",
        "",
        "density",
        tuple(
            Series(label, tuple(float(getattr(claim, label) or 0) for claim in bars))
            for label in ("paper", "ours")
        ),
        bars=tuple(claim.what.removeprefix("density of ") for claim in bars),
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
    for counts, *printed in paper.LENGTHS:
        name = " ".join(map(str, counts))
        ours = length(counts), density(counts)
        for what, theirs, found in zip(("length", "density"), printed, ours, strict=True):
            claims.append(Claim(f"{what} of {name}", theirs, found, compare(theirs, found, 2)))
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
        theirs = constant * math.exp(float(distribution.entropy()))
        found = float(distribution.std())
        what = f"deviation of scale 2, {name}"
        claims.append(Claim(what, theirs, found, compare(theirs, found, 9)))
    return claims
