"""The cells that are missing in a block, filled with what the others lead to expect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._fitted import rowwise
from galileomix._fitted.explain import most_probable
from galileomix._fitted.mixed_moments import of_mixtures
from galileomix._model import condition
from galileomix._model.infer import draw_codes
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Block, Categorical, Schema, decode

Holes = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Filled:
    """What stands in the holes of a block; elsewhere the arrays mean nothing.

    Parameters
    ----------
    holes, codes, probability : ndarray of shape (n, M)
        Which categories were missing, what is filled in, and its probability.
    number_holes, numbers, deviation : ndarray of shape (n, Q)
        The same of numbers, with their standard deviations.
    """

    holes: Holes
    codes: Ints
    probability: Floats
    number_holes: Holes
    numbers: Floats
    deviation: Floats


def last_values(schema: Schema) -> NDArray[np.intp]:
    """Return how many values each categorical attribute has, the missing one left out, (M,)."""
    return np.array(
        [len(each.values) - (None in each.values[-1:]) for each in schema.categorical],
        dtype=np.intp,
    )


def holes_of(block: Block, strange: Holes, schema: Schema) -> tuple[Block, Holes]:
    """Return the block with all that is missing unknown, and which categories are missing.

    A value that was never seen is unknown to the model, but not missing: it stays what it is.
    """
    gone = block.codes >= last_values(schema)
    codes = np.where(gone, np.array(schema.cardinalities, dtype=block.codes.dtype), block.codes)
    return Block(codes, block.numbers, block.weights), gone & ~strange


def fill(block: Block, holes: Holes, mixture: Mixture, schema: Schema) -> Filled:
    """Fill holes with the most probable category, or the mean of a number.

    Every hole is filled by itself, given all that is known of its record.
    """
    shares = rowwise.responsibilities(block, mixture)
    codes, probability = np.zeros(holes.shape, np.intp), np.full(holes.shape, np.nan)
    for m, p in _real_values(mixture, schema):
        rows = np.flatnonzero(holes[:, m])
        if len(rows) and len(p):
            real = shares[rows] @ p.sum(axis=0)
            codes[rows, m], found = most_probable(shares[rows], p)
            probability[rows, m] = np.minimum(found / real, 1.0)
    mean, variance = condition.unknown(block.numbers, mixture)
    numbers, deviation = of_mixtures(shares[:, None], mean, variance)
    return Filled(holes, codes, probability, np.isnan(block.numbers), numbers, deviation)


def draw(
    block: Block, holes: Holes, mixture: Mixture, schema: Schema, rng: np.random.Generator
) -> Filled:
    """Fill holes with a draw: all holes of a record together, from one component."""
    shares = rowwise.responsibilities(block, mixture)
    bounds = np.cumsum(shares, axis=1)
    u = rng.random((len(block), 1)) * bounds[:, -1:]
    component = np.minimum((bounds <= u).sum(axis=1), mixture.k - 1)
    codes, probability = np.zeros(holes.shape, np.intp), np.full(holes.shape, np.nan)
    for m, p in _real_values(mixture, schema):
        rows = np.flatnonzero(holes[:, m])
        if len(rows) and len(p):
            codes[rows, m] = draw_codes(p, component[rows], rng)
            every = shares[rows] @ p.sum(axis=0)
            probability[rows, m] = (shares[rows] * p[codes[rows, m]]).sum(axis=1) / every
    numbers = condition.draw_unknown(block.numbers, mixture, component, rng)
    deviation = np.full(numbers.shape, np.nan)
    return Filled(holes, codes, probability, np.isnan(block.numbers), numbers, deviation)


def _real_values(mixture: Mixture, schema: Schema) -> list[tuple[int, Floats]]:
    """Return every categorical attribute with the probabilities of its values but the missing."""
    first = mixture.layout.offsets
    return [(m, mixture.p[first[m] : first[m] + n]) for m, n in enumerate(last_values(schema))]


def cells_of(filled: Filled, schema: Schema, first: int) -> pd.DataFrame:
    """Return what was filled in, one hole below the other, column by column.

    Parameters
    ----------
    filled : Filled
    schema : Schema
    first : int
        The position of the first row.
    """
    values = decode(filled.codes, filled.numbers, schema)
    sure = iter(zip(filled.holes.T, filled.probability.T, strict=True))
    spread = iter(zip(filled.number_holes.T, filled.deviation.T, strict=True))
    parts: list[pd.DataFrame] = []
    for each in schema.attributes:
        category = isinstance(each, Categorical)
        holes, doubt = next(sure if category else spread)
        rows = np.flatnonzero(holes)
        part: dict[str, Any] = {"position": rows + first, "column": each.name}
        part["value"] = pd.Series(np.array(values[each.name], dtype=object)[rows], dtype=object)
        part["probability"] = doubt[rows] if category else np.nan
        part["deviation"] = np.nan if category else doubt[rows] * each.scale
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def filled_in(table: pd.DataFrame, places: Mapping[str, int], cells: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of a table with cells filled in, by their positions and columns' places."""
    table = table.copy()
    for name, part in cells.groupby("column", sort=False):
        column = places[str(name)]
        held = table.iloc[:, column]
        values = part["value"].tolist()
        try:
            series = held.copy()
            series.iloc[part["position"].to_numpy()] = values
        except (TypeError, ValueError):  # an interval among numbers, say
            series = held.astype(object)
            series.iloc[part["position"].to_numpy()] = values
        table.isetitem(column, series)
    return table
