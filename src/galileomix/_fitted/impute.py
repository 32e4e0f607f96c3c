"""Missing values filled with what the other cells of their record lead to expect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._checks import check_integer
from galileomix._fitted import rowwise
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.frames import Cells, like, own_frame, with_cells
from galileomix._fitted.judge import most_probable, over_components
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._model import categorical, gaussian
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import (
    Attribute,
    Block,
    Columns,
    Numeric,
    Place,
    Schema,
    cells,
    decode,
)

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Filled:
    """What is filled in for the missing cells of a block; elsewhere the arrays mean nothing."""

    missing: Flags  # (n, M) which categories were missing and can be named
    codes: Ints
    probability: Floats
    missing_numbers: Flags  # (n, Q) which numbers were missing
    numbers: Floats
    deviation: Floats  # standard deviations

    def missing_in(self, place: Place) -> Flags:
        """Return which cells of an attribute were missing, (n,)."""
        if place.code is not None:
            return self.missing[:, place.code]
        assert place.number is not None
        return self.missing_numbers[:, place.number]

    def certainty(self, attribute: Attribute, place: Place, rows: Ints) -> tuple[Floats, Floats]:
        """Return the probability of what is filled in, or its deviation; NaN for the other."""
        none = np.full(len(rows), np.nan)
        coded = none if place.code is None else self.probability[rows, place.code]
        if not isinstance(attribute, Numeric):
            return coded, none
        assert place.number is not None
        z, deviation = (part[rows, place.number] for part in (self.numbers, self.deviation))
        spread = attribute.spread(z, deviation)
        if place.code is None:
            return none, spread
        spike = self.codes[rows, place.code] == 0
        return np.where(spike, coded, np.nan), np.where(spike, np.nan, spread)


def impute(model: FittedModel, table: NewTable, return_cells: bool) -> Any:
    """Fill the missing cells of a table; see `Galileo.impute`."""
    pieces = list(table.coded_rows())
    frame, places = _frame(table, [piece.cells for piece in pieces])
    return _imputed(frame, places, _filled(model, pieces), model.schema, return_cells)


def impute_by_draws(
    model: FittedModel,
    table: NewTable,
    return_cells: bool,
    n_draws: int,
    rng: np.random.Generator,
) -> list[Any]:
    """Return tables whose missing cells are filled by draws; see `Galileo.impute`."""
    check_integer("n_draws", n_draws, 1)
    pieces = list(table.coded_rows())
    frame, places = _frame(table, [piece.cells for piece in pieces])
    drawn: Iterator[pd.DataFrame] = (_filled(model, pieces, rng) for _ in range(n_draws))
    return [_imputed(frame, places, filled, model.schema, return_cells) for filled in drawn]


def _frame(table: NewTable, pieces: Sequence[Columns]) -> tuple[Any, dict[str, int]]:
    """Return a table as a frame, cells as they were given, and where each attribute stands."""
    names, given = table.schema.names, own_frame(table.given)
    if given is None:
        columns = zip(*([cells(part) for part in piece.columns] for piece in pieces), strict=True)
        parts = {name: np.concatenate(part) for name, part in zip(names, columns, strict=True)}
        return pd.DataFrame(parts), {name: m for m, name in enumerate(names)}
    held = list(given.column_names if isinstance(given, pa.Table) else given.columns)
    if table.named and all(isinstance(name, str) for name in held):
        return given, {name: held.index(name) for name in names}
    return given, {name: table.schema.column_names.index(name) for name in names}


def _filled(
    model: FittedModel, pieces: Sequence[CodedRows], rng: np.random.Generator | None = None
) -> pd.DataFrame:
    """Return what is filled in, by the position of the row: expected, or drawn."""
    mixture, schema = model.judge().mixture, model.schema
    first, parts = 0, list[pd.DataFrame]()
    for piece in pieces:
        block, missing = missing_of(piece, schema)
        if rng is None:
            filled = fill(block, missing, mixture, schema)
        else:
            filled = draw(block, missing, mixture, schema, rng)
        parts.append(_cells_of(filled, schema, first))
        first += len(block)
    found = pd.concat(parts, ignore_index=True)
    return found.loc[~found["column"].isin(model.never_known)]


def missing_of(rows: CodedRows, schema: Schema) -> tuple[Block, Flags]:
    """Return the block with all that is missing unknown, and which categories are missing.

    A category that fit never saw is unknown to the model, but not missing: it stays what it is.
    """
    block = rows.block
    gone = block.codes >= _n_real_values(schema)
    codes = np.where(gone, np.array(schema.cardinalities, dtype=block.codes.dtype), block.codes)
    return Block(codes, block.numbers, block.weights), gone & ~rows.unseen


def _n_real_values(schema: Schema) -> Ints:
    """Return how many values each categorical attribute has, the missing one left out, (M,)."""
    values = [attribute.values for attribute in schema.categorical]
    return np.array([len(held) - (None in held[-1:]) for held in values], dtype=np.intp)


def fill(block: Block, missing: Flags, mixture: Mixture, schema: Schema) -> Filled:
    """Fill with the most probable category, or the mean of a number.

    Every cell is filled by itself, given all that is known of its record.
    """
    shares = rowwise.responsibilities(block, mixture)
    codes, probability = np.zeros(missing.shape, np.intp), np.full(missing.shape, np.nan)
    for m, rows, p, every in _to_fill(missing, mixture, schema):
        codes[rows, m], found = most_probable(shares[rows], p)
        probability[rows, m] = np.minimum(found / (shares[rows] @ every), 1.0)
    mean, variance = gaussian.conditional_moments(block.numbers, mixture)
    numbers, deviation = over_components(shares[:, None], mean, variance)
    named = missing & ~np.isnan(probability)
    return Filled(named, codes, probability, np.isnan(block.numbers), numbers, deviation)


def draw(
    block: Block, missing: Flags, mixture: Mixture, schema: Schema, rng: np.random.Generator
) -> Filled:
    """Fill with a draw: all missing cells of a record together, from one component."""
    shares = rowwise.responsibilities(block, mixture)
    bounds = np.cumsum(shares, axis=1)
    u = rng.random((len(block), 1)) * bounds[:, -1:]
    component = np.minimum((bounds <= u).sum(axis=1), mixture.k - 1)
    codes, probability = np.zeros(missing.shape, np.intp), np.full(missing.shape, np.nan)
    for m, rows, p, every in _to_fill(missing, mixture, schema):
        codes[rows, m] = categorical.draw(p, component[rows], rng)
        found = (shares[rows] * p[codes[rows, m]]).sum(axis=1)
        probability[rows, m] = found / (shares[rows] @ every)
    numbers = gaussian.draw(block.numbers, mixture, component, rng)
    deviation = np.full(numbers.shape, np.nan)
    named = missing & ~np.isnan(probability)
    return Filled(named, codes, probability, np.isnan(block.numbers), numbers, deviation)


def _to_fill(
    missing: Flags, mixture: Mixture, schema: Schema
) -> Iterator[tuple[int, Ints, Floats, Floats]]:
    """Yield each categorical attribute with missing cells.

    Its rows, p of the values that can be filled in, and p of all its real values together: rare
    values that share `OTHER` are real, but none of them can be named.
    """
    first = mixture.layout.offsets
    for m, n_values in enumerate(_n_real_values(schema)):
        rows = np.flatnonzero(missing[:, m])
        n_named = n_values - schema.categorical[m].pooled
        if len(rows) and n_named:
            p = mixture.p[first[m] : first[m] + n_values]
            yield m, rows, p[:n_named], p.sum(axis=0)


def _cells_of(filled: Filled, schema: Schema, first: int) -> pd.DataFrame:
    """Return what was filled in, one cell below the other, column by column.

    ``first`` is the position of the first row.
    """
    values = decode(filled.codes, filled.numbers, schema)
    parts: list[pd.DataFrame] = []
    for attribute, place in zip(schema.attributes, schema.places, strict=True):
        rows = np.flatnonzero(filled.missing_in(place))
        held = np.array(values[attribute.name], dtype=object)[rows]
        if isinstance(attribute, Numeric) and attribute.whole:
            held = np.round(held.astype(np.float64)).astype(object)
        probability, deviation = filled.certainty(attribute, place, rows)
        part = {
            "position": rows + first,
            "column": attribute.name,
            "value": pd.Series(held, dtype=object),
            "probability": probability,
            "deviation": deviation,
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _imputed(
    frame: Any, places: Mapping[str, int], found: pd.DataFrame, schema: Schema, return_cells: bool
) -> Any:
    """Return a frame with its missing cells filled, and the cells if these are wanted."""
    how = {column.name: column.format for column in schema.modelled}
    by_place = {
        places[str(name)]: Cells(
            part["position"].to_numpy(), part["value"].tolist(), how[str(name)]
        )
        for name, part in found.groupby("column", sort=False)
    }
    imputed = with_cells(frame, by_place)
    if not return_cells:
        return imputed
    found = found.sort_values("position", kind="stable", ignore_index=True)
    rows = found.pop("position").to_numpy()
    found.insert(0, "row", frame.index[rows] if isinstance(frame, pd.DataFrame) else rows)
    return imputed, like(frame, found)
