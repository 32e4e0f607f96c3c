"""The whole search: annealing alone, or growth and kicks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from galileomix._model.anneal import Pruning, anneal, schedule
from galileomix._model.champions import Champions
from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.families import maximise
from galileomix._model.fill import Fill
from galileomix._model.grow import ROUGH, STRENGTH, Limits, grow
from galileomix._model.kicks import Kicks, Tally
from galileomix._model.outlook import Outlook, is_clearly_rough, kicks_needed
from galileomix._model.params import Mixture
from galileomix._model.refine import Effort, Refinement
from galileomix._model.snap import snap
from galileomix._model.split import is_costly
from galileomix._model.stats import Stats

FIRST_GUESS = 16
PATIENCE = 200
"""Kicks in vain after which the search ends, at an effort of 1."""
FIRST_STAGE = 25
"""Kicks in vain after which the first stage ends; each further stage has twice as many."""
WIDEST, NARROWEST = 6, 2
FREE_CELLS = 4e5
"""Records x cells that one candidate more per move may cost: small tables, wide search."""
FREE_ROWS = 20_000
"""Rows up to which patience is whole; beyond, a kick costs more, and there are fewer of them."""
AT_THE_END = 10
"""Steps of EM without a prior for a model that the end of the search cut short."""
CHEAP = 1e6
"""Where models are many that are nearly as good there is one more stage, if a pass costs no more
cells than this: records x cells of each x components."""
SAMPLES = (8_192, 65_536)
"""Rows of samples that are searched in first, where all rows are at least `MUCH_SMALLER` times."""
MUCH_SMALLER, SAMPLE_BYTES, EACH_IN_SAMPLE, SAMPLE_EFFORT = 4, 64_000_000, 20, 0.1
"""What else a sample has to be: within memory, of so many records for each component asked for."""


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
    every_size: bool = True  # whether by density all sizes are refined, not those near the best


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
        records.before_pass = go_on


def robust_search(
    records: Records,
    settings: Settings,
    rng: np.random.Generator,
    notify: Notify,
    check: Check,
    outlook: Outlook | None = None,
) -> Found:
    """Return the best fit met at every size.

    ::

        where rows are many: search in a sample of them, then in a larger one
        grow from what was found there, or from one component
        fill in the other sizes
        for stages of ever more patience
            kick until so many kicks in a row were in vain
            from the second stage on: refine champions near the best; snap the best to the border
            fill in the other sizes again
        where models are many that are nearly as good: one more stage
        leave out sizes that are no likelier than a smaller one

    A stage does the same whatever comes after it, so that more effort never ends worse. From the
    first model on, ``check`` may end the search before any pass. ``outlook`` is kept up to date.
    """
    search = _Search(records, settings, notify, outlook or Outlook())
    records.before_pass = check
    try:
        search.run(rng, _from_samples(search, records, settings, rng, notify))
    except Stopped:
        records.before_pass = go_on
        search.end()
    finally:
        records.before_pass = go_on
    return Found(search.champions.rising(), search.tally)


def go_on() -> None:
    """Let the search go on."""


def _from_samples(
    whole: _Search,
    records: Records,
    settings: Settings,
    rng: np.random.Generator,
    notify: Notify,
) -> Champions | None:
    """Return the champions of the largest sample; None where there are few rows."""
    carried: Champions | None = None
    for n in _sample_sizes(records, settings):
        part = records.sample(n)
        scale = records.everything.weight[0] / part.everything.weight[0]

        def notify_sample(fit: Fit, scale: float = scale) -> None:
            if fit.k == 1:
                return
            whole.unfinished = fit.stats
            notify(replace(fit, stats=fit.stats.times(scale)))

        search = _Search(part, _within(settings, part), notify_sample, Outlook())
        search.run(rng, carried)
        carried = search.champions
        if search.tally.kicks:
            whole.tally = search.tally
    return carried


def _sample_sizes(records: Records, settings: Settings) -> list[int]:
    """Return how many rows to search in before all of them, the fewest first.

    Each sample is much smaller than the table, fits in memory and has room for what is wanted.
    """
    layout = records.everything.layout
    row = layout.n_categorical + 8 * layout.n_numeric
    most = min(records.n_rows // MUCH_SMALLER, SAMPLE_BYTES // row)
    least = EACH_IN_SAMPLE * max(settings.wanted or 0, settings.k_max or 0)
    return [n for n in SAMPLES if least <= n <= most]


def _within(settings: Settings, sample: Records) -> Settings:
    """Return the settings of a search in a sample.

    Its effort is always the same: what is found there is but a start.
    """
    criterion = replace(settings.criterion, N=float(sample.everything.weight[0]))
    limit = min(settings.limit, criterion.most_components(sample.n_rows))
    given = {"criterion": criterion, "limit": limit, "effort": SAMPLE_EFFORT}
    return replace(settings, **given, every_size=False)


class _Search:
    """The robust search in its parts, in some records; what it finds is in the champions."""

    def __init__(
        self, records: Records, settings: Settings, notify: Notify, outlook: Outlook
    ) -> None:
        self._records, self._settings, self._notify = records, settings, notify
        self._outlook = outlook
        self._limits = Limits(settings.k_max or settings.limit, settings.wanted)
        self.champions = Champions(settings.criterion, settings.wanted)
        self.champions.offer(em(records, records.everything, stop=settings.stop))
        self.tally = Tally()
        self.unfinished: Stats | None = None  # what a better model may be had from
        notify(self.champions.best())

    def run(self, rng: np.random.Generator, carried: Champions | None) -> None:
        """Search until the end, from what was found in a sample if there was one."""
        if 1 in (self._limits.most, self._limits.wanted):
            return
        records, champions, stop = self._records, self.champions, self._settings.stop
        self._grow(carried)
        fill = Fill(records, champions, self._limits.most, stop, carried)
        fill.run()
        self._notify_best(champions)
        if self._settings.criterion.of_likelihood:
            self._kick_and_refine(rng, fill)
        elif carried is None:
            self._outlook.phase = "improving"
            self._refinement().run(self._notify_best)
        champions.finish(em(records, champions.best().stats, stop=stop))
        self._notify_best(champions)

    def end(self) -> None:
        """Fit what a better model may be had from, if the search ends before that is done."""
        if self.unfinished is not None:
            few = Stop(self._settings.stop.tol, AT_THE_END)
            start = maximise(self.unfinished, self._records.background, STRENGTH)
            self.champions.offer(em(self._records, start, stop=few))

    def _grow(self, carried: Champions | None) -> None:
        """Grow from one component, or from what was found in a sample."""
        settings, champions = self._settings, self.champions
        start, costly = champions.best(), carried is not None or is_costly(self._records)
        stop = settings.stop.light if costly else settings.stop  # the best is finished at the end
        if carried is not None:
            start = em(self._records, carried.best().stats, STRENGTH, ROUGH)
            self._note(start)
        if carried is None or settings.criterion.of_likelihood:
            for fit in grow(self._records, start, settings.criterion, self._limits):
                self._note(fit)
        if self.unfinished is not None:
            champions.offer(em(self._records, self.unfinished, stop=stop))
            self.unfinished = None
            self._notify(champions.best())
        if self._collapses():
            for fit in grow(self._records, champions.best(), settings.criterion, self._limits, 0.0):
                champions.offer(em(self._records, fit.stats, stop=stop))
                self._notify(champions.best())

    def _collapses(self) -> bool:
        """Whether single records are clusters, as numbers without a prior make them.

        Growth with a prior sees none of them, and all that comes after it takes a few at a time.
        """
        numbers = self._records.everything.layout.n_numeric > 0
        likelihood = self._settings.criterion.of_likelihood
        return numbers and likelihood and self._records.background.least < 1.0

    def _note(self, fit: Fit) -> None:
        self.unfinished = fit.stats
        self._notify(fit)

    def _kick_and_refine(self, rng: np.random.Generator, fill: Fill) -> None:
        settings, champions = self._settings, self.champions
        cost = self._records.everything.layout.cost
        stages = _stages(settings.effort, self._records.n_rows * cost)
        if not stages:
            return
        kicks = Kicks(self._records, champions, self._limits, settings.stop, rng)
        self.tally = kicks.tally
        refinement = self._refinement()
        self._outlook.doing = "kicks"
        for patience in self._with_one_more(stages, kicks.tally):
            kicks.tally.patience = patience
            self._kick(kicks, patience, stages)
            if patience > FIRST_STAGE:
                self._outlook.doing = "refinement"
                refinement.run(self._notify_best)
                champions.offer(snap(self._records, champions.best(), settings.stop))
                self._notify(champions.best())
            fill.run()
            self._outlook.doing = "kicks"

    def _with_one_more(self, stages: list[int], tally: Tally) -> Iterator[int]:
        """Yield the stages, and one more where many models are nearly as good and passes cheap."""
        yield from stages
        if tally.is_rough and self._is_cheap():
            yield 2 * stages[-1]

    def _is_cheap(self) -> bool:
        """Whether a pass costs so little that there may be one more stage."""
        return _cells(self._records) * self.champions.best().k <= CHEAP

    def _refinement(self) -> Refinement:
        """Return what improves sizes near the best one; by density all sizes."""
        settings = self._settings
        near = settings.criterion.of_likelihood or not settings.every_size
        effort = Effort(_width(self._records), self._limits.most, settings.stop, near)
        return Refinement(self._records, self.champions, effort)

    def _notify_best(self, champions: Champions) -> None:
        self._notify(champions.best())

    def _kick(self, kicks: Kicks, patience: int, stages: list[int]) -> None:
        """Kick until as many kicks were in vain as patience lasts."""
        tally = kicks.tally
        while tally.in_vain < kicks_needed(tally, self.champions.best().k, patience):
            kicks.round()
            best, more = self.champions.best(), is_clearly_rough(tally) and self._is_cheap()
            last = 2 * stages[-1] if more else stages[-1]
            self._outlook.note(tally, best.k, patience, last, patience > FIRST_STAGE)
            self._notify(best)


def _width(records: Records) -> int:
    """Return how many candidates of each move are tried at a size: more on small tables."""
    return int(min(max(FREE_CELLS / _cells(records), NARROWEST), WIDEST))


def _cells(records: Records) -> float:
    return float(records.everything.weight[0]) * records.everything.layout.n_cells


def _stages(effort: float, n_rows: float) -> list[int]:
    """Return the patience of each stage; none where a kick costs more than all of growth.

    >>> _stages(1.0, 1000), _stages(0.3, 1000), _stages(1.0, 25_000), _stages(1.0, 1_000_000)
    ([25, 50, 100, 200], [25, 50], [25, 50, 100], [])
    """
    whole = max(PATIENCE * effort, FIRST_STAGE) * min(1.0, FREE_ROWS / n_rows) ** 2
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
