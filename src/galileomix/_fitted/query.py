"""Queries: the distribution of one attribute, and new records, given the values of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._checks import check_integer, shown
from galileomix._fitted import rowwise
from galileomix._fitted.distribution import NumberDistribution
from galileomix._fitted.fitted_model import FittedModel
from galileomix._model import gaussian
from galileomix._model.families import sample as sample_mixture
from galileomix._model.gaussian import conditional_moments
from galileomix._model.params import Floats, Mixture
from galileomix._table import (
    OTHER,
    Block,
    Categorical,
    Numeric,
    Schema,
    bytes_of,
    decode,
    encode,
    read,
)
from galileomix.errors import ParameterError, TableError

SHOWN_NAMES = 20
CELL_BYTES = 16
"""What a cell of a sample takes at the least: its code, and its value in the frame."""
MOST_REDRAWS = 20
"""How often a record is drawn again that cannot be; then it is put where it just can."""


def conditional(
    model: FittedModel, target: str, given: Mapping[str, Any]
) -> pd.Series | NumberDistribution:
    """Return the distribution of one attribute; see `Galileo.conditional`."""
    schema, mixture = model.schema, model.predicting
    check_name(target, schema.names)
    block = block_of(given, schema)
    if target in given:
        raise ParameterError(f"{target!r} is the target of the query and given at once")
    shares = rowwise.responsibilities(block, mixture)[0]
    attribute = schema.attributes[schema.names.index(target)]
    if isinstance(attribute, Categorical):
        first = mixture.layout.offsets[schema.categorical.index(attribute)]
        p = mixture.p[first : first + len(attribute.values)] @ shares
        index = pd.Index(attribute.values, dtype=object, name=target)
        found = pd.Series(p, index, name="probability")
        return found.sort_values(ascending=False, kind="stable")
    if target in model.never_known:
        raise ParameterError(f"{target!r} is missing in all records: nothing is known of it")
    return number_distribution(mixture, schema, attribute, shares, block.numbers)


def number_distribution(
    mixture: Mixture, schema: Schema, attribute: Numeric, shares: Floats, known: Floats
) -> NumberDistribution:
    """Return how a number is distributed in components of some shares, given numbers (1, Q)."""
    place = schema.places[schema.attributes.index(attribute)]
    moments = conditional_moments(known, mixture)
    mean, variance = (moment[0, place.number] for moment in moments)
    means = attribute.center + attribute.scale * mean
    least = np.finfo(float).eps * np.maximum(np.abs(means), attribute.scale)
    deviations = np.maximum(attribute.scale * np.sqrt(variance), least)
    unit = attribute.unit
    if place.code is None:
        scale = attribute.function
        return NumberDistribution(attribute.name, shares, means, deviations, scale, unit=unit)
    spike = mixture.values_of(place.code)[0]
    probability = float(shares @ spike)
    others = shares * (1.0 - spike) / max(1.0 - probability, np.finfo(float).tiny)
    where = (attribute.function, attribute.spike, probability)
    return NumberDistribution(attribute.name, others, means, deviations, *where, unit)


def sample(
    model: FittedModel, n_samples: int, given: Mapping[str, Any], rng: np.random.Generator
) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """Draw records, and the component of each; see `Galileo.sample`."""
    schema = model.schema
    _check_number_of_records(n_samples, len(schema.attributes))
    block = block_of(given, schema)
    shares = rowwise.responsibilities(block, model.mixture)[0]
    codes, numbers, component = sample_mixture(
        model.mixture, int(n_samples), rng, shares, block.numbers[0]
    )
    numbers = _possible(numbers, model, component, block.numbers[0], rng)
    fixed = block.codes[0] < np.array(schema.cardinalities)
    codes[:, fixed] = block.codes[0, fixed]
    drawn = pd.DataFrame(decode(codes, numbers, schema))
    for attribute in schema.numeric:
        if attribute.name not in given:
            drawn[attribute.name] = attribute.rounded(drawn[attribute.name].to_numpy())
    _name_rare(drawn, schema, given, rng)
    _remove(drawn, schema, set(given), rng)
    drawn[list(model.never_known)] = np.nan
    return drawn, component


def _check_number_of_records(n_samples: Any, n_attributes: int) -> None:
    check_integer("n_samples", n_samples, 1)
    most = bytes_of(None) // (CELL_BYTES * n_attributes)
    if n_samples > most:
        raise ParameterError(
            f"n_samples={shown(n_samples)}: it must be at most {most}, which half of the memory "
            f"holds; draw several times, with another random_state each"
        )


def _possible(
    numbers: NDArray[np.float64],
    model: FittedModel,
    component: NDArray[np.intp],
    known: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return draws none of which is below zero where no number of the table is."""
    zero, columns = np.zeros(1), model.schema.numeric
    floors = [a.standardised(zero)[0] if a.positive else -np.inf for a in columns]
    least = np.nan_to_num(np.array(floors), nan=-np.inf, neginf=-np.inf)
    least = np.where(np.isnan(known), least, -np.inf)
    for _ in range(MOST_REDRAWS):
        rows = np.flatnonzero((numbers < least).any(axis=1))
        if not len(rows):
            break
        again = np.tile(known, (len(rows), 1))
        numbers[rows] = gaussian.draw(again, model.mixture, component[rows], rng)
    return np.maximum(numbers, least)


