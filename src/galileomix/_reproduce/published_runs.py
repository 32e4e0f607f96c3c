"""Many runs as published: annealing alone, each from another random start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from joblib import Parallel, delayed

from galileomix._estimators.galileo import Galileo
from galileomix._fitted.results import Path
from galileomix._reproduce import paper
from galileomix._reproduce.paper_tables import load, quiet

T = TypeVar("T")
FULL = 1e-6
"""How near to 1 the mean density of full boxes is."""


@dataclass(frozen=True)
class MushroomRun:
    """One run as published on mushroom; its path is chosen by density."""

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
def mushroom_runs(k_max: int, pruning: str, seeds: int, jobs: int) -> tuple[MushroomRun, ...]:
    """Return runs on mushroom from seed 0 on; they are remembered, as several items need them."""
    settings = [{"k_max": k_max, "pruning": pruning, "seed": seed} for seed in range(seeds)]
    return tuple(call_all(anneal_mushroom, settings, jobs))


def anneal_mushroom(k_max: int, pruning: str, seed: int) -> MushroomRun:
    """Anneal mushroom once."""
    with quiet():
        model = Galileo.as_published(
            k_max, criterion="density", pruning=pruning, random_state=seed
        ).fit(load("mushroom").data)
    return MushroomRun(seed, model.path_)


def call_all(task: Callable[..., T], settings: Sequence[Mapping[str, Any]], jobs: int) -> list[T]:
    """Call the task with every setting, in so many processes; -1 for all processors."""
    calls = (delayed(task)(**setting) for setting in settings)
    results: Any = Parallel(n_jobs=jobs)(calls)
    return results


def successes(found: Sequence[MushroomRun]) -> str:
    """Return how many runs end at 23 components with density 1, as text."""
    return f"{sum(run.succeeds for run in found)} of {len(found)}"


def sizes_chosen(found: Sequence[MushroomRun]) -> str:
    """Return the least and the greatest number of components chosen, as text."""
    sizes = [run.path.chosen for run in found]
    return f"{min(sizes)} to {max(sizes)}"
