"""Random tables with random weights and parameters, each known by a seed and a number."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.fuzz.cells import column
from benchmarks.fuzz.forms import FORMS, Columns

MOST_CELLS = 1000
ROWS = (1, 2, 3, 5, 5, 8, 8, 13, 20, 20, 20, 40, 40, 80, 200)
NAMES = ("a", "b", "c", "d", "e", "f", "name with spaces", "ß😀", "a\0b", "\ud800", "x=1", "")
CHANGES = ("rows", "columns", "columns", "twice", "twice", "none", "none")
"""Rows in another order are one more fit of every such table, the others of a few of them."""
CHOICES: dict[str, tuple[Any, ...]] = {
    "criterion": ("aic", "density"),
    "refine": (False,),
    "missing": ("ignore",),
    "covariance": ("full", "diagonal"),
    "transform_numbers": ("none",),
    "prior_strength": (0.0, 1e-3, 100.0),
    "predictive": ("chosen",),
    "max_components": (1, 2, 5),
    "n_components": (1, 2, 3),
    "memory_limit": (1000,),
    "max_iter": (1, 3),
    "tol": (0.0, 0.1),
    "step_root": (1.5,),
    "centers": ("marginals",),
    "pruning": ("cartesian",),
    "discretize": ("quantile", "width", ("quantile", 10**11), ("width", 3)),
    "categorical": ("all",),
    "numeric": ("all",),
    "default_missing": (False,),
}
EFFORTS = (0.05,) * 9 + (1.0,)
"""Laws hold however short a search is, and a short one lets more tables be tried."""


@dataclass(frozen=True, eq=False)
class Case:
    """One table, and what is done to it.

    Parameters
    ----------
    columns : dict
        The cells by the names of columns.
    form : str
        What holds them: one of `FORMS`.
    weights : list of float, optional
    parameters : dict
        Of `Galileo`.
    change : str
        What must not change the model: permuted rows or columns, a row twice instead of its
        weight twice, a row less instead of its weight zero.
    seed : int
        Of what a law draws at random.
    """

    columns: Columns
    form: str
    weights: list[float] | None
    parameters: dict[str, Any]
    change: str
    seed: int

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values())))


def drawn(seed: int, number: int) -> Case:
    """Return a random case, always the same one for the same two numbers."""
    rng = Random(f"{seed} {number}")
    n_rows = rng.choice(ROWS)
    n_columns = min(rng.choice((1, 2, 2, 3, 3, 4, 6, 12)), MOST_CELLS // n_rows)
    names = rng.sample(NAMES[:6], n_columns) if n_columns <= 6 else [f"x{m}" for m in range(12)]
    if rng.random() < 0.1:
        names[0] = rng.choice(NAMES[6:])
    columns: Columns = {}
    for name in names[:n_columns]:
        columns[name] = column(rng, n_rows, list(columns.values()))
    form, change = rng.choice(list(FORMS)), rng.choice(CHANGES)
    weights = _weights(rng, n_rows)
    return Case(columns, form, weights, _parameters(rng), change, rng.randrange(2**31))


def _weights(rng: Random, n: int) -> list[float] | None:
    kind = rng.choice(("none",) * 5 + ("counts", "counts", "zeros", "spread", "tiny", "outside"))
    few = {
        "counts": (1.0, 2.0, 7.0),
        "zeros": (0.0, 1.0),
        "spread": (1e-6, 1.0, 1e12, 0.0),
        "tiny": (1e-6, 3e-6),
        "outside": (1e-300, 1.0, 1e300),
    }
    return None if kind == "none" else [rng.choice(few[kind]) for _ in range(n)]


def _parameters(rng: Random) -> dict[str, Any]:
    names = rng.sample(list(CHOICES), rng.choice((0, 0, 1, 1, 2, 4)))
    if {"n_components", "max_components"} <= set(names):
        names.remove("max_components")
    if {"categorical", "numeric"} <= set(names):
        names.remove("numeric")
    fixed = {"effort": rng.choice(EFFORTS), "random_state": 0}
    return {name: rng.choice(CHOICES[name]) for name in names} | fixed
