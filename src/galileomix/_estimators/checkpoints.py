"""Which fit a checkpoint is of: the parameter ``checkpoint`` of a `Galileo`."""

from __future__ import annotations

import hashlib
import json
import numbers
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted.fit import FitSettings
from galileomix._passes import LocalEngine, RemoteTable
from galileomix._storage import encode
from galileomix._storage.checkpoint import Checkpoint
from galileomix._storage.step_files import StepFiles, begin, clear, found
from galileomix._table import Prepared, listed_fingerprint
from galileomix._version import __version__
from galileomix.errors import CheckpointError

WITHOUT_EFFECT = {"n_jobs", "memory_limit", "engine", "progress", "checkpoint", "unseen"}
"""Parameters that change nothing of a fit."""
CUT_SHORT = {"time_limit"}
"""One that only says where a search is cut short."""
BY_SEED = {"random_state"}
"""One that stands for a seed, by which fits are told apart; it is kept to be said."""
SHOWN = 60


def checkpointed(
    estimator: Any,
    table: Prepared | RemoteTable,
    settings: FitSettings,
    classes: NDArray[np.intp] | None = None,
) -> FitSettings:
    """Return settings by which a fit keeps its steps, and goes on from those that were kept.

    Where the seed is random, it is that of the fit which was begun. ``classes`` are those of the
    rows, where there are any.

    Raises
    ------
    CheckpointError
        Where the directory is the checkpoint of another fit, or cannot be used.
    """
    if estimator.checkpoint is None:
        return settings
    folder = Path(estimator.checkpoint)
    fit = _identity(estimator, table, settings, classes)
    said = {"random_state": _number(estimator.random_state)}
    held = found(folder)
    if held is None:
        begin(folder, fit | said)
    else:
        if estimator.random_state is None and isinstance(held.get("seed"), int):
            fit["seed"] = held["seed"]
        _refuse_another(folder, held, fit | said)
    name = hashlib.sha256(json.dumps(fit, sort_keys=True).encode()).hexdigest()
    journal = Checkpoint(StepFiles(folder, name))
    return replace(settings, seed=fit["seed"], journal=journal)


def forget(estimator: Any) -> None:
    """Remove the steps of a fit that has ended."""
    if estimator.checkpoint is not None and os.path.isdir(estimator.checkpoint):
        clear(Path(estimator.checkpoint))


def _identity(
    estimator: Any,
    table: Prepared | RemoteTable,
    settings: FitSettings,
    classes: NDArray[np.intp] | None,
) -> dict[str, Any]:
    """Return all that the result of a fit depends on, by name."""
    if isinstance(table, RemoteTable):
        total = table.engine.sum
    else:
        total = LocalEngine(table.blocks, settings.n_jobs).sum
    given = estimator.get_params(deep=False)
    left_out = WITHOUT_EFFECT | CUT_SHORT | BY_SEED
    return {
        "version": __version__,
        "seed": settings.seed,
        **{name: encode(value) for name, value in given.items() if name not in left_out},
        "columns": _hash(json.dumps(encode(table.schema.to_dict()))),
        "rows": _hash("".join(total(listed_fingerprint))),
        "classes": None if classes is None else _hash(",".join(map(str, classes.tolist()))),
    }


def _number(random_state: Any) -> int | None:
    """Return the number that was given; None where the seed is random."""
    return int(random_state) if isinstance(random_state, numbers.Integral) else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _refuse_another(folder: Path, held: Mapping[str, Any], fit: Mapping[str, Any]) -> None:
    names = [*fit, *(name for name in held if name not in fit)]
    differing = [name for name in names if held.get(name) != fit.get(name) and name not in BY_SEED]
    if differing:
        # People give no seed, but a random state.
        shown = ["random_state" if name == "seed" else name for name in differing]
        said = "; ".join(_difference(name, held.get(name), fit.get(name)) for name in shown)
        raise CheckpointError(
            f"this is the checkpoint of another fit: {said}. Give another directory, or delete "
            f"this one",
            file=str(folder),
        )


def _difference(name: str, held: Any, given: Any) -> str:
    match name:
        case "version":
            return f"of galileomix {held}, and this is {given}"
        case "columns":
            return "of a table with other columns, or other values in them"
        case "rows":
            return "of a table with other rows, or other weights"
        case "classes":
            return "of other classes (y), or of none"
        case "random_state" if held == given:
            return "with another state of random_state"
        case _:
            return f"with {name}={held!r:.{SHOWN}}, not {given!r:.{SHOWN}}"
