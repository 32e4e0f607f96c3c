"""The other sizes: a good model of every size besides the best one, at little cost.

Merges lead down from the best size, splits up from one component and beyond the best size. Each
size is tried a few ways only; what a search is for is the best size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from galileomix._model.champions import Champions
from galileomix._model.em import Fit, Records, Stop, em, one_step
from galileomix._model.families import maximise
from galileomix._model.grow import parted
from galileomix._model.merge import join, merges
from galileomix._model.recall import Tried
from galileomix._model.split import splits
from galileomix._model.stats import Stats
from galileomix._model.with_prior import PRIOR_STOP, STRENGTHS

WAYS = 2
"""Splits, and merges of small sizes, that are tried at each size."""
SMALL = 6
"""Sizes that are also grown from one component: few clusters are not what many look like merged."""
A_FEW_STEPS = Stop(max_iter=10)
"""When EM stops where the sizes of a sample, carried to many rows, do not do."""
AT_ONCE = 256
"""Components of the models that are carried in one pass over the rows."""
BEYOND, FARTHEST_BEYOND = 2, 6
"""Sizes beyond the best one, and a tenth of it, but no more than these."""
STEPS_FOR_ALL = 400
"""Of k components EM goes on for no more than a k-th of these steps."""


class Fill:
    """Fills the gaps between champions, and mends sizes that are less likely than smaller ones."""

    def __init__(
        self,
        records: Records,
        champions: Champions,
        most: int,
        stop: Stop,
        carried: Champions | None = None,
    ) -> None:
        self._records, self._champions = records, champions
        self._most, self._carried = most, carried
        self._light = stop.light
        self._tried = Tried(champions)

    def run(self) -> None:
        """Offer models of all sizes from one to a little more than the best."""
        if self._carried is not None:
            self._carry(self._carried)
            return
        best = self._champions.best().k
        for k in range(best, 1, -1):
            self._merge(k)
        for k in range(1, min(best, SMALL)):
            self._split(k)
        beyond = min(BEYOND + best // 10, FARTHEST_BEYOND)
        for k in range(best, min(best + beyond, self._most)):
            self._split(k)
        self.raise_all()

    def _carry(self, carried: Champions) -> None:
        """Offer the sizes of a sample after a step of EM, and merges and a split where it has none.

        Rows are many where there was a sample: every size costs a pass or two, and those of a
        sample are asked together.
        """
        sizes = self._champions.by_size
        for fits in _in_batches([fit for fit in carried.fits() if fit.k not in sizes]):
            starts = [maximise(fit.stats, self._records.background, STRENGTHS[0]) for fit in fits]
            for fit in one_step(self._records, starts):
                self._champions.offer(fit)
        best, criterion = self._champions.best(), self._champions.criterion
        for k in range(best.k, 2, -1):
            if k in sizes and not self._champions.rises_to(k - 1):
                joined = join(sizes[k].stats, merges(self._records, sizes[k], criterion, 1)[0])
                self._champions.offer(em(self._records, joined, stop=A_FEW_STEPS))
        if best.k < self._most and not self._champions.rises_to(best.k + 1):
            for split in splits(self._records, best, criterion)[:1]:
                start = parted(best.stats, [split])
                self._champions.offer(em(self._records, start, stop=A_FEW_STEPS))

    def raise_all(self) -> None:
        """Leave no size with less likelihood than a smaller one, if a split can mend it."""
        for k in sorted(self._champions.by_size):
            self._raise(k)

    def _merge(self, k: int) -> None:
        if self._tried.is_new("merge", k):
            fit = self._champions.by_size[k]
            found = merges(self._records, fit, self._champions.criterion, WAYS)
            if k <= SMALL:
                self._try(join(fit.stats, merge) for merge in found)
            else:
                joined = join(fit.stats, found[0])
                target = self._champions.target(k - 1)
                few = replace(self._light, max_iter=min(self._light.max_iter, _steps(k)))
                self._champions.offer(em(self._records, joined, 0.0, few, target))

    def _split(self, k: int) -> None:
        if self._tried.is_new("split", k):
            fit = self._champions.by_size[k]
            found = splits(self._records, fit, self._champions.criterion)[:WAYS]
            self._try(parted(fit.stats, [split]) for split in found)

    def _try(self, candidates: Iterable[Stats]) -> None:
        """Fit candidates, first with a prior and then without, and offer them."""
        for candidate in candidates:
            rough = em(self._records, candidate, STRENGTHS[0], PRIOR_STOP)
            target = self._champions.target(rough.k)
            self._champions.offer(em(self._records, rough.stats, 0.0, self._light, target))

    def _raise(self, k: int) -> None:
        """Split the champion of k without a prior until one component more has no less likelihood.

        By what splits promise, which they need not hold: covariances are shrunk afterwards.
        """
        fit = self._champions.by_size.get(k)
        if fit is None or not self._is_short_after(k) or not self._tried.is_new("raise", k):
            return
        for split in splits(self._records, fit, self._champions.criterion):
            start = parted(fit.stats, [split])
            self._champions.offer(em(self._records, start, stop=self._light))
            if not self._is_short_after(k):
                return

    def _is_short_after(self, k: int) -> bool:
        """Whether one component more has less likelihood, or is wanted and was not found."""
        return self._champions.falls_after(k) or self._champions.lacks_after(k)


def _in_batches(fits: list[Fit]) -> Iterator[list[Fit]]:
    """Yield as many models at a time as have `AT_ONCE` components together, and at least one."""
    batch: list[Fit] = []
    for fit in fits:
        if batch and sum(other.k for other in batch) + fit.k > AT_ONCE:
            yield batch
            batch = []
        batch.append(fit)
    if batch:
        yield batch


def _steps(k: int) -> int:
    """Return how many steps of EM a size may take, so that all sizes together take few.

    >>> _steps(10), _steps(100), _steps(1000)
    (40, 4, 2)
    """
    return max(2, STEPS_FOR_ALL // k)
