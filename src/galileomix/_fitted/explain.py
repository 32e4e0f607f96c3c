"""Why records are surprising: every cell of a table given the other cells of its record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._fitted.explanation import FAR_OUT, Explanation, Reason, most_surprising
from galileomix._fitted.fitted_model import TOGETHER, FittedModel
from galileomix._fitted.judge import JudgedRows
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._model.params import Floats, Ints
from galileomix._table import Binned, Numeric, Schema, cells
from galileomix.errors import ParameterError

SPARE = 2
"""Further cells to look at: an improbable value may still be the most probable one."""


def explain(model: FittedModel, table: NewTable, sizes: Any = None) -> Explanation:
    """Explain the rows of a table, each by the mixture of a size; see `Galileo.explain`."""
    pieces = list(table.coded_rows())
    n_rows = sum(len(piece.block) for piece in pieces)
    wanted = np.asarray(TOGETHER if sizes is None else sizes)
    if sizes is not None:
        _check_sizes(wanted)
    if wanted.shape not in ((), (n_rows,)):
        raise ParameterError(f"sizes has the shape {wanted.shape}: give one, or {n_rows}")
    cuts = np.cumsum([len(piece.block) for piece in pieces])[:-1]
    by_piece = np.split(np.broadcast_to(wanted, n_rows), cuts)
    judged = (judged_at(model, *pair) for pair in zip(pieces, by_piece, strict=True))
    return explanation_of(judged, table.index).like(table.given)


def _check_sizes(sizes: NDArray[Any]) -> None:
    if sizes.dtype.kind not in "iu" or (sizes < 1).any():
        raise ParameterError(f"sizes={sizes.tolist()!r:.60}: they must be whole numbers from 1 on")


def surprise(model: FittedModel, table: NewTable, sizes: Sequence[int]) -> Floats:
    """Return how improbable rows are at several sizes, in deviations, (n, number of sizes)."""
    _check_sizes(np.asarray(sizes))
    return np.concatenate([surprises_of(model, piece, sizes) for piece in table.coded_rows()])


class Group(NamedTuple):
    """Rows of a piece that are judged by one mixture: their positions, cells and judgement."""

    positions: Ints
    rows: CodedRows
    judged: JudgedRows


@dataclass(frozen=True, eq=False)
class JudgedPiece:
    """Some rows of a table, each judged by the mixture of a size."""

    n_rows: int
    groups: list[Group]

    def reasons(self, most: int, least: float) -> list[list[Reason]]:
        """Return for each row the most surprising cells, by more than `least` nats, if any."""
        result: list[list[Reason]] = [[] for _ in range(self.n_rows)]
        for group in self.groups:
            found = _reasons(group, most, least)
            for position, reasons in zip(group.positions.tolist(), found, strict=True):
                result[position] = reasons
        return result


def explanation_of(pieces: Iterable[JudgedPiece], index: pd.Index | None) -> Explanation:
    """Return all there is to explain of judged rows, in the order of the table."""
    found, positions, first = list[Explanation](), list[Ints](), 0
    for piece in pieces:
        for group in piece.groups:
            found.append(_explanation(group))
            positions.append(first + group.positions)
        first += piece.n_rows
    order = np.argsort(np.concatenate(positions), kind="stable")
    return Explanation.joined(found, order, index)


def judged_at(
    model: FittedModel, piece: CodedRows, sizes: Any, left_out: bool = False
) -> JudgedPiece:
    """Judge rows, each by the mixture of its size; rows that were fitted, left out of it."""
    groups: list[Group] = []
    for k in np.unique(sizes).tolist():
        positions = np.flatnonzero(sizes == k)
        rows = piece.take(positions)
        judge = model.judge(None if k == TOGETHER else k)
        judged = judge.judged_left_out if left_out else judge.judged
        groups.append(Group(positions, rows, judged(rows.block, rows.unseen)))
    return JudgedPiece(len(piece.block), groups)


def surprises_of(model: FittedModel, piece: CodedRows, sizes: Sequence[int]) -> Floats:
    """Return how improbable rows are at several sizes, in deviations, (n, number of sizes)."""
    judges = [model.judge(k) for k in sizes]
    columns = [judge.judged(piece.block, piece.unseen).deviations() for judge in judges]
    return np.stack(columns, axis=1)


def _explanation(group: Group) -> Explanation:
    judged, schema = group.judged, group.judged.judge.schema
    attributes = range(schema.n_attributes)
    expected = [judged.expected(a) for a in attributes]
    units = schema.log_slope(judged.block.numbers)
    return Explanation(
        _frame([_values(group, a) for a in attributes], schema),
        _frame([judged.surprise(a) for a in attributes], schema),
        _frame([cell.value for cell in expected], schema),
        _frame([cell.probability for cell in expected], schema),
        _frame([cell.deviation for cell in expected], schema),
        pd.Series(judged.scores + units, name="log_density"),
        pd.Series(judged.p_values(), name="p_value"),
    )


def _reasons(group: Group, most: int, least: float) -> list[list[Reason]]:
    """Return the cells of each row that surprise most; what was expected is found for these."""
    judged, attributes = group.judged, group.judged.judge.schema.attributes
    surprise = np.stack([judged.surprise(a) for a in range(len(attributes))], axis=1)
    plain = [isinstance(a, Numeric) and a.spike is None for a in attributes]
    surprise = np.where(surprise > np.where(plain, FAR_OUT, least), surprise, np.nan)
    order = most_surprising(surprise, most + SPARE)
    named = ~np.isnan(np.take_along_axis(surprise, order, axis=1))
    found: list[list[Reason | None]] = [[None] * order.shape[1] for _ in order]
    for a, attribute in enumerate(attributes):
        rows, ranks = np.nonzero((order == a) & named)
        columns = (_values(group, a, rows), surprise[rows, a], *judged.expected(a, rows))
        lists = (column if isinstance(column, list) else column.tolist() for column in columns)
        for row, rank, *cell in zip(rows.tolist(), ranks.tolist(), *lists, strict=True):
            found[row][rank] = Reason(attribute.name, *cell)
    return [[why for why in row if why is not None and why.surprising][:most] for row in found]


def _values(group: Group, a: int, rows: slice | Ints = slice(None)) -> list[Any] | NDArray[Any]:
    """Return what cells hold: as the model knows it, or as given where it does not know it."""
    judge = group.judged.judge
    m = judge.schema.places[a].code
    known = group.judged.given(a, rows)
    unseen = np.zeros(0, np.bool_) if m is None else group.rows.unseen[rows, m]
    binned = isinstance(judge.schema.attributes[a], Binned)
    if not binned and not unseen.any():
        return known
    given = cells(group.rows.cells.columns[a])[rows]
    if binned:
        return given
    return [new if odd else old for odd, new, old in zip(unseen, given, known, strict=True)]


def _frame(columns: Sequence[Any], schema: Schema) -> pd.DataFrame:
    """Return one column for each attribute; categories stay as they are: None stays None."""
    return pd.DataFrame(
        {
            name: pd.Series(column, dtype=object) if isinstance(column, list) else column
            for name, column in zip(schema.names, columns, strict=True)
        }
    )
