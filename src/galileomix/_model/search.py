"""The whole search: annealing alone, or growth and kicks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from galileomix._model.anneal import Pruning, anneal, schedule
from galileomix._model.champions import Champions
from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.fill import Fill
from galileomix._model.grow import Limits, grow
from galileomix._model.kicks import Kicks, Tally
from galileomix._model.params import Mixture
from galileomix._model.refine import Effort, Refinement
from galileomix._model.snap import snap

FIRST_GUESS = 16
PATIENCE = 100
"""Kicks in vain after which the search ends, at an effort of 1."""
FIRST_STAGE = 25
"""Kicks in vain after which the first stage ends; each further stage has twice as many."""
WIDEST, NARROWEST = 6, 2
FREE_CELLS = 4e5
"""Records x attributes that one candidate more per move may cost: small tables, wide search."""
FREE_ROWS = 20_000
"""Rows up to which patience is whole; beyond, a kick costs more, and there are fewer of them."""
AT_THE_END = 10
"""Steps of EM without a prior for a model that the end of the search cut short."""
MANY = 6
"""Components less one from which patience is whole: of fewer there are fewer ways to kick them."""
LONGEST = 4
"""Where success came late a stage goes on for as long again, but for no more times its patience."""


@dataclass(frozen=True)
class Settings:
    """What the user chose."""

    criterion: Criterion
    k_max: int | None  # the most components; None where that is chosen automatically
    limit: int  # the most that is ever chosen automatically
    beta: float
    pruning: Pruning
    prior_strength: float  # of the annealing
    stop: Stop
    wanted: int | None = None  # the number of components; None where the criterion chooses it
    effort: float = 1.0  # how long kicks go on


Start = Callable[[int], Mixture]
Notify = Callable[[Fit], None]
Check = Callable[[], None]
"""What is called before every pass; it may raise `Stopped`."""


class Stopped(Exception):
    """The search was told to end: what was found so far counts."""


class Found(NamedTuple):
    """The best fit of every size that a search met, and how it went."""

    fits: list[Fit]
    tally: Tally


def annealing_search(
    records: Records, start: Start, settings: Settings, notify: Notify, check: Check
) -> Found:
    """Return the fits of annealing alone; k_max is doubled while k* is over half of it.

    Without a prior this is the published method: plain EM, every size of the schedule.
    """
    first = 2 * settings.wanted if settings.wanted else FIRST_GUESS
    k_max = settings.k_max or min(first, settings.limit)
    champions = Champions(settings.criterion, settings.wanted)
    try:
        while True:
            for fit in _annealed(records, start(k_max), settings):
                if settings.prior_strength > 0:
                    fit = em(records, fit.stats, stop=settings.stop, plain=True)
                champions = champions if fit.k < k_max else champions.anew()
                champions.offer(fit)
                notify(champions.best())
                records.before_pass = check
            enough = 2 * champions.best().k <= k_max or k_max == settings.limit
            if settings.k_max is not None or enough:
                return Found(champions.fits(), Tally())
            k_max = min(2 * k_max, settings.limit)
    except Stopped:
        return Found(champions.fits(), Tally())
    finally:
        records.before_pass = _go_on


def robust_search(
    records: Records,
    settings: Settings,
    rng: np.random.Generator,
    notify: Notify,
    check: Check,
) -> Found:
    """Return the best fit met at every size.

    ::

        grow from one component: this finds about how many there are
        fill in the other sizes
        for stages of ever more patience
            kick until so many kicks in a row were in vain
            from the second stage on: refine champions near the best; snap the best to the border
            fill in the other sizes again
        leave out sizes that are no likelier than a smaller one

    A stage does the same whatever comes after it, so that more effort never ends worse. From the
    first model on, ``check`` may end the search before any pass.
    """
    champions = Champions(settings.criterion, settings.wanted)
    champions.offer(em(records, records.everything, stop=settings.stop))
    notify(champions.best())
    search = _Search(records, champions, settings, notify)
    records.before_pass = check
    try:
        search.run(rng)
    except Stopped:
        records.before_pass = _go_on
        search.end()
    finally:
        records.before_pass = _go_on
    return Found(champions.rising(), search.tally)


def _go_on() -> None:
    """Let the search go on."""


class _Search:
    """The robust search in its parts; what it finds is in the champions."""

    def __init__(
        self, records: Records, champions: Champions, settings: Settings, notify: Notify
    ) -> None:
        self._records, self._champions, self._settings = records, champions, settings
        self._notify = notify
        self._limits = Limits(settings.k_max or settings.limit, settings.wanted)
        self._grown: Fit | None = None
        self.tally = Tally()

    def run(self, rng: np.random.Generator) -> None:
        """Search until the end."""
        settings, champions = self._settings, self._champions
        if 1 in (self._limits.most, self._limits.wanted):
            return
        self._grow()
        fill = Fill(self._records, champions, self._limits.most, settings.stop)
        fill.run()
        refinement = self._refinement()
        if not settings.criterion.of_likelihood:
            refinement.run(self._notify_best)
            return
        kicks = Kicks(self._records, champions, self._limits, settings.stop, rng)
        self.tally = kicks.tally
        for patience in _stages(settings.effort, self._records.n_rows):
            self._kick(kicks, patience)
            if patience > FIRST_STAGE:
                refinement.run(self._notify_best)
                champions.offer(snap(self._records, champions.best(), settings.stop))
                self._notify(champions.best())
            fill.run()
        champions.finish(em(self._records, champions.best().stats, stop=settings.stop))

    def _refinement(self) -> Refinement:
        """Return what improves sizes near the best one; by density all sizes."""
        settings = self._settings
        near = settings.criterion.of_likelihood
        effort = Effort(_width(self._records), self._limits.most, settings.stop, near)
        return Refinement(self._records, self._champions, effort)

    def _notify_best(self, champions: Champions) -> None:
        self._notify(champions.best())

    def end(self) -> None:
        """Keep what growth has come to, if the search ends before it did."""
        if self._grown is not None:
            few = Stop(self._settings.stop.tol, AT_THE_END)
            self._champions.offer(em(self._records, self._grown.stats, stop=few))

    def _grow(self) -> None:
        settings, champions = self._settings, self._champions
        for fit in grow(self._records, champions.best(), settings.criterion, self._limits):
            self._grown = fit
            self._notify(fit)
        if self._grown is not None:
            champions.offer(em(self._records, self._grown.stats, stop=settings.stop))
            self._grown = None
            self._notify(champions.best())

    def _kick(self, kicks: Kicks, patience: int) -> None:
        """Kick until as many kicks were in vain as patience lasts."""
        tally = kicks.tally
        while True:
            few = min(1.0, (self._champions.best().k + 1) / MANY)
            if tally.in_vain >= few * min(max(patience, tally.last_success), LONGEST * patience):
                return
            kicks.round()
            self._notify(self._champions.best())


def _width(records: Records) -> int:
    """Return how many candidates of each move are tried at a size: more on small tables."""
    everything = records.everything
    attributes = everything.layout.n_categorical + everything.layout.n_numeric
    cells = float(everything.weight[0]) * attributes
    return int(min(max(FREE_CELLS / cells, NARROWEST), WIDEST))


def _stages(effort: float, n_rows: int) -> list[int]:
    """Return the patience of each stage; none where a kick costs more than all of growth.

    >>> _stages(1.0, 1000), _stages(0.3, 1000), _stages(1.0, 40_000), _stages(1.0, 1_000_000)
    ([25, 50, 100], [25], [25, 50], [])
    """
    whole = max(PATIENCE * effort, FIRST_STAGE) * min(1.0, FREE_ROWS / n_rows)
    stages: list[int] = []
    while FIRST_STAGE * 2 ** len(stages) <= whole:
        stages.append(FIRST_STAGE * 2 ** len(stages))
    return stages


def _annealed(records: Records, start: Mixture, settings: Settings) -> Iterator[Fit]:
    """Anneal with the prior down the schedule."""

    def fit(mixture: Mixture) -> Fit:
        return em(records, mixture, settings.prior_strength, settings.stop, plain=True)

    wanted = {settings.wanted} if settings.wanted else set[int]()
    sizes = sorted({*schedule(start.k, settings.beta), *wanted})
    return anneal(records, start, sizes, fit, settings.pruning)
