"""Saves that are killed: ``python -m benchmarks.kills FIRST SECOND NAMED SEED KILLS``, JSON out.

A process of its own that has no threads: it forks children that save a model over the file of
another, kills each at a random moment of that, and looks at what is left.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

import galileomix
from galileomix import Galileo
from galileomix import _atomic as atomic

ROOT = Path(__file__).parents[1]
FEW = 9
"""Saves to find out how long one takes."""
LATEST = 1.2
"""When the last kill comes, in the time of a save."""


def killed(first: Path, second: Path, named: bool, seed: int, kills: int) -> dict[str, int]:
    """Kill so many saves in a process of its own; return how often what was left behind.

    Parameters
    ----------
    first, second : Path
        Two model files: the old one and the new one.
    named : bool
        Write as where files need names, and not as where they have none until they are whole.
    seed : int
    kills : int
    """
    places = [str(ROOT), str(Path(galileomix.__file__).parents[1])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places), "OPENBLAS_NUM_THREADS": "1"}
    asked = [str(first), str(second), str(int(named)), str(seed), str(kills)]
    command = [sys.executable, "-m", "benchmarks.kills", *asked]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)


def ordeal(first: str, second: str, named: str, seed: str, kills: str) -> Counter[str]:
    """Kill saves one after the other and count what became of the file."""
    if named == "1":
        atomic.OPEN_FILES = "/nowhere"
    models = [Galileo.load(first), Galileo.load(second)]
    whole = [Path(first).read_bytes(), Path(second).read_bytes()]
    rng = random.Random(int(seed))
    seen = Counter[str]()
    with tempfile.TemporaryDirectory(prefix="galileo-kills-") as folder:
        path = Path(folder) / "model.galileo"
        models[0].save(path)
        usual = median(save(models[n % 2], path, None) for n in range(FEW))
        for _ in range(int(kills)):
            before = whole.index(path.read_bytes())
            save(models[1 - before], path, rng.uniform(0, LATEST * usual))
            seen += looked_at(whole, path, before)
    return seen


def save(model: Galileo, path: Path, wait: float | None) -> float:
    """Save in a child and kill it so many seconds after it began, or when it is done.

    Returns
    -------
    float
        The seconds from its beginning to its end.
    """
    told, telling = os.pipe()
    child = os.fork()
    if child == 0:
        _save_and_wait(model, path, telling)
    os.read(told, 1)
    begun = time.perf_counter()
    if wait is None:
        os.read(told, 1)
    else:
        time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    seconds = time.perf_counter() - begun
    _, status = os.waitpid(child, 0)
    os.close(told)
    os.close(telling)
    if os.WTERMSIG(status) != signal.SIGKILL:
        raise RuntimeError(f"the child ended by itself: {status}")
    return seconds


def _save_and_wait(model: Galileo, path: Path, telling: int) -> None:
    """Save, in a child that is to be killed: it never returns."""
    try:
        os.write(telling, b"!")
        model.save(path)
        os.write(telling, b".")
        signal.pause()
    finally:
        os._exit(1)


def looked_at(whole: list[bytes], path: Path, before: int) -> Counter[str]:
    """Count which file is there, to the byte, and what lies beside it, which is then removed."""
    found = path.read_bytes()
    there = whole.index(found) if found in whole else None
    state = "broken" if there is None else "old" if there == before else "new"
    seen = Counter({"kills": 1, state: 1})
    if there is None:
        path.write_bytes(whole[0])
    for each in path.parent.iterdir():
        if each != path:
            seen["left whole" if each.read_bytes() in whole else "left in part"] += 1
            each.unlink()
    return seen


if __name__ == "__main__":
    json.dump(ordeal(*sys.argv[1:]), sys.stdout)
