"""What sets components apart, in words: traits of attributes, and names that are unique."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.results import NumberTrait, Trait
from galileomix._fitted.visible_text import shown
from galileomix._model import events
from galileomix._model.events import Events
from galileomix._model.params import Floats, Ints
from galileomix._table import Attribute, Binned, Categorical, Numeric, Ordered, Place
from galileomix._words import either, shown_number

MOST_NAMED, MOST_TRAITS = 4, 6
"""The most traits in a name that is unique, and of a component."""
NAME_OF_ALL = "like all records"
"""The name of the only component."""
LEAST_GAIN = 0.03
"""A trait joins a name where it adds this share of what there is to tell."""
LEAST_SHARE = 0.02
"""A trait tells at least this share by itself, where any does."""
MOST_RANKS = 200
"""Where an ordered attribute has more values, they are looked at one by one, not in runs."""
ROUNDING = 1e-9
FAR = 0.5
"""Means that differ by less than this many deviations are shown with their deviations."""


MeanAndDeviation = tuple[float, float]


class Facet(NamedTuple):
    """One thing to be said of every component: its values in an attribute, or its number."""

    attribute: str
    events: Events
    trait: Callable[[int], Trait | NumberTrait]


class Description(NamedTuple):
    """What sets a component apart; the first few traits are its name."""

    name: str
    traits: tuple[Trait | NumberTrait, ...]
    named: int


def descriptions(model: FittedModel) -> list[Description]:
    """Return what sets every component apart from all others."""
    alpha = model.mixture.alpha
    if len(alpha) == 1:
        return [Description(NAME_OF_ALL, (), 0)]
    facets = _facets(model)
    rankings = [_ranked(facets, alpha, i) for i in range(len(alpha))]
    traits = [[facets[f].trait(i) for f in some.facets] for i, some in enumerate(rankings)]
    texts = [list(map(str, some)) for some in traits]
    named = unique_lengths(texts, [some.named for some in rankings])
    names = [", ".join(map(str, some[:n])) for some, n in zip(traits, named, strict=True)]
    same = Counter(names)
    return [
        Description(
            f"{name} ({i})" if same[name] > 1 else name,
            tuple(traits[i][: max(n, min(rankings[i].telling, MOST_TRAITS))]),
            n,
        )
        for i, (name, n) in enumerate(zip(names, named, strict=True))
    ]


def unique_lengths(texts: Sequence[Sequence[str]], lengths: Sequence[int]) -> list[int]:
    """Return how many texts of every list are needed for no two lists to begin alike.

    Examples
    --------
    >>> unique_lengths([["a", "b"], ["a", "c"], ["d", "e"]], [1, 1, 1])
    [2, 2, 1]
    """
    found = list(lengths)
    while True:
        begins = [tuple(some[:n]) for some, n in zip(texts, found, strict=True)]
        same = Counter(begins)
        short = [i for i, some in enumerate(begins) if same[some] > 1 and found[i] < len(texts[i])]
        if not short:
            return found
        for i in short:
            found[i] += 1


def _facets(model: FittedModel) -> list[Facet]:
    """Return all that can be said of the components of a model."""
    found: list[Facet] = []
    for attribute, place in zip(model.schema.attributes, model.schema.places, strict=True):
        if place.code is not None and model.schema.categorical[place.code].values:
            found.append(_categories(model, attribute, place.code))
        if isinstance(attribute, Numeric) and place.number is not None:
            found.append(_number(model, attribute, place.number, _known(model, place)))
    return found


class _Ranking(NamedTuple):
    """Which facets describe a component, best first."""

    facets: list[int]
    named: int  # how many of them name it
    telling: int  # how many tell enough; the others are for names that are alike without them


def _ranked(facets: Sequence[Facet], alpha: Floats, i: int) -> _Ranking:
    """Return which facets describe component i.

    Those that name it tell it from all others together; the others are ordered by what they tell
    alone. Where none stands out, the most probable values that tell most have to do.
    """
    p = np.array([facet.events.p[i] for facet in facets])
    telling = events.telling(p, i, alpha)
    said = np.array([facet.events.named[i] for facet in facets])
    enough = telling >= LEAST_SHARE * events.uncertainty(alpha)[i]
    choices = (said & enough, said, enough, ~said)
    usable = next(some for some in choices if some.any())
    best: dict[str, int] = {}  # of the facets of one attribute the most telling
    by_telling = np.argsort(-telling, kind="stable")
    for f in by_telling[usable[by_telling]].tolist():
        best.setdefault(facets[f].attribute, f)
    order = list(best.values())
    joint = events.conjunction(p[order], i, alpha, MOST_NAMED, LEAST_GAIN)
    chosen = [order[n] for n in joint]
    spare = said & ~usable & (telling > ROUNDING)
    for f in by_telling[spare[by_telling]].tolist():
        best.setdefault(facets[f].attribute, f)
    others = [f for f in best.values() if f not in chosen]
    return _Ranking(chosen + others, len(chosen), len(order))


def _categories(model: FittedModel, attribute: Attribute, m: int) -> Facet:
    p, alpha = model.mixture.values_of(m), model.mixture.alpha
    in_order = isinstance(attribute, Ordered | Binned) and len(p) <= MOST_RANKS
    missing = model.schema.categorical[m].values[-1] is None
    found = (events.of_ranks if in_order else events.of_values)(p, alpha, missing)
    rests = events.rest_of(found.p, alpha)

    def trait(i: int) -> Trait:
        values = np.flatnonzero(found.values[:, i])
        held = tuple(model.schema.categorical[m].values[v] for v in values)
        share, rest = float(found.p[i, i]), float(rests[i, i])
        return Trait(attribute.name, held, share, rest, _said(attribute, values, share))

    return Facet(attribute.name, found, trait)


def _said(attribute: Attribute, values: Ints, share: float) -> str:
    """Return in words that an attribute has one of some values."""
    if isinstance(attribute, Categorical):
        return said(attribute, values, share)
    spike = shown_number(attribute.spike or 0.0, attribute.unit)
    name = _name_of(attribute)
    return f"{name}={spike}" if values[0] == 0 else f"{name} not {spike}"


def _name_of(attribute: Attribute) -> str:
    """Return a name in which there is something to see."""
    return attribute.name if attribute.name.strip() else shown(attribute.name)


def said(attribute: Categorical, values: Ints, share: float) -> str:
    """Return in words that an attribute has one of some values.

    Examples
    --------
    >>> odor = Categorical("odor", ("foul", "musty", "none", "pungent"))
    >>> said(odor, np.array([0, 3]), 0.9), said(odor, np.array([0, 1, 3]), 1.0)
    ('odor=foul or pungent', 'odor not none')
    >>> said(Ordered("q1", (1, 2, 3, 4, 5)), np.array([3, 4]), 0.9)
    'q1 high: 4 or 5'
    >>> said(
    ...     Binned("age", ("< 18", "[18, 65)", ">= 65"), edges=(18.0, 65.0)), np.array([0, 1]), 0.9
    ... )
    'age < 65'
    """
    name, held = _name_of(attribute), set(values.tolist())
    texts = [shown_category(attribute.values[v]) for v in values]
    lacking = [value for v, value in enumerate(attribute.values) if v not in held]
    if lacking == [None] and len(values) > 1:
        return f"{name} not missing"
    run = values[-1] - values[0] == len(values) - 1 and attribute.values[values[-1]] is not None
    if run and isinstance(attribute, Binned):
        return f"{name} {_between(attribute, values)}"
    if run and isinstance(attribute, Ordered):
        return f"{name}{_direction(attribute, values)}{_run(texts)}"
    if len(lacking) == 1 and len(values) > 2 and share >= events.NEARLY_ALL:
        return f"{name} not {shown_category(lacking[0])}"
    return f"{name}={either(texts)}"


def shown_category(value: object) -> str:
    """Return a category as it is written."""
    if isinstance(value, float):
        return f"{value:.15g}"
    return "missing" if value is None else str(value)


def _direction(attribute: Ordered, values: Ints) -> str:
    known = sum(value is not None for value in attribute.values)
    if len(values) == known:
        return "="
    return " low: " if values[0] == 0 else " high: " if values[-1] == known - 1 else "="


def _run(texts: Sequence[str]) -> str:
    return either(texts) if len(texts) < 3 else f"{texts[0]} to {texts[-1]}"


def _between(attribute: Binned, values: Ints) -> str:
    edges = [f"{edge:.6g}" for edge in attribute.edges]
    low = edges[values[0] - 1] if values[0] > 0 else ""
    high = edges[values[-1]] if values[-1] < len(edges) else ""
    if low and high:
        return f"in [{low}, {high})"
    return f">= {low}" if low else f"< {high}"


def _known(model: FittedModel, place: Place) -> Floats:
    """Return the shares of the components' records that have a number of their own, no spike."""
    return np.ones(model.k) if place.code is None else model.mixture.values_of(place.code)[1]


