"""The fewest cells of a record without which it would be usual.

Where several cells could be the wrong one, the surprise of each does not say so: of two values that
contradict one another both surprise. Here a cell is wrong where the rest of the record, without it,
is as probable as what the model draws, and no cell of it more surprising.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from galileomix._checks import check_share
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.judge import Judge
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._table import Block

MOST_CELLS = 5
"""The most cells of a set."""
MOST_PAIRED = 24
"""Where there are more attributes, pairs are of those whose cells help most by themselves."""

LEVEL = 0.05
"""Records are usual where the model draws one at most as probable more often than this, and one
with a cell at least as surprising."""

Cells = tuple[int, ...]
Names = tuple[str, ...]


def blame(model: FittedModel, table: NewTable, level: Any) -> list[list[Names]]:
    """Return the smallest sets of columns to blame for each row; see `Galileo.blame`."""
    check_share("level", level)
    return [sets for rows in table.coded_rows() for sets in blamed(model, rows, float(level))]


def blamed(
    model: FittedModel, rows: CodedRows, level: float = LEVEL, left_out: bool = False
) -> list[list[Names]]:
    """Return the smallest sets of columns to blame for each of some rows."""
    names, found = model.schema.names, _Blamed(model.judge(), rows, level, left_out).sets()
    return [[tuple(names[a] for a in cells) for cells in sets] for sets in found]


class _Judged(NamedTuple):
    """What is said of a row without some of its cells: whether it is usual, and how far from it."""

    usual: bool
    away: float


class _Blamed:
    """Some rows before a judge, and what can be said of them without some of their cells."""

    def __init__(self, judge: Judge, rows: CodedRows, level: float, left_out: bool) -> None:
        self._judge, self._rows, self._level, self._left_out = judge, rows, level, left_out
        # Without other cells a value of a share above the level is no surprise, whatever is drawn.
        self._most = max(float(np.quantile(judge.drawn_surprise, 1.0 - level)), -np.log(level))

    def sets(self) -> list[list[Cells]]:
        """Return the smallest sets of cells for each row, the most helpful first."""
        return [self._of_row(row) for row in range(len(self._rows.block))]

    def _of_row(self, row: int) -> list[Cells]:
        known = self._known(row)
        if self._is_usual(row, ()):
            return []
        singles = self._without(row, ((a,) for a in known if len(known) > 1))
        if found := _usual(singles):
            return found
        best_first = [cells[0] for cells in sorted(singles, key=lambda cells: singles[cells].away)]
        return self._of_several(row, best_first)

    def _of_several(self, row: int, best_first: list[int]) -> list[Cells]:
        """Return the smallest sets of two cells or more; the cells are in the order they help."""
        most = min(MOST_CELLS, len(best_first) - 1)
        pairs = combinations(sorted(best_first[:MOST_PAIRED]), 2) if most > 1 else ()
        tried = self._without(row, pairs)
        found = _usual(tried)
        if found or not tried:
            return found
        cells: Cells = min(tried, key=lambda pair: tried[pair].away)
        while len(cells) < most:
            more = self._without(row, ((*cells, a) for a in best_first if a not in cells))
            cells = min(more, key=lambda larger: more[larger].away)
            if more[cells].usual:
                return [self._needed(row, cells)]
        return []

    def _needed(self, row: int, cells: Cells) -> Cells:
        """Return a set without the cells that are not needed in it."""
        for a in cells:
            rest = tuple(b for b in cells if b != a)
            if self._is_usual(row, rest):
                cells = rest
        return tuple(sorted(cells))

    def _known(self, row: int) -> list[int]:
        """Return the attributes whose cells are not missing."""
        codes, numbers = self._rows.block.codes[row], self._rows.block.numbers[row]
        sizes, unseen = self._judge.mixture.layout.cardinalities, self._rows.unseen[row]
        return [
            a
            for a, (m, q) in enumerate(self._judge.schema.places)
            if (m is not None and (codes[m] < sizes[m] or unseen[m]))
            or (m is None and q is not None and not np.isnan(numbers[q]))
        ]

    def _is_usual(self, row: int, cells: Cells) -> bool:
        return self._without(row, [cells])[cells].usual

    def _without(self, row: int, sets: Iterable[Cells]) -> dict[Cells, _Judged]:
        """Judge a row with each of some sets of its cells unknown."""
        every = list(sets)
        if not every:
            return {}
        one = self._rows.take(np.full(len(every), row))
        block, unseen = one.block, one.unseen.copy()
        codes, numbers = block.codes.copy(), block.numbers.copy()
        for n, cells in enumerate(every):
            for a in cells:
                m, q = self._judge.schema.places[a]
                if m is not None:
                    codes[n, m], unseen[n, m] = self._judge.mixture.layout.cardinalities[m], False
                if q is not None:
                    numbers[n, q] = np.nan
        judged = self._judge.judged_left_out if self._left_out else self._judge.judged
        found = judged(Block(codes, numbers, block.weights), unseen)
        usual = found.p_values() >= self._level
        usual &= found.greatest_surprise() <= self._most
        away = found.deviations()
        return {cells: _Judged(bool(usual[n]), float(away[n])) for n, cells in enumerate(every)}


def _usual(tried: dict[Cells, _Judged]) -> list[Cells]:
    """Return the sets without which a row is usual, the most helpful first."""
    enough = [cells for cells, found in tried.items() if found.usual]
    return sorted(enough, key=lambda cells: tried[cells].away)
