"""Components in words: what is typical of each, what defines it, what tells who is of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from galileomix._fitted.results import Component, NumberTrait, Predictor, Trait
from galileomix._model.infer import distinction
from galileomix._model.information import with_membership
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import Background
from galileomix._table import Categorical, Schema

MOST_TRAITS = 5
MOST_PREDICTORS = 3
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
    """Return every component with what is typical of it and what sets it apart."""
    strength = distinction(mixture, background)
    information = with_membership(mixture)
    return [
        Component(
            label=i,
            size=float(mixture.alpha[i] * N),
            weight=float(mixture.alpha[i]),
            density=float(densities[i]),
            traits=tuple(_traits(mixture, background, schema, strength[:, i], i)),
            typical=tuple(_typical(mixture, background, schema, i)),
            predictive=tuple(
                _predictive(schema, information[0][:, i], information[1][:, i], mixture.alpha[i])
            ),
        )
        for i in range(mixture.k)
    ]


def profile(components: Sequence[Component]) -> pd.DataFrame:
    """Return components as a frame, one row each."""
    rows = [
        {
            "label": each.label,
            "size": each.size,
            "weight": each.weight,
            "density": each.density,
            "name": each.name,
            "typical": ", ".join(map(str, each.typical)),
            "defining": ", ".join(map(_with_lift, each.traits)),
            "predictive": ", ".join(map(str, each.predictive)),
        }
        for each in components
    ]
    return pd.DataFrame(rows)


def _with_lift(trait: Trait | NumberTrait) -> str:
    if isinstance(trait, Trait):
        return f"{trait} ({trait.share:.0%}, {trait.lift:.3g} times as common)"
    return f"{trait} (over all {trait.mean_elsewhere:.4g})"


def _typical(
    mixture: Mixture, background: Background, schema: Schema, i: int
) -> list[Trait | NumberTrait]:
    """Return the most probable value of every category that has one, and all means."""
    numbers = iter(_number_traits(mixture, background, schema, i))
    offsets = iter(mixture.layout.offsets.tolist())
    found: list[Trait | NumberTrait] = []
    for attribute in schema.attributes:
        if not isinstance(attribute, Categorical):
            found.append(next(numbers)[1])
            continue
        first = next(offsets)
        if attribute.values:
            v = int(np.argmax(mixture.p[first : first + len(attribute.values), i]))
            share, elsewhere = mixture.p[first + v, i], background.G[first + v, 0]
            value = attribute.values[v]
            found.append(Trait(attribute.name, value, float(share), float(elsewhere)))
    return found


def _predictive(
    schema: Schema, categories: Floats, numbers: Floats, alpha: float
) -> list[Predictor]:
    """Return the attributes that say most of whether a record is of a component."""
    most = -alpha * np.log(alpha) - (1.0 - alpha) * np.log1p(-alpha) if alpha < 1.0 else 0.0
    if most <= 0.0:
        return []
    names = [each.name for each in (*schema.categorical, *schema.numeric)]
    found = [
        Predictor(name, float(nats), min(float(nats) / most, 1.0))
        for name, nats in zip(names, (*categories, *numbers), strict=True)
    ]
    found.sort(key=lambda each: -each.information)
    return [each for each in found[:MOST_PREDICTORS] if each.share >= 0.01]


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
