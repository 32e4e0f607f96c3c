"""A table made ready, and settings, to a fitted model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from galileomix._fitted import rowwise
from galileomix._fitted.covariance_choice import (
    Search,
    Searched,
    afforded,
    has_few_records,
    searched,
)
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.kept_search import KeptSearch
from galileomix._fitted.path_steps import step_of, units_of
from galileomix._fitted.predictive import Predictive, predictive_of
from galileomix._fitted.results import Path, SearchRecord
from galileomix._fitted.search_progress import notifier
from galileomix._fitted.search_trace import Points, SearchTrace
from galileomix._fitted.seeds import KICKING, START
from galileomix._fitted.watch import Watch
from galileomix._kernels import KERNEL
from galileomix._kernels.ready import ready
from galileomix._model.anneal import Pruning
from galileomix._model.criteria import (
    Criterion,
    CriterionName,
    InformationCriterion,
    best,
    criterion_of,
    nearest,
)
from galileomix._model.em import Fit, Stop
from galileomix._model.kicks import Tally
from galileomix._model.outlook import Outlook
from galileomix._model.params import Mixture, layout_of
from galileomix._model.search import (
    Found,
    Settings,
    Stopped,
    annealing_search,
    go_on,
    robust_search,
)
from galileomix._model.start import around, draw_marginals
from galileomix._passes import Engine, LocalEngine, RemoteTable
from galileomix._passes.journal import NO_JOURNAL, Journal
from galileomix._passes.records import BlockRecords
from galileomix._progress import Report, untimed
from galileomix._table import Block, Prepared, Schema, collapse
from galileomix._warn import warn
from galileomix._words import counted
from galileomix.errors import GalileoWarning

Centers = Literal["records", "marginals"]
Covariance = Literal["auto", "full", "diagonal"]


@dataclass(frozen=True)
class FitSettings:
    """How a model is searched for: the parameters of `Galileo` of the same names.

    ``seed`` is what its ``random_state`` stands for.
    """

    n_components: int | Literal["auto"]
    max_components: int | Literal["auto"]
    criterion: CriterionName
    step_root: float
    pruning: Pruning
    centers: Centers
    prior_strength: float
    refine: bool
    effort: float
    time_limit: float | None
    covariance: Covariance
    predictive: Literal["stack", "chosen"]
    tol: float
    max_iter: int
    n_jobs: int | None
    seed: int
    report: Report | None = None  # what is told of progress
    journal: Journal = NO_JOURNAL  # what remembers the steps of the fit


class Fitted(NamedTuple):
    """A model, and the most probable component of each row of the table it was fitted to.

    There are none where not all rows are at hand: those of a cluster, or of no weight.
    """

    model: FittedModel
    labels: NDArray[np.intp] | None


def fit_model(table: Prepared | RemoteTable, settings: FitSettings) -> Fitted:
    """Search for the components of a table, and choose their number by the criterion."""
    watch, trace = Watch(settings.time_limit, settings.journal.seconds), SearchTrace()
    records, found = _searched(table, settings, watch, trace)
    fits = found.fits
    chosen = chosen_of(fits, criterion_of(settings.criterion, records.N), settings)
    warn_of_doubts(chosen, settings, records)
    watch.tell()
    took = search_record(found.tally, chosen.k, records, watch)
    model = as_model(fits, chosen, table, records, settings.criterion, took)
    model = replace(model, search=replace(took, trace=_trace(trace, model)))
    mixtures = {fit.k: rowwise.largest_first(fit.mixture) for fit in fits}
    if settings.predictive == "stack":
        watch.enter("weighing sizes")
        model = replace(model, predictive=_predictive(mixtures, chosen.k, records, watch))
    fitted = labelled(replace(model, mixtures=mixtures), table)
    watch.enter("fitted")
    return fitted


def _predictive(
    mixtures: Mapping[int, Mixture], chosen: int, records: BlockRecords, watch: Watch
) -> Predictive | None:
    """Return how sizes predict together; of the path alone where there is no time for more."""
    if not watch.has_stopped:
        records.before_pass = watch.check
        try:
            return predictive_of(mixtures, chosen, records, grows=True)
        except Stopped:
            pass
        finally:
            records.before_pass = go_on
    return predictive_of(mixtures, chosen, records, grows=False)


def search_record(tally: Tally, k: int, records: BlockRecords, watch: Watch) -> SearchRecord:
    """Return how a search went that ended with k components."""
    complete = not watch.has_stopped
    return SearchRecord(
        records.n_passes,
        watch.seconds,
        tally.kicks,
        tally.returned,
        tally.elsewhere,
        tally.successes,
        tally.in_vain,
        tally.last_gain,
        complete,
        tally.chance_of_better(k) if complete else None,
    )


def _trace(trace: SearchTrace, model: FittedModel) -> Points:
    """Return how the best model became better, by the criterion of the path."""
    criterion, n_passes = model.path.criterion, model.search.n_passes
    end = (n_passes, float(getattr(model.step, criterion)))
    return trace.improvements(end, greatest=criterion == "density")


def _searched(
    table: Prepared | RemoteTable, settings: FitSettings, watch: Watch, trace: SearchTrace
) -> Searched:
    """Search for the components of a table, and choose their covariances if they are not given."""
    if isinstance(table, RemoteTable):
        records = records_by(table.engine, table.schema, settings)
    else:
        records = records_of(table.blocks, table.schema, settings)
    run = partial(search, schema=table.schema, settings=settings, watch=watch, trace=trace)
    if settings.covariance != "auto":
        return Searched(records, run(records))
    criterion = criterion_of(settings.criterion, records.N)
    wanted = None if settings.n_components == "auto" else settings.n_components
    choose = partial(chosen_of, criterion=criterion, settings=settings)
    if has_few_records(records):  # a second search may follow, which the first knows nothing of
        run = partial(run, settings=replace(settings, report=untimed(settings.report)))
    how = Search(run, choose, stop_of(settings), wanted)
    return searched(records, how, of_covariances(criterion))


def with_covariance(
    records: BlockRecords, settings: FitSettings
) -> tuple[BlockRecords, FitSettings]:
    """Return records and settings with the covariance that one component can afford."""
    if settings.covariance == "auto":
        criterion = criterion_of(settings.criterion, records.N)
        records = afforded(records, stop_of(settings), of_covariances(criterion))
    found: Covariance = "diagonal" if records.layout.diagonal else "full"
    return records, replace(settings, covariance=found)


def of_covariances(criterion: Criterion) -> InformationCriterion:
    """Return the criterion that chooses covariances: density asks no price for one, so BIC does."""
    if isinstance(criterion, InformationCriterion):
        return criterion
    return InformationCriterion("bic", criterion.N)


def stop_of(settings: FitSettings) -> Stop:
    """Return when EM stops."""
    return Stop(settings.tol, settings.max_iter)


def records_of(blocks: Sequence[Block], schema: Schema, settings: FitSettings) -> BlockRecords:
    """Return the records of a table in this process; see `records_by`."""
    return records_by(LocalEngine(blocks, settings.n_jobs), schema, settings)


def records_by(engine: Engine, schema: Schema, settings: FitSettings) -> BlockRecords:
    """Return the records of a table, equal rows as one where that leaves much less to do."""
    layout = layout_of(schema, settings.covariance == "diagonal")
    few = collapse(engine.sum)
    engine = engine if few is None else engine.holding(few)
    least = min(settings.prior_strength, 1.0)
    records = BlockRecords(engine, KERNEL, layout, least, settings.journal)
    ready(records.drafts, records.layout)
    return records


def search(
    records: BlockRecords,
    schema: Schema,
    settings: FitSettings,
    watch: Watch,
    trace: SearchTrace,
) -> Found:
    """Return the best fit of every size that the search met; `trace` notes how it went."""
    ready(records.drafts, records.layout)
    criterion = criterion_of(settings.criterion, records.N)
    wanted = _number_or_none(settings, "n_components", records)
    plan = Settings(
        criterion,
        _number_or_none(settings, "max_components", records),
        rows_or_weight(records) if wanted else most_by_itself(criterion, records),
        settings.step_root,
        settings.pruning,
        settings.prior_strength,
        stop_of(settings),
        wanted,
        settings.effort,
    )
    units = units_of(schema, records)
    watch.outlook = Outlook("growing" if settings.refine else "annealing")

    def value(fit: Fit) -> float:
        return getattr(step_of(fit, records.N, units), settings.criterion)

    def n_passes() -> int:
        return records.n_passes

    notify = notifier(settings.report, value, settings.criterion, n_passes, watch)
    notify = trace.following(notify, value, n_passes)
    if settings.refine:
        rng = np.random.default_rng((settings.seed, KICKING))
        keeper = KeptSearch(settings.journal, records, trace)
        return robust_search(records, plan, rng, notify, watch.check, watch.outlook, keeper)
    return annealing_search(records, _random_start(records, settings), plan, notify, watch.check)


def as_model(
    fits: Sequence[Fit],
    chosen: Fit,
    table: Prepared | RemoteTable,
    records: BlockRecords,
    criterion: str,
    search: SearchRecord,
) -> FittedModel:
    """Return fits as a model."""
    units = units_of(table.schema, records)
    known = np.diag(records.census.known)
    numbers = zip(table.schema.numeric, known, strict=True)
    return FittedModel(
        table.schema,
        table.named,
        records.N,
        units,
        records.background,
        {fit.k: fit.mixture for fit in fits},
        {fit.k: bool(fit.converged) for fit in fits},
        Path(tuple(step_of(fit, records.N, units) for fit in fits), criterion, chosen.k),
        chosen.k,
        search,
        tuple(number.name for number, n in numbers if n == 0),
    )


def labelled(model: FittedModel, table: Prepared | RemoteTable) -> Fitted:
    """Label rows; components that are no row's most probable one come last."""
    labels, counts = _labels_and_counts(model.mixture, table)
    if counts.all():
        return Fitted(model, labels)
    order = np.argsort(counts == 0, kind="stable")
    mixtures = {**model.mixtures, model.k: model.mixture.keep(order)}
    found = None if labels is None else np.argsort(order)[labels]
    return Fitted(replace(model, mixtures=mixtures), found)


