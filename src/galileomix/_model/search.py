"""The whole search: annealing alone, or growth and kicks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from galileomix._model.anneal import anneal, schedule
from galileomix._model.champions import Champions
from galileomix._model.em import Fit, Records, em
from galileomix._model.kicks import Tally
from galileomix._model.outlook import Outlook
from galileomix._model.params import Mixture
from galileomix._model.search_steps import Notify, SearchSteps, Settings

FIRST_GUESS = 16
SAMPLES = (8_192, 65_536)
"""Rows of samples that are searched in first, where all rows are at least `MUCH_SMALLER` times."""
MUCH_SMALLER, SAMPLE_BYTES, EACH_IN_SAMPLE, SAMPLE_EFFORT = 4, 64_000_000, 20, 0.1
"""What else a sample has to be: within memory, of so many records for each component asked for."""

Start = Callable[[int], Mixture]
Check = Callable[[], None]
"""What is called before every pass; it may raise `Stopped`."""


class Stopped(Exception):
    """The search was told to end: what was found so far counts."""


class Found(NamedTuple):
    """The best fit of every size that a search met, and how it went."""

    fits: list[Fit]
    tally: Tally


class Given(dict[str, Any]):
    """What a search is handed and does not change, by name: no part of its state.

    Samples of the records are named by their sizes.
    """

    def __missing__(self, name: str) -> Any:
        self[name] = self["records"].sample(int(name))
        return self[name]


class SearchKeeper(Protocol):
    """Whoever keeps the state of a search, so that it can be taken up again."""

    def resumed(self, given: Given) -> Search | None:
        """Return a search as it was kept last; None where it was not."""
        ...

    def keep(self, search: Search, given: Given) -> None:
        """Keep a search between two of its steps, or let it be."""
        ...


def annealing_search(
    records: Records, start: Start, settings: Settings, notify: Notify, check: Check
) -> Found:
    """Return the fits of annealing alone; k_max is doubled while k* is over half of it.

    It is not doubled beyond the number of rows, however much they weigh: of equal rows there need
    not be two components.
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
            most = min(settings.limit, records.n_rows)
            enough = 2 * champions.best().k <= k_max or k_max >= most
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
    keeper: SearchKeeper | None = None,
) -> Found:
    """Return the best fit met at every size.

    ::

        where rows are many: search in a sample of them, then in a larger one
        grow from what was found there, or from one component, with a strong prior and a weak one
        where these differ: kick each for a while, and go on with the best
        fill in the other sizes
        for stages of ever more patience
            where components are few: begin anew some times
            kick until so many kicks in a row were in vain
            from the second stage on: refine champions near the best; snap the best to the border
            fill in the other sizes again
        where models are many that are nearly as good: one more stage
        leave out sizes that are no likelier than a smaller one

    A stage does the same whatever comes after it, so that more effort never ends worse. From the
    first model on, ``check`` may end the search before any pass. ``outlook`` is kept up to date;
    ``keeper`` may keep the search after every step.
    """
    given = Given(records=records, notify=notify, outlook=outlook or Outlook())
    search = keeper.resumed(given) if keeper else None
    if search is None:
        whole = SearchSteps(records, settings, notify, given["outlook"])
        search = Search(settings, _sample_sizes(records, settings), rng, whole)
    records.before_pass = check
    try:
        while search.step(given):
            if keeper:
                keeper.keep(search, given)
    except Stopped:
        records.before_pass = go_on
        search.whole.end()
    finally:
        records.before_pass = go_on
    return Found(search.whole.champions.rising(), search.whole.tally)


def go_on() -> None:
    """Let the search go on."""


@dataclass
class Search:
    """A search in samples of ever more records, and then in all of them."""

    settings: Settings
    sizes: list[int]  # of the samples that are still to be searched in
    rng: np.random.Generator
    whole: SearchSteps
    inner: SearchSteps | None = None  # in a sample
    carried: Champions | None = None  # of the last sample

    def step(self, given: Given) -> bool:
        """Take one step; whether there was one to take."""
        if self.inner is None and self.sizes:
            self.inner = self._in_sample(given[str(self.sizes[0])], given)
        elif self.inner is not None and not self.inner.next:
            self._carry(self.inner)
        else:
            search = self.inner or self.whole
            if not search.next:
                return False
            search.step(self.rng, self.carried)
        return True

    def _in_sample(self, part: Records, given: Given) -> SearchSteps:
        records: Records = given["records"]
        scale = float(records.everything.weight[0] / part.everything.weight[0])
        tell = InSample(self.whole, given["notify"], scale)
        return SearchSteps(part, _within(self.settings, part), tell, Outlook())

    def _carry(self, inner: SearchSteps) -> None:
        """Go on from what was found in a sample."""
        self.carried, self.inner = inner.champions, None
        del self.sizes[0]
        if inner.tally.kicks:
            self.whole.tally = inner.tally


@dataclass(frozen=True)
class InSample:
    """Tells of what a search finds in a sample, as if it were of all records."""

    whole: SearchSteps
    notify: Notify
    scale: float

    def __call__(self, fit: Fit) -> None:
        """Tell of a fit; a single component is that of all records."""
        if fit.k > 1:
            self.whole.unfinished = fit.stats
            self.notify(replace(fit, stats=fit.stats.times(self.scale)))


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


def _annealed(records: Records, start: Mixture, settings: Settings) -> Iterator[Fit]:
    """Anneal with the prior down the schedule."""

    def fit(mixture: Mixture) -> Fit:
        return em(records, mixture, settings.prior_strength, settings.stop, plain=True)

    wanted = {settings.wanted} if settings.wanted else set[int]()
    sizes = sorted({*schedule(start.k, settings.beta), *wanted})
    return anneal(records, start, sizes, fit, settings.pruning)
