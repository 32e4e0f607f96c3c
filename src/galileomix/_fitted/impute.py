"""Missing values filled with what the other cells of their record lead to expect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice, repeat
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._checks import check_integer
from galileomix._fitted.filling import Filled, draw, fill, missing_of
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.frames import Cells, like, own_frame, with_cells
from galileomix._fitted.joint_filling import fill_jointly
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._fitted.redraw import redrawn
from galileomix._model.params import Mixture
from galileomix._table import Block, Columns, Numeric, Schema, cells, decode

Fill = Callable[[Block, NDArray[np.bool_], Mixture, Schema], Filled]
"""How missing cells are filled: those of a block, which they are, by a mixture."""


def impute(model: FittedModel, table: NewTable, return_cells: bool, jointly: bool) -> Any:
    """Fill the missing cells of a table; see `Galileo.impute`."""
    pieces = list(table.coded_rows())
    frame, places = _frame(table, [piece.cells for piece in pieces])
    found = _filled(model, pieces, fill_jointly if jointly else fill)
    return _imputed(frame, places, found, model.schema, return_cells)


def impute_by_draws(
    model: FittedModel,
    table: NewTable,
    return_cells: bool,
    n_draws: int,
    rng: np.random.Generator,
    resample: bool,
) -> list[Any]:
    """Return tables whose missing cells are filled by draws; see `Galileo.impute`."""
    check_integer("n_draws", n_draws, 1)
    models = redrawn(model, list(table.blocks()), rng) if resample else repeat(model)
    pieces = list(table.coded_rows())
    frame, places = _frame(table, [piece.cells for piece in pieces])
    by_draws = partial(draw, rng=rng)
    drawn = [_filled(one, pieces, by_draws) for one in islice(models, int(n_draws))]
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


def _filled(model: FittedModel, pieces: Sequence[CodedRows], fill: Fill) -> pd.DataFrame:
    """Return what is filled in, by the position of the row."""
    mixture, schema = model.judge().mixture, model.schema
    first, parts = 0, list[pd.DataFrame]()
    for piece in pieces:
        block, missing = missing_of(piece, schema)
        parts.append(_cells_of(fill(block, missing, mixture, schema), schema, first))
        first += len(block)
    found = pd.concat(parts, ignore_index=True)
    return found.loc[~found["column"].isin(model.never_known)]


def _cells_of(filled: Filled, schema: Schema, first: int) -> pd.DataFrame:
    """Return what was filled in, one cell below the other, column by column.

    ``first`` is the position of the first row.
    """
    values = decode(filled.codes, filled.numbers, schema)
    parts: list[pd.DataFrame] = []
    for attribute, place in zip(schema.attributes, schema.places, strict=True):
        rows = np.flatnonzero(filled.missing_in(place))
        held = np.array(values[attribute.name], dtype=object)[rows]
        if isinstance(attribute, Numeric) and attribute.decimals is not None:
            held = attribute.rounded(held.astype(np.float64)).astype(object)
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
    exact = {
        attribute.name for attribute in schema.attributes if not isinstance(attribute, Numeric)
    }
    by_place = {
        places[str(name)]: Cells(
            part["position"].to_numpy(), part["value"].tolist(), how[str(name)], name in exact
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
