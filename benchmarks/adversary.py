"""A plain random search, to see what the product's search has missed.

It shares EM with the product and nothing of its search: restarts from records drawn at random, then
kicks that replace components of the best model so far by others around records drawn at random. It
is told how many components the product found, and spends half of its passes on kicks at the
product's own answer.
"""

from __future__ import annotations

import time

import numpy as np
import pandas as pd

from benchmarks.common import Record
from galileomix import Galileo
from galileomix._estimators import parameters
from galileomix._fitted.fit import criterion_of, records_of
from galileomix._fitted.path_steps import step_of, units_of
from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Stop, em
from galileomix._model.params import Mixture
from galileomix._model.start import around
from galileomix._passes.records import BlockRecords
from galileomix._table import Folder

ROUGH, FREE, FINE = Stop(1e-4, 30), Stop(1e-6, 100), Stop(1e-9, 1000)
STRENGTHS = (0.3, 1.0, 3.0)
PROMISING = 1e-3
"""How far behind the best, as a share of it, a model may be that is fitted to the end."""
RESTARTS = 0.25
"""The share of the passes of its own that go to restarts."""
MOST_DROPPED = 4


def adversary(model: Galileo, data: pd.DataFrame, passes: int, seconds: float) -> Record:
    """Search for something better than a fitted model, for so many passes or seconds."""
    mixture = model._model.mixture  # pyright: ignore[reportPrivateUsage]
    kind = "diagonal" if mixture.layout.diagonal else "full"
    unfitted = Galileo(criterion=model.criterion, covariance=kind, random_state=0)
    begun = time.process_time()
    with Folder() as folder:
        table = parameters.prepared(unfitted, data, None, folder)
        records = records_of(table.blocks, table.schema, parameters.fit_settings(unfitted))
        criterion = criterion_of(model.criterion, records.N)
        search = _Search(records, criterion, np.random.default_rng(1), begun + seconds)
        alone = search.from_scratch(mixture.k, passes // 2)
        further = search.from_answer(mixture, passes)
        best = min((alone, further), key=criterion.loss)
        step = step_of(best, records.N, units_of(table.schema, records))
    return {
        "k": best.k,
        "value": round(getattr(step, model.criterion), 6),
        "passes": records.n_passes,
        "seconds": round(time.process_time() - begun, 3),
    }


class _Search:
    """Restarts and kicks until the passes or the time are spent."""

    def __init__(
        self, records: BlockRecords, criterion: Criterion, rng: np.random.Generator, end: float
    ) -> None:
        self._records, self._criterion, self._rng, self._end = records, criterion, rng, end

    def from_scratch(self, k: int, passes: int) -> Fit:
        """Return the best of restarts, and of kicks at it; in half of the time at most."""
        late = time.process_time() + 0.5 * (self._end - time.process_time())
        best = em(self._records, self._records.everything)
        while self._goes_on(RESTARTS * passes, late):
            size = max(1, int(self._rng.integers(k - k // 4 - 1, k + k // 4 + 2)))
            best = self._better(self._around(size), best)
        return self._kicked(best, passes, late)

    def from_answer(self, mixture: Mixture, passes: int) -> Fit:
        """Return the best of kicks at an answer."""
        return self._kicked(em(self._records, mixture, stop=FINE), passes, self._end)

    def _kicked(self, best: Fit, passes: float, late: float) -> Fit:
        while self._goes_on(passes, late):
            k = best.k
            n_dropped = int(self._rng.integers(1, min(MOST_DROPPED, k) + 1))
            n_added = max(1, n_dropped + int(self._rng.integers(-1, 2)))
            dropped = self._rng.choice(k, n_dropped, replace=False)
            kept = best.mixture.take(np.setdiff1d(np.arange(k), dropped))
            added = self._around(n_added).weighted(
                np.full(n_added, 1.0 / (k - n_dropped + n_added))
            )
            room = 1.0 - added.alpha.sum()
            if kept.k:
                added = kept.weighted(kept.alpha * room / kept.alpha.sum()).beside(added)
            best = self._better(added.weighted(added.alpha / added.alpha.sum()), best)
        return best

    def _around(self, k: int) -> Mixture:
        records = self._records
        return around(records.draw(k, self._rng), records.layout, records.background)

    def _better(self, start: Mixture, best: Fit) -> Fit:
        """Return what EM makes of a start, if that is better than the best."""
        loss = self._criterion.loss
        strength = float(self._rng.choice(STRENGTHS))
        fit = em(self._records, em(self._records, start, strength, ROUGH).stats, stop=FREE)
        if best.k > 1 and loss(fit) > loss(best) + PROMISING * abs(loss(best)):
            return best
        fit = em(self._records, fit.stats, stop=FINE)
        return fit if loss(fit) < loss(best) else best

    def _goes_on(self, passes: float, late: float) -> bool:
        return self._records.n_passes < passes and time.process_time() < late
