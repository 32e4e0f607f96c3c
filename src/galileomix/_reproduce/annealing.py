"""Many runs as published: annealing alone, from a random start each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from typing import Any, TypeVar

from galileomix._estimators.galileo import Galileo
from galileomix._fitted.results import Path
from galileomix._reproduce import paper
from galileomix._reproduce.clusterings import load, quiet

T = TypeVar("T")
FULL = 1e-6
"""How near to 1 the mean density of full boxes is."""


@dataclass(frozen=True)
class Run:
    """One run as published on mushroom.

    Parameters
    ----------
    seed : int
    path : Path
        Chosen by density.
    """

    seed: int
    path: Path

    @property
    def density(self) -> float:
        """The mean density of the model chosen."""
        return next(step.density for step in self.path if step.k == self.path.chosen)

    @property
    def succeeds(self) -> bool:
        """Whether it ends at the paper's 23 components with a mean density of 1."""
        return self.path.chosen == paper.BEST_K and abs(self.density - 1) < FULL


@lru_cache
def runs(k_max: int, pruning: str, seeds: int, jobs: int) -> tuple[Run, ...]:
    """Return runs on mushroom from seed 0 on; they are remembered, as several items need them."""
    settings = [{"k_max": k_max, "pruning": pruning, "seed": seed} for seed in range(seeds)]
    return tuple(call_all(one, settings, jobs))


def one(k_max: int, pruning: str, seed: int) -> Run:
    """Anneal mushroom once."""
    with quiet():
        model = Galileo.as_published(
            k_max, criterion="density", pruning=pruning, random_state=seed
        ).fit(load("mushroom").data)
    return Run(seed, model.path_)


def call_all(task: Callable[..., T], settings: Sequence[Mapping[str, Any]], jobs: int) -> list[T]:
    """Call the task with every setting, in several processes where asked; results in order."""
    workers = min(os.cpu_count() or 1 if jobs < 0 else jobs, len(settings))
    if workers <= 1:
        return [task(**setting) for setting in settings]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(task, **setting) for setting in settings]
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
