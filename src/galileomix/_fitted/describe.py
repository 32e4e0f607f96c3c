"""Components in words: typical values, defining values and predictive attributes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.results import Component, NumberTrait, Predictor, Trait
from galileomix._model.categorical import distinction
from galileomix._model.information import with_membership
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import Background
from galileomix._table import Categorical, Schema
from galileomix._words import rounded

MOST_TRAITS = 5
MOST_PREDICTORS = 3
COMMON = 0.5
"""A value defines a component only if at least this share of its records have it."""
LEAST_DISTINCTION = 0.1
"""The least distinction, in nats, of a trait that is named."""
LEAST_SHARE = 0.01
"""The least share of what there is to know that a predictive attribute has."""


def components(model: FittedModel) -> list[Component]:
    """Return every component with what is typical of it and what sets it apart."""
    mixture, background, schema = model.mixture, model.background, model.schema
    strength = distinction(mixture, background)
    of_categories, of_numbers = with_membership(mixture)
    return [
        Component(
            label=i,
            size=float(mixture.alpha[i] * model.N),
            weight=float(mixture.alpha[i]),
            density=float(density),
            traits=tuple(_traits(mixture, background, schema, strength[:, i], i)),
            typical=tuple(_typical(mixture, background, schema, i)),
            predictive=tuple(
                _predictive(schema, of_categories[:, i], of_numbers[:, i], mixture.alpha[i])
            ),
        )
        for i, density in enumerate(model.densities)
    ]


def profile(components: Sequence[Component]) -> pd.DataFrame:
    """Return components as a frame, one row each."""
    rows = [
        {
            "label": component.label,
            "size": component.size,
            "weight": component.weight,
            "density": component.density,
            "name": component.name,
            "typical": ", ".join(map(str, component.typical)),
            "defining": ", ".join(map(_with_lift, component.traits)),
            "predictive": ", ".join(map(str, component.predictive)),
        }
        for component in components
    ]
    return pd.DataFrame(rows)


def _with_lift(trait: Trait | NumberTrait) -> str:
    if isinstance(trait, Trait):
        return f"{trait} ({trait.share:.0%}, {trait.lift:.3g} times as common)"
    return f"{trait} (over all {trait.mean_overall:.4g})"


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
            share, overall = mixture.p[first + v, i], background.G[first + v, 0]
            value = attribute.values[v]
            found.append(Trait(attribute.name, value, float(share), float(overall)))
    return found


def _predictive(
    schema: Schema, categories: Floats, numbers: Floats, alpha: float
) -> list[Predictor]:
    """Return the attributes that best predict whether a record belongs to a component."""
    most = -alpha * np.log(alpha) - (1.0 - alpha) * np.log1p(-alpha) if alpha < 1.0 else 0.0
    if most <= 0.0:
        return []
    names = [attribute.name for attribute in (*schema.categorical, *schema.numeric)]
    found = [
        Predictor(name, float(nats), min(float(nats) / most, 1.0))
        for name, nats in zip(names, (*categories, *numbers), strict=True)
    ]
    found.sort(key=lambda predictor: -predictor.information)
    return [predictor for predictor in found[:MOST_PREDICTORS] if predictor.share >= LEAST_SHARE]


def _traits(
    mixture: Mixture, background: Background, schema: Schema, strength: Floats, i: int
) -> list[Trait | NumberTrait]:
    found: list[tuple[float, Trait | NumberTrait]] = []
    found += _category_traits(mixture, background, schema, strength, i)
    found += _number_traits(mixture, background, schema, i)
    found.sort(key=lambda pair: -pair[0])
    return [trait for strength, trait in found[:MOST_TRAITS] if strength > LEAST_DISTINCTION]


def _category_traits(
    mixture: Mixture, background: Background, schema: Schema, strength: Floats, i: int
) -> list[tuple[float, Trait]]:
    layout = mixture.layout
    found: list[tuple[float, Trait]] = []
    for attribute, first in zip(schema.categorical, layout.offsets, strict=False):
        last = first + len(attribute.values)
        v = first + int(np.argmax(strength[first:last]))
        share, overall = float(mixture.p[v, i]), float(background.G[v, 0])
        if share >= COMMON:
            trait = Trait(attribute.name, attribute.values[v - first], share, overall)
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
        here, overall = (attribute.center + attribute.scale * mean for mean in (mu, mu_G))
        mean = rounded(here, attribute.scale * np.sqrt(var))
        found.append((float(strength), NumberTrait(attribute.name, mean, float(overall))))
    return found