def _labels_and_counts(
    mixture: Mixture, table: Prepared | RemoteTable
) -> tuple[NDArray[np.intp] | None, NDArray[np.intp]]:
    """Return the labels of all rows, if they are at hand, and how many rows of weight have each."""
    count = partial(rowwise.count_labels, mixture=mixture)
    if isinstance(table, RemoteTable):
        if table.labels_stay:
            return None, table.engine.sum(count)
        parts = table.engine.sum(partial(rowwise.listed_labels, mixture=mixture))
        labels = np.concatenate(parts, dtype=np.intp)
        return labels, np.bincount(labels, minlength=mixture.k)
    if table.every is None:
        return None, LocalEngine(table.blocks).sum(count)
    of_blocks = [(rowwise.label(block, mixture), block.weights > 0) for block in table.every()]
    labels, weighs = map(np.concatenate, zip(*of_blocks, strict=True))
    return labels.astype(np.intp), np.bincount(labels[weighs], minlength=mixture.k)


def rows_or_weight(records: BlockRecords) -> int:
    """Return the number of records: rows, or what they stand for where that is more."""
    return max(records.n_rows, int(records.N))


def most_by_itself(criterion: Criterion, records: BlockRecords) -> int:
    """Return how many components a search may go to that is not told a number.

    No mixture is likelier than the best one of as many components as there are different rows,
    whatever they weigh.
    """
    return min(criterion.most_components(rows_or_weight(records)), records.n_rows)


