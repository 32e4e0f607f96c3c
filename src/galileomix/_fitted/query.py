"""Queries: the distribution of one attribute, and new records, given the values of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._checks import check_integer
from galileomix._fitted import rowwise
from galileomix._fitted.distribution import NumberDistribution
from galileomix._fitted.fitted_model import FittedModel
from galileomix._model.families import sample as sample_mixture
from galileomix._model.gaussian import conditional_moments
from galileomix._table import Block, Categorical, Numeric, Schema, decode, encode, read
from galileomix.errors import ParameterError, TableError

SHOWN_NAMES = 20


def conditional(
    model: FittedModel, target: str, given: Mapping[str, Any]
) -> pd.Series | NumberDistribution:
    """Return the distribution of one attribute; see `Galileo.conditional`."""
    schema, mixture = model.schema, model.mixture
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
    return _number(model, attribute, block, shares)


def _number(
    model: FittedModel, attribute: Numeric, block: Block, shares: NDArray[np.float64]
) -> NumberDistribution:
    q = model.schema.numeric.index(attribute)
    moments = conditional_moments(block.numbers, model.mixture)
    mean, variance = (moment[0, q] for moment in moments)
    means = attribute.center + attribute.scale * mean
    least = np.finfo(float).eps * np.maximum(np.abs(means), attribute.scale)
    deviations = np.maximum(attribute.scale * np.sqrt(variance), least)
    return NumberDistribution(attribute.name, shares, means, deviations)


def sample(
    model: FittedModel, n_samples: int, given: Mapping[str, Any], rng: np.random.Generator
) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """Draw records, and the component of each; see `Galileo.sample`."""
    check_integer("n_samples", n_samples, 1)
    schema = model.schema
    block = block_of(given, schema)
    shares = rowwise.responsibilities(block, model.mixture)[0]
    codes, numbers, component = sample_mixture(
        model.mixture, int(n_samples), rng, shares, block.numbers[0]
    )
    fixed = block.codes[0] < np.array(schema.cardinalities)
    codes[:, fixed] = block.codes[0, fixed]
    drawn = pd.DataFrame(decode(codes, numbers, schema))
    drawn[list(model.never_known)] = np.nan
    return drawn, component


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
    known = tuple(attribute for attribute in schema.attributes if attribute.name in given)
    if known:
        part = _encoded(given, Schema(known, schema.missing))
        codes[:, _positions(known, schema.categorical)] = part.codes
        numbers[:, _positions(known, schema.numeric)] = part.numbers
    return Block(codes, numbers, np.ones(1))


def _positions(known: Sequence[Any], attributes: Sequence[Any]) -> list[int]:
    return [attributes.index(attribute) for attribute in known if attribute in attributes]


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
