"""How components differ from the whole table, one attribute at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from galileomix._fitted.describe import states
from galileomix._fitted.distribution import NumberDistribution
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.query import number_distribution
from galileomix._fitted.traits import shown_category
from galileomix._model.information import entropy
from galileomix._model.params import Floats
from galileomix._table import Categorical, Numeric
from galileomix._words import shown_number

MOST, FEW = 0.5, 0.2
"""Shares of a component from which a value is that of most records, and below that of few."""


class Raised(NamedTuple):
    """What a component has more of, in a word or two; its share where most have something else."""

    word: str
    share: str = ""


@dataclass(frozen=True, eq=False)
class CategoryMarginal:
    """The values of a category: their shares in a component and in the whole table."""

    attribute: str
    values: tuple[str, ...]  # in words
    here: Floats
    overall: Floats


@dataclass(frozen=True, eq=False)
class NumberMarginal:
    """How a number is distributed in a component and in the whole table."""

    attribute: str
    here: NumberDistribution
    overall: NumberDistribution


def differences(model: FittedModel) -> Floats:
    """Return how far every component is from the whole table, (k, attributes).

    The distance of two distributions is the share of records whose value would have to change for
    one to become the other: 0 where they are the same, 1 where they have no value in common.
    """
    alpha = model.mixture.alpha
    away = [np.abs(p - (p @ alpha)[:, None]).sum(axis=0) for p in states(model)]
    return np.clip(0.5 * np.stack(away, axis=1), 0.0, 1.0)


def marginal(model: FittedModel, a: int, i: int) -> CategoryMarginal | NumberMarginal:
    """Return attribute a in component i, beside the whole table."""
    attribute, mixture = model.schema.attributes[a], model.mixture
    code = model.schema.places[a].code
    if isinstance(attribute, Categorical) and code is not None:
        p = mixture.values_of(code)
        values = tuple(map(shown_category, attribute.values))
        return CategoryMarginal(attribute.name, values, p[:, i], p @ mixture.alpha)
    assert isinstance(attribute, Numeric), attribute
    nothing = np.full((1, len(model.schema.numeric)), np.nan)
    here, overall = (
        number_distribution(mixture, model.schema, attribute, shares, nothing)
        for shares in (np.eye(mixture.k)[i], mixture.alpha)
    )
    return NumberMarginal(attribute.name, here, overall)


def raised(model: FittedModel, a: int, i: int) -> Raised:
    """Return what attribute a of component i has more of than the whole table.

    A value that most records of the component have; "not" a value that few of them and many others
    have; or a value with its share. Of a number it is the mean, with an arrow where it lies above
    or below that of all records.
    """
    found = marginal(model, a, i)
    if isinstance(found, CategoryMarginal):
        return _raised_category(found)
    here, overall = found.here, found.overall
    if here.spike is not None and here.spike_probability > max(0.5, overall.spike_probability):
        return Raised(shown_number(here.spike, here.unit))
    mean = shown_number(here.mean, here.unit, here.deviation)
    return Raised(f"{'↑' if here.mean > overall.mean else '↓'} {mean}")


def _raised_category(found: CategoryMarginal) -> Raised:
    if not found.values:
        return Raised("")
    excess = found.here - found.overall
    more, less = int(excess.argmax()), int(excess.argmin())
    if found.here[more] >= MOST:
        return Raised(found.values[more])
    if found.here[less] < FEW and -excess[less] > excess[more]:
        return Raised(f"not {found.values[less]}")
    return Raised(found.values[more], f"{100 * found.here[more]:.0f} %")


def separation(model: FittedModel) -> Floats:
    """Return how much each attribute tells of the clusters, (attributes,).

    The share of the uncertainty of a record's cluster that knowing the attribute removes: 0 where
    it tells nothing, 1 where it alone decides.
    """
    alpha = model.mixture.alpha
    most = entropy(alpha)
    if most <= 0:
        return np.zeros(len(model.schema.names))
    told = [entropy(p @ alpha) - alpha @ _entropies(p) for p in states(model)]
    return np.clip(np.array(told) / most, 0.0, 1.0)


def _entropies(p: Floats) -> Floats:
    """Return the entropy of each column of probabilities, in nats."""
    return -xlogy(p, p).sum(axis=0)