def chosen_of(fits: Sequence[Fit], criterion: Criterion, settings: FitSettings) -> Fit:
    """Return the fit of the number of components that is given, or that the criterion prefers."""
    if settings.n_components == "auto":
        return best(fits, criterion)
    return nearest(fits, int(settings.n_components))


def _number_or_none(
    settings: FitSettings,
    name: Literal["n_components", "max_components"],
    records: BlockRecords,
) -> int | None:
    """Return a number of components, no more than there are records; None for "auto"."""
    number = getattr(settings, name)
    if number == "auto":
        return None
    most = rows_or_weight(records)
    if number > most:
        warn(
            f"{name}={number} is more than the {most} records there are; {most} is used",
            GalileoWarning,
        )
    return min(int(number), most)


def warn_of_doubts(fit: Fit, settings: FitSettings, records: BlockRecords) -> None:
    """Warn of what a user should know about the model that was chosen."""
    k, N, n_rows = fit.k, records.N, records.n_rows
    if min(2, n_rows) > N:
        warn(
            f"the weights sum to {N:.4g}: they should say how many records each row stands for, "
            f"and AIC, BIC and density take their sum for the number of records",
            GalileoWarning,
        )
    criterion = criterion_of(settings.criterion, N)
    automatic = settings.n_components == settings.max_components == "auto"
    limited = automatic and not criterion.of_likelihood
    if limited and k == most_by_itself(criterion, records) > 1:
        warn(
            f"the {criterion.name} still grows at {k} components, the most that "
            f"max_components='auto' tries; where rows repeat it always does: set max_components, "
            f"or choose by 'bic'",
            GalileoWarning,
        )
    if settings.n_components != "auto" and k < min(settings.n_components, rows_or_weight(records)):
        warn(
            f"n_components={settings.n_components}: the search found no model of more than "
            f"{counted(k, 'component')}; the records may differ too little",
            GalileoWarning,
        )
    if not fit.converged:
        warn(f"EM stopped at max_iter={settings.max_iter} before it converged", ConvergenceWarning)


def _random_start(records: BlockRecords, settings: FitSettings) -> Callable[[int], Mixture]:
    """Return what makes the start of k components: half G, half a random centre each."""

    def start(k: int) -> Mixture:
        rng = np.random.default_rng((settings.seed, START, k))
        if settings.centers == "records":
            centers = records.draw(k, rng)
        else:
            centers = draw_marginals(records.layout, records.background, k, rng)
        return around(centers, records.layout, records.background)

    return start
