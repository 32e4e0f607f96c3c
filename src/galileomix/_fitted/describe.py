"""Components in words: what sets each apart, its typical values and its predictive attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.results import Component, NumberTrait, Predictor, Trait
from galileomix._fitted.traits import descriptions, number_trait, shown_category
from galileomix._model.events import information, intervals, rest_of, uncertainty
from galileomix._model.params import Floats
from galileomix._table import Attribute, Numeric
from galileomix._words import shown_number, shown_times

MOST_PREDICTORS = 3
LEAST_SHARE = 0.01
"""The least share of what there is to know that a predictive attribute has."""
MOST_TIMES = 1000.0
"""What is more times as common is hardly there elsewhere."""


def components(model: FittedModel) -> list[Component]:
    """Return every component with what is typical of it and what sets it apart."""
    mixture, relative = model.mixture, model.relative_densities
    said_of = descriptions(model)
    typical = [_typical(model, i) for i in range(mixture.k)]
    return [
        Component(
            label=i,
            size=float(mixture.alpha[i] * model.N),
            weight=float(mixture.alpha[i]),
            density=float(density),
            relative_density=float(relative[i]),
            name=said_of[i].name,
            traits=said_of[i].traits,
            named=said_of[i].named,
            typical=tuple(typical[i]),
            predictive=tuple(predictive),
        )
        for i, (density, predictive) in enumerate(
            zip(model.densities, _predictive(model), strict=True)
        )
    ]


def profile(components: Sequence[Component]) -> pd.DataFrame:
    """Return components as a frame, one row each."""
    rows = [
        {
            "label": component.label,
            "size": component.size,
            "weight": component.weight,
            "relative_density": component.relative_density,
            "name": component.name,
            "typical": ", ".join(map(str, component.typical)),
            "defining": ", ".join(map(_with_lift, component.traits)),
            "predictive": ", ".join(map(str, component.predictive)),
        }
        for component in components
    ]
    return pd.DataFrame(rows)


def _with_lift(trait: Trait | NumberTrait) -> str:
    if not isinstance(trait, Trait):
        return str(trait)
    if trait.lift > MOST_TIMES:
        return f"{trait} ({trait.share:.0%}, hardly elsewhere)"
    times = shown_times(trait.lift)
    return f"{trait} ({trait.share:.0%}, {times} times as common as elsewhere)"


def _typical(model: FittedModel, i: int) -> list[Trait | NumberTrait]:
    """Return the most probable value of every category that has one, and all means."""
    found: list[Trait | NumberTrait] = []
    for attribute, place in zip(model.schema.attributes, model.schema.places, strict=True):
        mode = None if place.code is None else _mode(model, attribute, place.code, i)
        if isinstance(attribute, Numeric) and not (mode and mode.values[0] == attribute.spike):
            trait = number_trait(model, attribute, place, i)
            mean = shown_number(trait.mean, trait.unit, trait.deviation)
            found.append(replace(trait, text=f"{trait.attribute}={mean}"))
        elif mode:
            found.append(mode)
    return found


def _mode(model: FittedModel, attribute: Attribute, m: int, i: int) -> Trait | None:
    """Return the most probable value of an attribute in a component."""
    p = model.mixture.values_of(m)
    if not len(p):
        return None
    v = int(np.argmax(p[:, i]))
    value = model.schema.categorical[m].values[v]
    share, rest = float(p[v, i]), float(rest_of(p[[v]], model.mixture.alpha)[0, i])
    shown = shown_category(value)
    if isinstance(attribute, Numeric) and isinstance(value, float):
        shown = shown_number(value, attribute.unit)
    return Trait(attribute.name, (value,), share, rest, f"{attribute.name}={shown}")


def _predictive(model: FittedModel) -> list[list[Predictor]]:
    """Return the attributes that best predict which records belong to each component."""
    most = uncertainty(model.mixture.alpha)
    names = [attribute.name for attribute in model.schema.attributes]
    told = np.array([information(p, model.mixture.alpha) for p in states(model)])
    return [_best(names, told[:, i], most[i]) for i in range(model.mixture.k)]


def _best(names: Sequence[str], told: Floats, most: float) -> list[Predictor]:
    first = np.argsort(-told, kind="stable")[:MOST_PREDICTORS].tolist()
    found = [
        Predictor(str(names[a]), float(told[a]), min(float(told[a] / most), 1.0))
        for a in (first if most > 0 else [])
    ]
    return [predictor for predictor in found if predictor.share >= LEAST_SHARE]


def states(model: FittedModel) -> Iterator[Floats]:
    """Yield the probabilities of what each attribute may be, (L, k)."""
    for place in model.schema.places:
        values = None if place.code is None else model.mixture.values_of(place.code)
        if place.number is None:
            assert values is not None, place
            yield values
            continue
        inside = intervals(model.mixture, place.number)
        yield inside if values is None else np.concatenate([values[:1], values[1] * inside])
