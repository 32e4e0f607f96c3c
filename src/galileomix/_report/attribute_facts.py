"""What is said of attributes whatever the number of clusters: values, entropy, missing cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.traits import number_trait, shown_category
from galileomix._fitted.visible_text import shown
from galileomix._model.information import entropy
from galileomix._model.params import Floats
from galileomix._report.number_axis import Axis, axis_of
from galileomix._table import ColumnType, Numeric, Place
from galileomix._words import shown_number

MOST_VALUES = 40
"""Values of an attribute that have a bar of their own: those that fill most of some cluster."""
WHOLE = 1000
"""Probabilities are written in thousandths."""


@dataclass(frozen=True)
class AttributeFacts:
    """One attribute as the page has it."""

    name: str
    type: str
    remarks: str  # what is done to its values before they are modelled
    missing: float  # the share of the cells that are missing
    n_values: int  # of a number: none
    entropy: float | None  # over all records, in nats; of a number: none
    codes: tuple[int, ...]  # the values that have bars; of a number its spike, if it has one
    values: tuple[str, ...]  # the same as text
    whole: tuple[int, ...]  # how common each is among all records, in thousandths
    axis: Axis | None = None  # of a number
    mean: str = ""  # of a number, over all records


def attribute_facts(model: FittedModel, attributes: Sequence[int]) -> list[AttributeFacts]:
    """Return the facts of some attributes of a model."""
    columns = model.schema.modelled
    return [
        _of_number(model, a, columns[a])
        if isinstance(model.schema.attributes[a], Numeric)
        else _of_category(model, a, columns[a])
        for a in attributes
    ]


def _of_category(model: FittedModel, a: int, column: ColumnType) -> AttributeFacts:
    attribute, m = model.schema.attributes[a], model.schema.places[a].code
    assert m is not None, attribute
    first, last = model.mixture.layout.offsets[m : m + 2]
    overall, held = model.background.G[first:last, 0], model.mixture.values_of(m)
    codes = np.sort(np.argsort(-held.max(axis=1), kind="stable")[:MOST_VALUES])
    values = model.schema.categorical[m].values
    return AttributeFacts(
        shown(attribute.name),
        column.type,
        "; ".join(attribute.modelled_as),
        round(column.missing, 4),
        len(values),
        round(entropy(overall), 3),
        tuple(codes.tolist()),
        tuple(shown(shown_category(values[v])) for v in codes),
        thousandths(overall[codes]),
    )


def _of_number(model: FittedModel, a: int, column: ColumnType) -> AttributeFacts:
    attribute, (m, q) = model.schema.attributes[a], model.schema.places[a]
    assert isinstance(attribute, Numeric) and q is not None, attribute
    spike = () if m is None else (shown(shown_number(attribute.spike or 0.0, attribute.unit)),)
    whole = () if m is None else thousandths(model.mixture.values_of(m)[:1] @ model.mixture.alpha)
    return AttributeFacts(
        shown(attribute.name),
        column.type,
        "; ".join(attribute.modelled_as),
        round(column.missing, 4),
        0,
        None,
        () if m is None else (0,),
        spike,
        whole,
        axis_of(attribute, model.mixture, q),
        _mean(model, attribute, model.schema.places[a]),
    )


def _mean(model: FittedModel, attribute: Numeric, place: Place) -> str:
    trait = number_trait(model, attribute, place, 0)
    return shown(shown_number(trait.mean_overall, attribute.unit, trait.deviation_overall))


def thousandths(p: Floats) -> tuple[int, ...]:
    """Return probabilities in thousandths."""
    return tuple(np.rint(WHOLE * p).astype(int).tolist())
