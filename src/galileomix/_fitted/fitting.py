"""Around a search: its limits, random start, progress, doubts, and the units of its results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from galileomix._fitted.results import Progress, Step
from galileomix._kernels import cpu
from galileomix._kernels.ready import ready
from galileomix._model.criteria import Criterion, CriterionName
from galileomix._model.density import log_mean_density
from galileomix._model.em import Fit
from galileomix._model.params import Floats, Layout, Mixture
from galileomix._model.search import Settings
from galileomix._model.start import around, draw_marginals
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords
from galileomix._table import Block, Reading, Schema, collapse
from galileomix._warn import warn
from galileomix._words import counted
from galileomix.errors import GalileoWarning

Centers = Literal["records", "marginals"]
START, SAMPLING, RESAMPLING, IMPUTING = 0, 1, 2, 3
"""Keys that keep random numbers for different purposes apart."""


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return the seed that scikit-learn's ``random_state`` stands for."""
    return int(check_random_state(random_state).randint(2**31 - 1))


def records_of(
    blocks: Sequence[Block], layout: Layout, least_strength: float, n_jobs: int | None
) -> BlockRecords:
    """Return the records of a table, equal rows as one where that leaves much less to do."""
    engine = LocalEngine(blocks, n_jobs)
    few = collapse(engine.sum)
    engine = engine if few is None else LocalEngine(few, n_jobs)
    records = BlockRecords(engine, cpu, layout, least_strength)
    ready(records.drafts, records.layout.n_numeric > 0)
    return records


def most_components(max_components: int | Literal["auto"], records: BlockRecords) -> int | None:
    """Return k_max, no more than there are records; None where it is to be found."""
    if max_components == "auto":
        return None
    most = _rows_or_weight(records)
    if max_components > most:
        warn(
            f"max_components={max_components} is more than the {most} records there are; "
            f"{most} is used",
            GalileoWarning,
        )
    return min(int(max_components), most)


def limit(criterion: CriterionName, records: BlockRecords) -> int:
    """Return how far a k_max that is found by itself may go.

    AIC and BIC stop by themselves. Density need not: where rows repeat it prefers ever more
    components, so it stays below one per `RECORDS_EACH` records, or `FEW`.
    """
    most = _rows_or_weight(records)
    return min(most, max(FEW, most // RECORDS_EACH)) if criterion == "density" else most


FEW, RECORDS_EACH = 16, 20


def _rows_or_weight(records: BlockRecords) -> int:
    """Return the records there are: rows, or what they stand for where that is more."""
    return max(records.n_rows, int(records.N))


def warn_of_doubts(fit: Fit, settings: Settings, records: BlockRecords) -> None:
    """Say what a user should know about a model that the search came up with."""
    k, N, n_rows = fit.k, records.N, records.n_rows
    if min(2, n_rows) > N:
        warn(
            f"the weights sum to {N:.4g}: they should say how many records each row stands for, "
            f"and AIC, BIC and density take their sum for the number of records",
            GalileoWarning,
        )
    if settings.k_max is None and settings.criterion.name == "density" and k == settings.limit > 1:
        warn(
            f"the density still grows at {k} components, the most that max_components='auto' "
            f"tries; where rows repeat it always does: set max_components, or choose by 'bic'",
            GalileoWarning,
        )
    if not fit.converged:
        warn(
            f"EM stopped at max_iter={settings.stop.max_iter} before it converged",
            ConvergenceWarning,
        )


def random_start(records: BlockRecords, centers: Centers, seed: int) -> Callable[[int], Mixture]:
    """Return what makes the start of k components: half G, half a random centre each."""

    def start(k: int) -> Mixture:
        rng = np.random.default_rng((seed, START, k))
        if centers == "records":
            drawn = records.draw(k, rng)
        else:
            drawn = draw_marginals(records.layout, records.background, k, rng)
        return around(drawn, records.layout, records.background)

    return start


@dataclass(frozen=True)
class Units:
    """From standardised numbers to the user's: what to take off logarithms.

    Parameters
    ----------
    log_likelihood : float
        Off the log-likelihood of the whole table.
    log_cell : float
        Off log densities: the log of one standardised cell's volume.
    """

    log_likelihood: float
    log_cell: float

    def density(self, log_density: Floats | float) -> Floats:
        """Return densities per cell of the user's; infinite where the units are too small."""
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(log_density) - self.log_cell)


def units_of(schema: Schema, records: BlockRecords) -> Units:
    """Return the units of a table."""
    log_scale = np.log([each.scale for each in schema.numeric])
    seen = np.diag(records.census.known)
    return Units(float(seen @ log_scale), float(log_scale.sum()))


def step_of(fit: Fit, N: float, units: Units) -> Step:
    """Return one fit as a record of the path, in the user's units."""
    log_likelihood = fit.log_likelihood - units.log_likelihood
    nu = fit.mixture.layout.degrees_of_freedom(fit.k)
    return Step(
        fit.k,
        fit.n_iter,
        log_likelihood,
        Criterion("aic", N).information(nu, log_likelihood),
        Criterion("bic", N).information(nu, log_likelihood),
        float(units.density(log_mean_density(fit.mixture, N))),
    )


def teller(
    progress: bool | Callable[[Any], None],
    records: BlockRecords,
    criterion: Criterion,
    units: Units,
) -> Callable[[Fit], None]:
    """Return what the search calls with its best fit so far."""
    if progress is False:
        return lambda fit: None
    tell = _progress_printer() if progress is True else progress

    def notify(fit: Fit) -> None:
        value = getattr(step_of(fit, records.N, units), criterion.name)
        tell(Progress(fit.k, criterion.name, value, records.n_passes))

    return notify


def _progress_printer() -> Callable[[Progress], None]:
    """Return what prints a line whenever there is a better model."""
    last = ""

    def show(step: Progress) -> None:
        nonlocal last
        line = f"best so far: k = {step.k}, {step.criterion} {step.value:.6g}"
        if line != last:
            print(f"{line} ({counted(step.n_passes, 'pass', 'passes')})", file=sys.stderr)
        last = line

    return show


def reader(progress: bool | Callable[[Any], None]) -> Callable[[Reading], None] | None:
    """Return what is told how the reading of a table goes, or None."""
    if progress is False:
        return None
    return _print_reading if progress is True else progress


def _print_reading(reading: Reading) -> None:
    end = "\n" if reading.done else "\r"
    if reading.done or sys.stderr.isatty():
        print(f"{reading}\x1b[K" if sys.stderr.isatty() else reading, end=end, file=sys.stderr)
