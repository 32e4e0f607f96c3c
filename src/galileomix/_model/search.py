"""The whole search: annealing alone, or the robust search around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from galileomix._model.anneal import Pruning, anneal, schedule
from galileomix._model.champions import Champions
from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.params import Mixture
from galileomix._model.refine import Effort, Refinement
from galileomix._model.snap import snap

WIDEST, NARROWEST = 6, 2
FREE_CELLS = 4e5
"""Records x attributes that one candidate more per move may cost: small tables, wide search."""
ROUGH = Stop(tol=1e-5, max_iter=20)
"""When EM stops on the way down, where only the density order of the components is wanted."""
FIRST_GUESS = 16


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
    once: bool = False  # whether one sweep with few candidates has to do


Start = Callable[[int], Mixture]
Notify = Callable[[Fit], None]


def annealing_search(
    records: Records, start: Start, settings: Settings, notify: Notify
) -> list[Fit]:
    """Return the fits of annealing alone; k_max is doubled while k* is over half of it.

    Without a prior this is the published method: plain EM, every size of the schedule.
    """
    first = 2 * settings.wanted if settings.wanted else FIRST_GUESS
    k_max = settings.k_max or min(first, settings.limit)
    while True:
        champions = Champions(settings.criterion, settings.wanted)
        for fit in _annealed(records, start(k_max), settings, settings.stop, plain=True):
            if settings.prior_strength > 0:
                fit = em(records, fit.stats, stop=settings.stop, plain=True)
            champions.offer(fit)
            notify(champions.best())
        enough = 2 * champions.best().k <= k_max or k_max == settings.limit
        if settings.k_max is not None or enough:
            return champions.fits()
        k_max = min(2 * k_max, settings.limit)


def robust_search(records: Records, start: Start, settings: Settings, notify: Notify) -> list[Fit]:
    """Return the best fit met at every size.

    ::

        refine from one component upward: this finds how many there are
        anneal from k_max, or twice as many: this looks at them from above, by density
        refine again, if annealing found anything better
        snap the best to the border of the parameter space
        leave out sizes that are no likelier than a smaller one
    """
    champions = Champions(settings.criterion, settings.wanted)
    champions.offer(em(records, records.everything, stop=settings.stop))
    largest = settings.k_max or settings.limit
    width = NARROWEST if settings.once else _width(records)
    effort = Effort(width, largest, settings.stop, settings.once)
    refinement = Refinement(records, champions, effort)

    def notify_best(champions: Champions) -> None:
        notify(champions.best())

    refinement.run(notify_best)
    k_max = settings.k_max or min(2 * champions.best().k, largest)
    for fit in _annealed(records, start(k_max), settings, ROUGH, plain=False):
        if fit.k in champions.by_size:
            champions.offer(em(records, fit.stats, 0.0, settings.stop, champions.target(fit.k)))
            notify_best(champions)
    refinement.run(notify_best)
    if settings.criterion.of_likelihood:
        champions.offer(snap(records, champions.best(), settings.stop))
        refinement.raise_all()
    return champions.rising()


def _annealed(
    records: Records, start: Mixture, settings: Settings, stop: Stop, plain: bool
) -> Iterator[Fit]:
    """Anneal with the prior down the schedule."""

    def fit(mixture: Mixture) -> Fit:
        return em(records, mixture, settings.prior_strength, stop, plain=plain)

    wanted = {settings.wanted} if settings.wanted else set[int]()
    sizes = sorted({*schedule(start.k, settings.beta), *wanted})
    return anneal(records, start, sizes, fit, settings.pruning)


def _width(records: Records) -> int:
    everything = records.everything
    attributes = everything.layout.n_categorical + everything.layout.n_numeric
    cells = float(everything.weight[0]) * attributes
    return int(min(max(FREE_CELLS / cells, NARROWEST), WIDEST))
