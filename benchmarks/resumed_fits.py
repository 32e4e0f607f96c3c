"""Fits that are killed and taken up again: ``python -m benchmarks.engines resume``.

Every fit is a process of its own, forked from one without threads. It is killed by SIGKILL at a
random moment and begun again with the same call, up to three times; then it is left alone.
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

from benchmarks.engines import bits
from galileomix import Galileo
from galileomix._storage import checkpoint
from galileomix._storage.step_files import StepFiles
from galileomix.datasets import make_mixed, make_rules

LEAST = 0.02
"""Seconds of work that are worth a file here, where fits take seconds."""
KILLS = 3


def fit_of(number: int) -> tuple[Any, dict[str, Any]]:
    """Return the table of a fit, and its parameters: categories, samples, numbers, all criteria."""
    kind, seed = number % 5, number // 5
    if kind < 2:
        made = make_rules(700 + 100 * seed, n_rules=6, n_attributes=10, random_state=seed)
        return "v" + made.data.astype(str), {"criterion": ("bic", "aic")[kind]}
    if kind == 2:
        made = make_rules(40_000, n_rules=6, n_attributes=8, random_state=seed)
        return "v" + made.data.astype(str), {"predictive": "chosen"}
    if kind == 3:
        return make_mixed(700 + 100 * seed, random_state=seed).data, {"effort": 0.3}
    made = make_rules(200, n_rules=4, n_attributes=8, random_state=seed)
    return "v" + made.data.astype(str), {"criterion": "density", "max_components": 6}


def resume(fits: int) -> None:
    """Kill fits at random moments, take them up again, and print how many end the same."""
    warnings.simplefilter("ignore")
    checkpoint.LEAST = LEAST
    alike = kills = resumed = 0
    for number in range(fits):
        began = time.perf_counter()
        expected = _fitted(number, None)["same"]
        seconds = time.perf_counter() - began
        found, moments = _until_it_ends(number, seconds)
        alike += found["same"] == expected
        kills += len(moments)
        resumed += found["steps"] > 0
        shown = ", ".join(f"{moment:.2f}" for moment in moments)
        same = "the same" if found["same"] == expected else "ANOTHER"
        print(f"{number}: {seconds:.1f} s, killed after {shown} s: {same}", flush=True)
    print(f"{fits} fits, {kills} kills, {resumed} went on from a step: {alike} have the same bits")


def _until_it_ends(number: int, seconds: float) -> tuple[dict[str, Any], list[float]]:
    """Fit in processes that are killed, and one that is not; return what that one found."""
    moments = list[float]()
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        while not result.exists():
            kills = len(moments) < KILLS
            moment = random.uniform(0.0, seconds) if kills else None
            if _killed(number, Path(folder), moment):
                moments.append(moment or 0.0)
        return json.loads(result.read_text()), moments


def _killed(number: int, folder: Path, moment: float | None) -> bool:
    """Fit in a process; whether it was killed at a moment, and had not ended before."""
    child = os.fork()
    if child == 0:
        try:
            found = _fitted(number, folder / "steps")
            (folder / "result.tmp").write_text(json.dumps(found))
            os.replace(folder / "result.tmp", folder / "result.json")
        finally:
            os._exit(0)
    if moment is not None:
        time.sleep(moment)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _fitted(number: int, folder: Path | None) -> dict[str, Any]:
    """Fit; return a hash of the model with the passes it took, and the steps it began with."""
    table, parameters = fit_of(number)
    steps = StepFiles(folder, "").places if folder and folder.exists() else ()
    model = Galileo(random_state=0, checkpoint=folder, **parameters).fit(table)
    return {"same": f"{bits(model)} {model.n_passes_}", "steps": len(steps)}