def _name_rare(
    drawn: pd.DataFrame, schema: Schema, given: Mapping[str, Any], rng: np.random.Generator
) -> None:
    """Replace what stands for rare values by one of them, as often as each occurs.

    Models of the first versions do not know which they are: there the cells are missing.
    """
    for attribute in schema.categorical:
        if not attribute.pooled:
            continue
        cells = drawn[attribute.name].to_numpy(dtype=object, copy=True)
        pooled, known = np.flatnonzero(cells == OTHER), given.get(attribute.name, OTHER)
        values, rows = zip(*(attribute.rare or ((None, 1.0),)), strict=True)
        which = rng.choice(len(values), len(pooled), p=np.array(rows) / sum(rows))
        cells[pooled] = [values[i] if known == OTHER else known for i in which]
        drawn[attribute.name] = pd.Series(cells, dtype=object)


def _remove(drawn: pd.DataFrame, schema: Schema, given: set[str], rng: np.random.Generator) -> None:
    """Make cells missing as often as those of the table are, where no value stands for that."""
    for column, attribute in zip(schema.modelled, schema.attributes, strict=True):
        said = isinstance(attribute, Categorical) and None in attribute.values
        if column.missing and not said and column.name not in given:
            gone, cells = rng.random(len(drawn)) < column.missing, drawn[column.name]
            # Truth values and whole numbers stay what they are beside missing ones.
            held = cells.astype(object) if cells.dtype.kind in "biu" else cells
            drawn[column.name] = held.mask(gone, None)


def block_of(given: Any, schema: Schema) -> Block:
    """Return what is given, a mapping of names to values, as a block of one row.

    A missing value is a value like any other where the schema has it, and otherwise not known.

    Examples
    --------
    >>> schema = Schema((Categorical("odor", ("foul", "none")), Numeric("width", 5.0, 2.0)))
    >>> block = block_of({"width": 9.0}, schema)
    >>> block.codes.tolist(), block.numbers.tolist()
    ([[2]], [[2.0]])
    """
    if not isinstance(given, Mapping):
        raise ParameterError(f"given={given!r}: it must be a mapping of column names to values")
    for name in given:
        check_name(name, schema.names)
    codes = np.array([schema.cardinalities], dtype=np.uint32)
    numbers = np.full((1, len(schema.numeric)), np.nan)
    known = [a for a, attribute in enumerate(schema.attributes) if attribute.name in given]
    if known:
        attributes = tuple(schema.attributes[a] for a in known)
        types = tuple(schema.modelled[a] for a in known)
        part = _encoded(given, Schema(attributes, schema.missing, types))
        places = [schema.places[a] for a in known]
        codes[:, [place.code for place in places if place.code is not None]] = part.codes
        numbers[:, [place.number for place in places if place.number is not None]] = part.numbers
    return Block(codes, numbers, np.ones(1))


def _encoded(given: Mapping[str, Any], schema: Schema) -> Block:
    try:
        table = read({name: [given[name]] for name in schema.names})
        (block,) = encode(table, schema, unseen="error")
    except TableError as error:
        raise ParameterError(f"given {error.column!r}: {error.problem}") from error
    return block


def check_name(name: Any, names: Sequence[str]) -> None:
    """Refuse what is not a column of the table that was fitted."""
    if name not in names:
        shown = ", ".join(map(repr, names[:SHOWN_NAMES]))
        more = ", ..." if len(names) > SHOWN_NAMES else ""
        raise ParameterError(f"no column {name!r} was fitted; there are {shown}{more}")
