"""Whether numbers may be correlated within a component, where that is chosen automatically.

They may, unless a covariance of all numbers has more parameters than there are records. There,
models of independent numbers are searched for first, which take little time. What they find says
what correlation has to beat, and whether a second component with a covariance of its own could
ever be worth its price; only if it could is there a second search. The criterion decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from galileomix._model.criteria import InformationCriterion
from galileomix._model.em import Fit, Stop, em
from galileomix._model.families import log_prior, maximise
from galileomix._model.kicks import Tally
from galileomix._model.search import Found
from galileomix._passes.records import BlockRecords
from galileomix._warn import warn
from galileomix.errors import GalileoWarning


class Searched(NamedTuple):
    """What a search found, and the records that say which covariances they have."""

    records: BlockRecords
    found: Found


class Search(NamedTuple):
    """How models are searched for, and which of them is chosen."""

    run: Callable[[BlockRecords], Found]
    choose: Callable[[list[Fit]], Fit]
    stop: Stop
    wanted: int | None  # the number of components; None where the criterion chooses it


def has_few_records(records: BlockRecords) -> bool:
    """Whether a covariance of all numbers has more parameters than there are records."""
    layout = records.layout
    Q = layout.n_numeric - len(layout.constant)
    return Q > 1 and max(records.N, records.n_rows) < Q * (Q + 1) / 2


def searched(records: BlockRecords, search: Search, criterion: InformationCriterion) -> Searched:
    """Search for components with covariances that the records can afford."""
    if not has_few_records(records):
        return Searched(records, search.run(records))
    independent = records.independent()
    apart = search.run(independent)
    chosen = search.choose(apart.fits)
    gain = chosen.log_likelihood - min(apart.fits, key=lambda fit: fit.k).log_likelihood
    together = None
    if gain >= criterion.price(records.layout):
        together = search.run(records)
    elif search.wanted in (None, 1):
        together = Found([_one_component(records, search.stop, criterion, chosen)], Tally())
    if together and criterion.loss(search.choose(together.fits)) < criterion.loss(chosen):
        records.passes += independent.passes
        return Searched(records, together)
    independent.passes += records.passes
    _tell(records, criterion)
    return Searched(independent, apart)


def afforded(records: BlockRecords, stop: Stop, criterion: InformationCriterion) -> BlockRecords:
    """Return the records with the covariances that they can afford, judged by one component."""
    if not has_few_records(records):
        return records
    independent = records.independent()
    apart = em(independent, independent.everything, stop=stop)
    together = _one_component(records, stop, criterion, apart)
    if criterion.loss(together) < criterion.loss(apart):
        return records
    _tell(records, criterion)
    return independent


def _one_component(
    records: BlockRecords, stop: Stop, criterion: InformationCriterion, rival: Fit
) -> Fit:
    """Fit all records as one component; give up where it cannot be better than its rival."""
    nu = records.layout.degrees_of_freedom(1)
    needed = 0.5 * (criterion.penalty * nu - criterion.loss(rival))
    start = maximise(records.everything, records.background)
    target = needed + log_prior(start, records.background, 0.0)
    return em(records, start, stop=stop, target=target)


def _tell(records: BlockRecords, criterion: InformationCriterion) -> None:
    Q = records.layout.n_numeric - len(records.layout.constant)
    warn(
        f"the {Q} numbers are taken as independent within a cluster: {int(records.N)} records are "
        f"few for a covariance of all of them, and {criterion.name.upper()} prefers none; "
        f"covariance='full' has one all the same, covariance='diagonal' does not try",
        GalileoWarning,
    )
