"""Components in words: the values that are common in one and rare over all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from galileomix.model.infer import distinction
from galileomix.model.params import Floats, Mixture
from galileomix.model.stats import Background
from galileomix.results import Component, NumberTrait, Trait
from galileomix.table import Schema

MOST_TRAITS = 5
COMMON = 0.5
"""A value defines a component only if at least this share of its records have it."""
TELLING = 0.1
"""The least distinction, in nats, that is worth a word."""


def components(
    mixture: Mixture,
    background: Background,
    schema: Schema,
    N: float,
    densities: Floats,
) -> list[Component]:
    """Return every component with what sets it apart."""
    strength = distinction(mixture, background)
    return [
        Component(
            label=i,
            size=float(mixture.alpha[i] * N),
            weight=float(mixture.alpha[i]),
            density=float(densities[i]),
            traits=tuple(_traits(mixture, background, schema, strength[:, i], i)),
        )
        for i in range(mixture.k)
    ]


def profile(components: Sequence[Component]) -> pd.DataFrame:
    """Return components as a frame, one row each."""
    columns = ("label", "size", "weight", "density", "name")
    rows = [[getattr(each, column) for column in columns] for each in components]
    return pd.DataFrame(rows, columns=list(columns))


def _traits(
    mixture: Mixture, background: Background, schema: Schema, strength: Floats, i: int
) -> list[Trait | NumberTrait]:
    found: list[tuple[float, Trait | NumberTrait]] = []
    found += _category_traits(mixture, background, schema, strength, i)
    found += _number_traits(mixture, background, schema, i)
    found.sort(key=lambda pair: -pair[0])
    return [trait for strength, trait in found[:MOST_TRAITS] if strength > TELLING]


def _category_traits(
    mixture: Mixture, background: Background, schema: Schema, strength: Floats, i: int
) -> list[tuple[float, Trait]]:
    layout = mixture.layout
    found: list[tuple[float, Trait]] = []
    for attribute, first in zip(schema.categorical, layout.offsets, strict=False):
        last = first + len(attribute.values)
        v = first + int(np.argmax(strength[first:last]))
        share, elsewhere = float(mixture.p[v, i]), float(background.G[v, 0])
        if share >= COMMON:
            trait = Trait(attribute.name, attribute.values[v - first], share, elsewhere)
            found.append((float(strength[v]), trait))
    return found


def _number_traits(
    mixture: Mixture, background: Background, schema: Schema, i: int
) -> list[tuple[float, NumberTrait]]:
    """Judge a number by the divergence of its Gaussian from the global one."""
    found: list[tuple[float, NumberTrait]] = []
    for q, attribute in enumerate(schema.numeric):
        mu, var = mixture.mu[q, i], mixture.var[q, i]
        mu_G, var_G = background.mu[q, 0], background.var[q, 0]
        strength = 0.5 * (var / var_G + (mu - mu_G) ** 2 / var_G - 1.0 - np.log(var / var_G))
        here, overall = (attribute.center + attribute.scale * each for each in (mu, mu_G))
        # Two digits of the spread: more would be noise, fewer might hide what sets it apart.
        digits = 1 - int(np.floor(np.log10(attribute.scale * np.sqrt(var))))
        mean = round(float(here), digits) + 0.0  # no negative zero
        found.append((float(strength), NumberTrait(attribute.name, mean, float(overall))))
    return found
