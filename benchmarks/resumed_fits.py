"""Fits that are killed and taken up again: ``python -m benchmarks.engines resume``.

Every fit is a process of its own, killed by SIGKILL at a random moment and begun again with the
same call, up to three times; then it is left alone. ``python -m benchmarks.resumed_fits NUMBER
DIRECTORY`` is such a process: it prints a line when it begins to fit, and one when it has ended.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from typing import Any

from benchmarks.engines import bits
from galileomix import Galileo
from galileomix._storage import checkpoint
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
    alike = killed = resumed = 0
    for number in range(fits):
        with tempfile.TemporaryDirectory() as folder:
            expected, seconds = _run(number, "-", None)
            found, moments = None, list[float]()
            while found is None:
                moment = random.uniform(0.0, seconds) if len(moments) < KILLS else None
                found, _ = _run(number, folder, moment)
                moments += [] if moment is None or found else [moment]
        alike += found["same"] == expected["same"]
        killed += len(moments)
        resumed += found["steps"] > 0
        shown = ", ".join(f"{moment:.1f}" for moment in moments)
        print(f"{number}: {seconds:.1f} s, killed after {shown} s: {found['same']}", flush=True)
    print(f"{fits} fits, {killed} kills, {resumed} went on from a step: {alike} have the same bits")


def _run(number: int, folder: str, moment: float | None) -> tuple[dict[str, Any] | None, float]:
    """Run a fit, killed at a moment if that comes first; return what it found and the seconds."""
    command = [sys.executable, "-m", "benchmarks.resumed_fits", str(number), folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        began = time.perf_counter()
        try:
            out, _ = process.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            return None, 0.0
        return json.loads(out), time.perf_counter() - began


def main(number: str, folder: str) -> None:
    """Fit, and print a hash of the model with the passes it took."""
    warnings.simplefilter("ignore")
    checkpoint.LEAST = LEAST
    steps = list[int]()
    read = checkpoint.Checkpoint._spent

    def spent(self: Any) -> float:
        steps.append(len(self._files.places))
        return read(self)

    checkpoint.Checkpoint._spent = spent
    table, parameters = fit_of(int(number))
    print("fitting", flush=True)
    kept = None if folder == "-" else folder
    model = Galileo(random_state=0, checkpoint=kept, **parameters).fit(table)
    print(json.dumps({"same": f"{bits(model)} {model.n_passes_}", "steps": sum(steps)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
