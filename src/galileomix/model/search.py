"""The whole search: the published annealing alone, or the robust search around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from galileomix.model.anneal import Pruning, anneal, published, schedule
from galileomix.model.champions import Champions
from galileomix.model.choose import Criterion, best
from galileomix.model.em import Fit, Stop, em
from galileomix.model.params import Mixture
from galileomix.model.refine import Effort, Refinement
from galileomix.model.snap import snap
from galileomix.model.split import SplittingRecords

WIDEST, NARROWEST = 6, 2
FREE_CELLS = 4e5
"""Records x attributes that one candidate more per move may cost: small tables, wide search."""
ROUGH = Stop(tol=1e-5, max_iter=20)
"""When EM stops on the way down, where only the density order of the components is wanted."""
FIRST_GUESS = 16
RECORDS_EACH = 20
"""``k_max`` found by itself stays below one component per so many records, or `FIRST_GUESS`."""


@dataclass(frozen=True)
class Settings:
    """What the user chose; ``k_max`` is None where it is to be found.

    ``prior_strength`` is that of the annealing within the robust search.
    """

    criterion: Criterion
    k_max: int | None
    beta: float
    pruning: Pruning
    prior_strength: float
    stop: Stop


Start = Callable[[int], Mixture]
Notify = Callable[[Fit], None]


def published_search(
    records: SplittingRecords, start: Start, settings: Settings, notify: Notify
) -> list[Fit]:
    """Return the fits of the published annealing; k_max is doubled while k* is over half of it."""
    cap = _largest(records)
    k_max = settings.k_max or min(FIRST_GUESS, cap)
    while True:
        fits: list[Fit] = []
        steps = published(
            records,
            start(k_max),
            settings.beta,
            settings.pruning,
            settings.stop,
        )
        for fit in steps:
            fits.append(fit)
            notify(best(fits, settings.criterion))
        chosen = best(fits, settings.criterion).k
        if settings.k_max is not None or 2 * chosen <= k_max or k_max == cap:
            return fits
        k_max = min(2 * k_max, cap)


def robust_search(
    records: SplittingRecords, start: Start, settings: Settings, notify: Notify
) -> list[Fit]:
    """Return the best fit met at every size.

    ::

        refine from one component upward: this finds how many there are
        anneal from k_max, or twice as many: this looks at them from above, by density
        refine again, if annealing found anything better
        snap the best to the border of the parameter space
    """
    champions = Champions(settings.criterion)
    largest = settings.k_max or _largest(records)
    effort = Effort(_width(records), largest, settings.stop)
    champions.offer(em(records, records.everything, stop=settings.stop))

    def tell(champions: Champions) -> None:
        notify(champions.best())

    refinement = Refinement(records, champions, effort)
    refinement.run(tell)
    k_max = settings.k_max or min(2 * champions.best().k, largest)
    for fit in _annealed(records, start(k_max), champions, settings):
        champions.offer(fit)
        tell(champions)
    refinement.run(tell)
    if settings.criterion.name != "density":
        champions.offer(snap(records, champions.best(), settings.stop))
    return sorted(champions.by_size.values(), key=lambda fit: fit.k)


def _annealed(
    records: SplittingRecords, start: Mixture, champions: Champions, settings: Settings
) -> Iterator[Fit]:
    """Anneal with the prior, and yield what it comes to without, at the sizes of the champions."""

    def rough(mixture: Mixture) -> Fit:
        return em(records, mixture, settings.prior_strength, ROUGH)

    sizes = schedule(start.k, settings.beta)
    for fit in anneal(records, start, sizes, rough, settings.pruning):
        if fit.k in champions.by_size:
            target = champions.target(fit.k)
            yield em(records, fit.stats, 0.0, settings.stop, target)


def _width(records: SplittingRecords) -> int:
    everything = records.everything
    attributes = everything.layout.n_categorical + everything.layout.n_numeric
    cells = float(everything.weight[0]) * attributes
    return int(min(max(FREE_CELLS / cells, NARROWEST), WIDEST))


def _largest(records: SplittingRecords) -> int:
    N = float(records.everything.weight[0])
    return max(1, min(int(N), max(FIRST_GUESS, int(N / RECORDS_EACH))))
