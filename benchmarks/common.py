"""What the benchmarks share: the tables, one measured fit, and a pool of processes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np
import pandas as pd

from galileomix import Galileo, datasets

Record = dict[str, Any]

TABLES = ("mushroom", "votes", "soybean", "zoo")


@dataclass(frozen=True)
class Plan:
    """How much to run: seeds (None: as many as the benchmark likes), small tables only, processes.

    >>> Plan(quick=True).count(50), Plan(seeds=7).count(50), Plan().count(50)
    (2, 7, 50)
    """

    seeds: int | None = None
    quick: bool = False
    jobs: int = 2

    def count(self, usual: int) -> int:
        """Return how many seeds to run where `usual` is the number for the published figures."""
        return self.seeds or (min(2, usual) if self.quick else usual)

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables to run on."""
        return ("votes", "zoo") if self.quick else TABLES


@cache
def load(table: str) -> pd.DataFrame:
    """Return the columns of one of the paper's tables that the paper clusters on."""
    return getattr(datasets, f"load_{table}")().data


def measure(model: Galileo, data: pd.DataFrame) -> Record:
    """Fit the model and say what it cost."""
    begun = time.perf_counter()
    model.fit(data)
    seconds = time.perf_counter() - begun
    return {"k": model.n_components_, "seconds": round(seconds, 4), "passes": model.n_passes_}


def log_likelihood(model: Galileo, data: pd.DataFrame) -> float:
    """Return the log-likelihood of the data under the fitted model."""
    return float(model.score(data)) * len(data)


def mean_density(model: Galileo) -> float:
    """Return rho-bar, the weighted mean of the components' densities."""
    return float(model.weights_ @ model.densities_)


def criterion_value(criterion: str, log_likelihood: float, k: int, data: pd.DataFrame) -> float:
    """Return AIC or BIC, with the same count of parameters for whoever found the mixture."""
    parameters = (k - 1) + k * int((data.nunique(dropna=False) - 1).sum())
    price = 2.0 if criterion == "aic" else float(np.log(len(data)))
    return price * parameters - 2.0 * log_likelihood


def each(task: Callable[..., Record], settings: Sequence[Record], jobs: int) -> list[Record]:
    """Call the task with every setting, in `jobs` processes; return the results in order."""
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_warm_up) as pool:
        futures = [pool.submit(task, **setting) for setting in settings]
        try:
            _watch(as_completed(futures), len(futures), task.__module__)
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _warm_up() -> None:
    """Compile the kernels, so that no measured fit has to."""
    Galileo(random_state=0).fit(load("zoo"))


def _watch(done: Iterable[Any], total: int, name: str) -> None:
    """Say on stderr how far the work is, in at most twenty lines; stop at the first failure."""
    begun = time.perf_counter()
    for n, future in enumerate(done, start=1):
        future.result()
        if n * 20 // total > (n - 1) * 20 // total:
            elapsed = time.perf_counter() - begun
            print(f"{name}: {n} of {total}, {elapsed:.0f} s", file=sys.stderr, flush=True)
