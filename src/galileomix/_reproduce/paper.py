"""The paper's own numbers, each by the table, figure or section that it comes from."""

from __future__ import annotations

from typing import NamedTuple

LENGTHS = (((3, 3, 1, 1), 3.51, 2.28), ((2, 2, 2, 2), 4.0, 2.0))
"""Section II, the figure of two distributions: lengths and densities; the counts fit."""

PLANES = (
    (((1, 1), (1, 1)), 1.0, 2),
    (((1, 1), (1, 0)), 0.84, 2),
    (((2, 1), (1, 1)), 1.3, 1),
    (((1, 1, 1), (1, 1, 1)), 1.0, 2),
)
"""Section II, the figure of two dimensions: densities and their decimals; the counts fit."""


VOTES = {
    "GALILEO": ((9, 221), (159, 46)),
    "ROCK": ((5, 201), (144, 22)),
    "traditional hierarchical": ((11, 215), (157, 52)),
}
"""Table votes: the republicans and democrats of each cluster."""


class MushroomRow(NamedTuple):
    """A row of the mushroom table: edible and poisonous, by GALILEO and by ROCK."""

    galileo: tuple[int, int]
    rock: tuple[int, int]


MUSHROOM = (
    MushroomRow((96, 0), (96, 0)),
    MushroomRow((0, 256), (0, 256)),
    MushroomRow((512, 0), (704, 0)),
    MushroomRow((96, 0), (96, 0)),
    MushroomRow((768, 0), (768, 0)),
    MushroomRow((0, 192), (0, 192)),
    MushroomRow((1728, 0), (1728, 0)),
    MushroomRow((0, 32), (0, 32)),
    MushroomRow((0, 1296), (0, 1296)),
    MushroomRow((0, 8), (0, 8)),
    MushroomRow((48, 0), (48, 0)),
    MushroomRow((48, 0), (48, 0)),
    MushroomRow((0, 288), (0, 288)),
    MushroomRow((192, 0), (192, 0)),
    MushroomRow((0, 72), (32, 72)),
    MushroomRow((0, 1728), (0, 1728)),
    MushroomRow((288, 0), (288, 0)),
    MushroomRow((0, 8), (0, 8)),
    MushroomRow((192, 0), (192, 0)),
    MushroomRow((16, 0), (16, 0)),
    MushroomRow((0, 36), (0, 36)),
    MushroomRow((32, 0), (0, 0)),
    MushroomRow((192, 0), (0, 0)),
)
"""Table mushroom, row by row; ROCK has no clusters 22 and 23."""


class Summary(NamedTuple):
    """A row of the summary table; decimals of the density differ from row to row."""

    k: int
    utility: float
    coolcat: float
    density: float
    density_digits: int
    entropy: float


SUMMARY = {
    "mushroom": Summary(23, 0.3266, 0.3393, 1.0, 4, 0.2893),
    "votes": Summary(2, 1.4686, 1.4674, 0.01627, 5, 0.5988),
    "soybean": Summary(7, 1.0912, 0.9362, 0.02327, 5, 0.5151),
    "zoo": Summary(9, 0.5711, 0.5970, 1.4595, 4, 0.1882),
}
"""Table summary."""

BEST_K = 23
"""Figure aic_bic_density: the optimum of AIC, BIC and density on mushroom, with density 1."""
CARTESIAN_K = 30
"""Figure cartesian_density: the optimum where annealing prunes by Cartesian density."""
LEAST_K_MAX = 40
"""Figure maxk: from here on every run ends at 23 components with density 1."""
RULES = 5
"""Section synthetic: five rules over ten attributes of twenty values."""
SLOPE = 1.0
"""Figure scaling: the time is linear in the number of records."""
