"""What a search is begun with and whom it tells: random numbers and progress."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Literal

import numpy as np
from sklearn.utils import check_random_state

from galileomix.errors import GalileoWarning
from galileomix.model.choose import Criterion
from galileomix.model.em import Fit
from galileomix.model.params import Mixture
from galileomix.model.start import around, draw_marginals
from galileomix.records import BlockRecords
from galileomix.results import Progress

Centers = Literal["records", "marginals"]
START, SAMPLING = 0, 1
"""Keys that keep random numbers for different purposes apart."""


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return the seed that scikit-learn's ``random_state`` stands for."""
    return int(check_random_state(random_state).randint(2**31 - 1))


def most_components(max_components: int | Literal["auto"], N: float) -> int | None:
    """Return k_max, no more than there are records; None where it is to be found."""
    if max_components == "auto":
        return None
    most = max(1, int(N))
    if max_components > most:
        warnings.warn(
            f"max_components={max_components} is more than the {most} records there are; "
            f"{most} is used",
            GalileoWarning,
            stacklevel=4,
        )
    return min(int(max_components), most)


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


def teller(
    progress: bool | Callable[[Progress], None], records: BlockRecords, criterion: Criterion
) -> Callable[[Fit], None]:
    """Return what the search calls with its best fit so far."""
    if progress is False:
        return lambda fit: None
    tell = _print_progress if progress is True else progress
    sign = -1.0 if criterion.name == "density" else 1.0

    def notify(fit: Fit) -> None:
        tell(Progress(fit.k, criterion.name, sign * criterion.loss(fit), records.n_passes))

    return notify


def _print_progress(step: Progress) -> None:
    line = f"best so far: k = {step.k}, {step.criterion} {step.value:.6g}"
    print(f"{line} ({step.n_passes} passes)", file=sys.stderr)
