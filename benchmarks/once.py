"""One default fit in a process of its own: ``python -m benchmarks.once SEED TABLE``, JSON out."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def one(seed: int, name: str) -> dict[str, Any]:
    """Import, fit zoo, fit the table, all on one core; say what each took."""
    one_core = hasattr(os, "sched_setaffinity")
    if one_core:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    begun = time.perf_counter()
    from galileomix import Galileo

    imported = time.perf_counter() - begun
    from benchmarks.common import load, measure

    first = measure(Galileo(random_state=seed), load("zoo"))
    cost = measure(Galileo(random_state=seed), load(name))
    times = {"import_seconds": round(imported, 4), "first_seconds": first["seconds"]}
    return {"name": name, "one_core": one_core} | times | cost


if __name__ == "__main__":
    json.dump(one(int(sys.argv[1]), sys.argv[2]), sys.stdout)
