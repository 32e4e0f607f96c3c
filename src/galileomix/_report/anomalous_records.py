"""The records of a table that stand out most, the cells to blame, and what was expected."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.evidence import Yardstick, can_leave_out, yardstick_of
from galileomix._fitted.explain import judged_at
from galileomix._fitted.explanation import Reason
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import CodedRows
from galileomix._model.params import Ints
from galileomix._report.visible_text import shown
from galileomix._words import shown_probability, shown_value

MOST_ANOMALIES = 20
MOST_REASONS = 4
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
    p_value: str  # how often the model draws a record that stands out as much
    evidence: str  # what speaks most against it
    cluster: int
    cells: list[BlamedCell]  # none where only all together are improbable


class AnomalySearch:
    """Judges rows, a piece of a table at a time, and remembers those that stand out most."""

    def __init__(self, model: FittedModel, fitted: bool) -> None:
        self._model, self._fitted = model, fitted
        self._judge: Yardstick = yardstick_of(model, DRAWS)
        self.found: list[AnomalousRecord] = []

    def look_at(self, rows: CodedRows, positions: Ints, labels: Ints) -> None:
        """Judge some rows, of which the positions in the table and the clusters are known."""
        if not len(positions):
            return
        found = [*self.found, *self._worst(rows, positions, labels)]
        self.found = sorted(found, key=lambda record: record.score)[:MOST_ANOMALIES]

    def _worst(self, rows: CodedRows, positions: Ints, labels: Ints) -> Iterator[AnomalousRecord]:
        scored = self._judge.scored_piece(self._model, rows, self._fitted)
        worst = np.argsort(scored.scores, kind="stable")[:MOST_ANOMALIES]
        left_out = self._fitted and can_leave_out(self._model)
        judged = judged_at(self._model, rows.take(worst), scored.sizes[worst], left_out)
        p_values = self._judge.p_values(scored.scores[worst])
        reasons = judged.reasons(MOST_REASONS, LEAST_SURPRISE)
        for n, i in enumerate(worst.tolist()):
            yield AnomalousRecord(
                int(positions[i]) + 1,
                float(scored.scores[i]),
                shown_probability(float(p_values[n])),
                str(scored.kinds[i]),
                int(labels[i]),
                [_blamed(reason) for reason in reasons[n]],
            )


def _blamed(reason: Reason) -> BlamedCell:
    value = shown(shown_value(reason.value))
    return BlamedCell(shown(reason.attribute), value, shown(reason.expectation))