def _number(model: FittedModel, attribute: Numeric, q: int, known: Floats) -> Facet:
    found = events.of_number(model.mixture, model.background, q, known)
    there = _overall(model, attribute, q, known)
    return Facet(attribute.name, found, lambda i: _number_trait(model, attribute, (q, i), there))


def number_trait(model: FittedModel, attribute: Numeric, place: Place, i: int) -> NumberTrait:
    """Return where a number lies in a component, and where it lies over all records."""
    assert place.number is not None, place
    there = _overall(model, attribute, place.number, _known(model, place))
    return _number_trait(model, attribute, (place.number, i), there)


def _number_trait(
    model: FittedModel, attribute: Numeric, at: tuple[int, int], there: MeanAndDeviation
) -> NumberTrait:
    here = _in_units(attribute, float(model.mixture.mu[at]), float(model.mixture.var[at]))
    mark = "=" if attribute.name[-1:].isdigit() else " "
    text = f"{_name_of(attribute)}{mark}{_beside(attribute, here, there)}"
    return NumberTrait(attribute.name, *here, *there, attribute.unit, text)


def _overall(model: FittedModel, attribute: Numeric, q: int, known: Floats) -> MeanAndDeviation:
    """Return mean and deviation over all records.

    On another scale all records are one broad Gaussian, whose middle no record need have: there
    they are those of the components together.
    """
    mixture, background = model.mixture, model.background
    if not attribute.transform:
        return _in_units(attribute, float(background.mu[q, 0]), float(background.var[q, 0]))
    parts = zip(mixture.mu[q].tolist(), mixture.var[q].tolist(), strict=True)
    means, deviations = np.array([_in_units(attribute, *part) for part in parts]).T
    weights = mixture.alpha * known / (mixture.alpha @ known)
    mean = float(weights @ means)
    return mean, float(np.sqrt(weights @ (deviations**2 + (means - mean) ** 2)))


def _beside(attribute: Numeric, here: MeanAndDeviation, there: MeanAndDeviation) -> str:
    """Return a number here and over all records, with deviations where the means are near."""
    shown = [shown_number(mean, attribute.unit, deviation) for mean, deviation in (here, there)]
    if abs(here[0] - there[0]) < FAR * there[1] or shown[0] == shown[1]:
        unit = "duration" if attribute.is_moment else attribute.unit
        spreads = [shown_number(deviation, unit, deviation) for _, deviation in (here, there)]
        shown = [f"{mean} ± {spread}" for mean, spread in zip(shown, spreads, strict=True)]
    spike, unit = attribute.spike, attribute.unit if attribute.is_moment else ""
    where = "" if spike is None else f" where not {shown_number(spike, unit)}"
    return f"{shown[0]}{where} (all: {shown[1]})"


def _in_units(attribute: Numeric, mean: float, variance: float) -> MeanAndDeviation:
    """Return a mean and a deviation in the user's units."""
    deviation = np.sqrt(variance)
    low, middle, high = attribute.original(mean + deviation * np.array([-1.0, 0.0, 1.0])).tolist()
    return middle, 0.5 * (high - low)
