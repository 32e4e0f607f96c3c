"""The fewest cells of a record without which it would be usual.

Where several cells could be the wrong one, the surprise of each does not say so: of two values that
contradict one another both surprise. Here a cell is wrong where the rest of the record, without it,
is as probable as what the model draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.judge import Judge
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._model.params import Floats, Ints
from galileomix._table import Block
from galileomix.errors import ParameterError

MOST_CELLS = 5
"""The most cells of a set."""
MOST_PAIRED = 24
"""Where there are more attributes, pairs are of those whose cells help most by themselves."""

LEVEL = 0.05
"""Records are usual where the model draws one at most as probable more often than this."""

Cells = tuple[int, ...]
Names = tuple[str, ...]


def blame(model: FittedModel, table: NewTable, level: Any) -> list[list[Names]]:
    """Return the smallest sets of columns to blame for each row; see `Galileo.blame`."""
    real = isinstance(level, int | float | np.number) and not isinstance(level, bool)
    if not real or not 0.0 < level <= 0.5:
        raise ParameterError(f"level={level!r}: it must be a number above 0 and at most 0.5")
    return [sets for rows in table.coded_rows() for sets in blamed(model, rows, float(level))]


def blamed(model: FittedModel, rows: CodedRows, level: float = LEVEL) -> list[list[Names]]:
    """Return the smallest sets of columns to blame for each of some rows."""
    names, found = model.schema.names, _Blamed(model.judge(), rows, level).sets()
    return [[tuple(names[a] for a in cells) for cells in sets] for sets in found]


class _Blamed:
    """Some rows before a judge, and what can be said of them without some of their cells."""

    def __init__(self, judge: Judge, rows: CodedRows, level: float) -> None:
        self._judge, self._rows, self._level = judge, rows, level

    def sets(self) -> list[list[Cells]]:
        """Return the smallest sets of cells for each row, the most helpful first."""
        every = np.arange(len(self._rows.block))
        result: list[list[Cells]] = [[] for _ in every]
        open_ = every[self._p_values(every, ()) < self._level]
        singles = self._tried(open_, [(a,) for a in range(self._judge.schema.n_attributes)])
        open_ = self._noted(result, open_, singles)
        for row in open_.tolist():
            result[row] = self._of_several(row, {c: float(p[row]) for c, p in singles.items()})
        return result

    def _of_several(self, row: int, singles: dict[Cells, float]) -> list[Cells]:
        """Return the smallest sets of two cells or more for one row."""
        one, result = np.array([row]), [list[Cells]()]
        best_first = [cells[0] for cells in sorted(singles, key=lambda cells: -singles[cells])]
        pairs = self._tried(one, combinations(sorted(best_first[:MOST_PAIRED]), 2))
        self._noted(result, np.zeros(1, np.intp), {c: p[one] for c, p in pairs.items()})
        if result[0] or not pairs:
            return result[0]
        cells = max(pairs, key=lambda pair: pairs[pair][row])
        while len(cells) < min(MOST_CELLS, len(singles) - 1):
            more = self._tried(one, [(*cells, a) for a in best_first if a not in cells])
            cells = max(more, key=lambda larger: more[larger][row])
            if more[cells][row] >= self._level:
                return [tuple(sorted(cells))]
        return []

    def _noted(self, result: list[list[Cells]], rows: Ints, tried: dict[Cells, Floats]) -> Ints:
        """Note the sets without which rows are usual; return the rows that have none."""
        for row in rows.tolist():
            enough = [cells for cells, p in tried.items() if p[row] >= self._level]
            result[row] = sorted(enough, key=lambda cells: -tried[cells][row])
        return np.array([row for row in rows.tolist() if not result[row]], dtype=np.intp)

    def _tried(self, rows: Ints, sets: Iterable[Cells]) -> dict[Cells, Floats]:
        """Return the p-values of rows without some cells, by the set, (all rows,)."""
        found: dict[Cells, Floats] = {}
        for cells in sets if len(rows) else ():
            found[cells] = np.zeros(len(self._rows.block))
            found[cells][rows] = self._p_values(rows, cells)
        return found

    def _p_values(self, rows: Ints, cells: Cells) -> Floats:
        """Return how often a record is drawn that is at most as probable, some cells unknown."""
        block, unseen = self._rows.block.rows(rows), self._rows.unseen[rows].copy()
        codes, numbers = block.codes.copy(), block.numbers.copy()
        sizes = self._judge.mixture.layout.cardinalities
        for a in cells:
            m, q = self._judge.schema.places[a]
            if m is not None:
                codes[:, m], unseen[:, m] = sizes[m], False
            if q is not None:
                numbers[:, q] = np.nan
        return self._judge.judged(Block(codes, numbers, block.weights), unseen).p_values()
