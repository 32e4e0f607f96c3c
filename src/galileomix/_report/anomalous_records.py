"""The records of a table that stand out most, the cells to blame, and what was expected."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from galileomix._fitted import evidence
from galileomix._fitted.evidence import yardstick_of
from galileomix._fitted.explain import judged_at
from galileomix._fitted.explanation import Reason
from galileomix._fitted.fitted_model import TOGETHER, FittedModel
from galileomix._fitted.new_table import CodedRows
from galileomix._fitted.visible_text import shown
from galileomix._model.params import Floats, Ints
from galileomix._words import shown_value

MOST_ANOMALIES = 20
MOST_REASONS = 3
LEAST_SURPRISE = math.log(2.0)
"""In nats: a value that is as probable as all others together is no reason."""
DRAWS = 2_000
"""Records that the model draws, to know what is usual."""


@dataclass(frozen=True)
class BlamedCell:
    """A cell that surprises, given the other cells of its record."""

    attribute: str
    value: str
    expected: str


@dataclass(frozen=True)
class AnomalousRecord:
    """A record that stands out."""

    row: int  # counted from 1
    score: float  # the lower, the more it stands out
    p_value: float  # how often the model draws a record that stands out as much
    evidence: str  # what speaks most against it
    cluster: int
    cells: list[BlamedCell]  # none where only all together are improbable


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some rows of a table: their positions, cells and the evidence against them."""

    positions: Ints
    rows: CodedRows
    evidence: Floats


class AnomalySearch:
    """Judges rows, a part of a table at a time; in the end, which of them stand out most.

    As a detector does: rows that were fitted are left out of the model, and the evidence against
    them is measured by what is usual among such rows.
    """

    def __init__(self, model: FittedModel, fitted: bool) -> None:
        self._model, self._fitted = model, fitted
        self._drawn = yardstick_of(model, DRAWS)
        self._pieces: list[_Piece] = []
        self._usual: list[Floats] = []

    def look_at(self, rows: CodedRows, positions: Ints) -> None:
        """Judge rows that may stand out, of which the positions in the table are known."""
        if len(positions):
            self._pieces.append(_Piece(positions, rows, self._evidence(rows)))

    def learn_from(self, rows: CodedRows) -> None:
        """Learn what is usual from rows of the table that were fitted."""
        if self._fitted and len(rows.block):
            self._usual.append(self._evidence(rows))

    def worst(self, labels: Ints) -> list[AnomalousRecord]:
        """Return the rows that stand out most; `labels` are the clusters of all rows."""
        found = [record for piece in self._pieces for record in self._of_piece(piece, labels)]
        return sorted(found, key=lambda record: record.score)[:MOST_ANOMALIES]

    def _evidence(self, rows: CodedRows) -> Floats:
        sizes = self._drawn.sizes
        return evidence.evidence_of(self._model, rows.block, rows.unseen, sizes, self._fitted)

    @cached_property
    def _medians_and_spreads(self) -> tuple[Floats, Floats]:
        if not self._usual:
            return self._drawn.medians, self._drawn.spreads
        found = np.concatenate(self._usual)
        return evidence.usual_of(found, np.ones(len(found)))

    def _of_piece(self, piece: _Piece, labels: Ints) -> Iterator[AnomalousRecord]:
        medians, spreads = self._medians_and_spreads
        away = (piece.evidence - medians) / spreads
        scores, sizes = evidence.combined(away), self._drawn.sizes
        worst = np.argsort(scores, kind="stable")[:MOST_ANOMALIES]
        which = evidence.strongest(away[worst], sizes)
        left_out = self._fitted and evidence.can_leave_out(self._model)
        explained = np.append(sizes, TOGETHER)[which]
        judged = judged_at(self._model, piece.rows.take(worst), explained, left_out)
        kinds, p_values = evidence.kinds(which, sizes), self._drawn.p_values(scores[worst])
        reasons = judged.reasons(MOST_REASONS, LEAST_SURPRISE)
        for n, i in enumerate(worst.tolist()):
            row, blamed = int(piece.positions[i]), [_blamed(reason) for reason in reasons[n]]
            known = (float(scores[i]), float(p_values[n]), str(kinds[n]))
            yield AnomalousRecord(row + 1, *known, int(labels[row]), blamed)


def _blamed(reason: Reason) -> BlamedCell:
    value = shown(shown_value(reason.value))
    return BlamedCell(shown(reason.attribute), value, shown(reason.expectation))
