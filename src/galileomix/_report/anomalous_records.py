"""The records of a table that are least usual: which of them stand out, and which cells do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from galileomix._fitted import evidence
from galileomix._fitted.evidence import Evidence, Yardstick, yardstick_of
from galileomix._fitted.explain import judged_at
from galileomix._fitted.explanation import Reason
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import CodedRows
from galileomix._fitted.tail import largest_p
from galileomix._fitted.visible_text import shown
from galileomix._model.params import Floats, Ints
from galileomix._report.cell_texts import shown_cell, shown_expectation
from galileomix._table import Attribute

MOST_SHOWN = 20
MOST_BLAMED, MOST_LOOKED_AT = 3, 8
"""Cells of a record that are named, and those that are looked at for them."""
LIKELIER = 4.0
"""A cell is to blame where what was expected is so many times as probable as what it holds."""
FDR = 0.05
"""The share of false ones among the anomalies, as in ``plot_surprise``."""
LEAST_SURPRISE = math.log(2.0)
"""In nats: a value that is as probable as all others together is no reason."""
QUITE_USUAL = 0.1
"""The p-value from which on a record is not shown among the least usual."""
DRAWS = 2_000
"""Records that the model draws, to know what is usual."""


@dataclass(frozen=True)
class BlamedCell:
    """A cell that surprises, given the other cells of its record."""

    attribute: str
    value: str
    expected: str


@dataclass(frozen=True)
class UnusualRecord:
    """One of the records that are least usual."""

    row: int  # counted from 1
    score: float  # the lower, the more it stands out
    p_value: float  # how often the model draws a record that stands out as much
    evidence: str  # what speaks most against it
    cluster: int
    cells: list[BlamedCell]  # none where only the combination is improbable


@dataclass(frozen=True)
class UnusualRecords:
    """How many records of a table are anomalies, and the least usual ones in order."""

    n_anomalies: int
    least_usual: list[UnusualRecord]

    @property
    def anomalies(self) -> list[UnusualRecord]:
        """Those that stand out more than chance would have it; they come first."""
        return self.least_usual[: self.n_anomalies]

    @property
    def others(self) -> list[UnusualRecord]:
        """Those that do not."""
        return self.least_usual[self.n_anomalies :]


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some rows of a table: their positions, cells and the evidence against them."""

    positions: Ints
    rows: CodedRows
    evidence: Evidence


class AnomalySearch:
    """Judges rows, a part of a table at a time; in the end, which of them are least usual.

    As a detector does: rows that were fitted are left out of the model, and the evidence against
    them is measured by what is usual among such rows.
    """

    def __init__(self, model: FittedModel, fitted: bool) -> None:
        self._model, self._fitted = model, fitted
        self._drawn = yardstick_of(model, DRAWS)
        self._pieces: list[_Piece] = []
        self._usual: list[Evidence] = []  # evidence against rows that were fitted

    def look_at(self, rows: CodedRows, positions: Ints) -> None:
        """Judge rows that may stand out, of which the positions in the table are known."""
        if len(positions):
            self._pieces.append(_Piece(positions, rows, self._evidence(rows)))

    def learn_from(self, rows: CodedRows) -> None:
        """Learn what is usual from rows of the table that were fitted."""
        if self._fitted and len(rows.block):
            self._usual.append(self._evidence(rows))

    def found(self, labels: Ints) -> UnusualRecords:
        """Return the rows that are least usual; `labels` are the clusters of all rows."""
        judged = [self._yardstick.judged(piece.evidence) for piece in self._pieces]
        pairs = zip(self._pieces, judged, strict=True)
        records = [record for some in pairs for record in self._of_piece(*some, labels)]
        scores = np.concatenate([some for some, _ in judged])
        n_anomalies = self._n_anomalies(scores, len(labels))
        ordered = sorted(records, key=lambda record: record.score)[:MOST_SHOWN]
        unusual = [one for n, one in enumerate(ordered) if _unusual(one, n < n_anomalies)]
        return UnusualRecords(n_anomalies, unusual)

    def _n_anomalies(self, scores: Floats, n_rows: int) -> int:
        """Return how many rows stand out; those that were not judged do so by nothing."""
        p_values = np.ones(n_rows)
        found = self._drawn.p_values(scores)
        p_values[: len(found)] = found
        return int((found <= largest_p(p_values, np.ones(n_rows), FDR)).sum())

    def _evidence(self, rows: CodedRows) -> Evidence:
        sizes = self._drawn.sizes
        return evidence.evidence_of(self._model, rows.block, rows.unseen, sizes, self._fitted)

    @cached_property
    def _yardstick(self) -> Yardstick:
        if not self._usual:
            return self._drawn
        found = Evidence.joined(self._usual)
        medians, spreads = evidence.usual_of(found, np.ones(len(found.mass)))
        return replace(self._drawn, medians=medians, spreads=spreads)

    def _of_piece(
        self, piece: _Piece, judged: tuple[Floats, Ints], labels: Ints
    ) -> Iterator[UnusualRecord]:
        scores, strongest = judged
        sizes, worst = self._drawn.sizes, np.argsort(scores, kind="stable")[:MOST_SHOWN]
        which = strongest[worst]
        left_out = self._fitted and evidence.can_leave_out(self._model)
        explained = evidence.explained_by(which, sizes)
        told = judged_at(self._model, piece.rows.take(worst), explained, left_out)
        kinds, p_values = evidence.kinds(which, sizes), self._drawn.p_values(scores[worst])
        reasons = told.reasons(MOST_LOOKED_AT, LEAST_SURPRISE)
        attributes = {one.name: one for one in self._model.schema.attributes}
        for n, i in enumerate(worst.tolist()):
            row, blamed = int(piece.positions[i]), blamed_cells(reasons[n], attributes)
            kind = evidence.VALUES if kinds[n] == evidence.CELL and not blamed else str(kinds[n])
            known = (float(scores[i]), float(p_values[n]), kind)
            yield UnusualRecord(row + 1, *known, int(labels[row]), blamed)


def blamed_cells(
    reasons: Sequence[Reason], attributes: Mapping[str, Attribute]
) -> list[BlamedCell]:
    """Return the cells for which something else was clearly likelier, of those that surprise."""
    clear = [reason for reason in reasons if _clear(reason)][:MOST_BLAMED]
    return [_blamed(reason, attributes[reason.attribute]) for reason in clear]


def _clear(reason: Reason) -> bool:
    number = reason.deviation == reason.deviation  # far out, or it would be no reason
    return number or reason.probability >= LIKELIER * math.exp(-reason.surprise)


def _blamed(reason: Reason, attribute: Attribute) -> BlamedCell:
    value, expected = shown_cell(attribute, reason.value), shown_expectation(attribute, reason)
    return BlamedCell(shown(attribute.name), value, expected)


def _unusual(record: UnusualRecord, anomaly: bool) -> bool:
    return anomaly or record.p_value < QUITE_USUAL
