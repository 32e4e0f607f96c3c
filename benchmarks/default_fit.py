"""What one default fit costs.

`Galileo().fit` of mushroom on one core, in a new process that has fitted zoo before, so that
importing and compiling stand apart. The first row begins with nothing compiled yet, as on the
first day; the others find what it left behind.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.common import Plan, Record
from benchmarks.render import grouped, span, table

JOBS = 1


def run(plan: Plan) -> list[Record]:
    """Fit in new processes, one after the other, the first with no compiled kernels."""
    with tempfile.TemporaryDirectory() as compiled:
        return [
            {"compiled": n > 0, "seed": n} | in_new_process(n, Path(compiled), plan.quick)
            for n in range(1 + plan.count(10))
        ]


def in_new_process(seed: int, compiled: Path, quick: bool) -> Record:
    """Run `benchmarks.once`, with its own place for compiled kernels."""
    command = [sys.executable, "-m", "benchmarks.once", str(seed), "votes" if quick else "mushroom"]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(compiled)}
    root = Path(__file__).parents[1]
    done = subprocess.run(command, env=environment, cwd=root, stdout=subprocess.PIPE, check=True)
    print(f"benchmarks.default_fit: seed {seed}", file=sys.stderr, flush=True)
    return json.loads(done.stdout)


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            "yes" if compiled else "no",
            len(group),
            *(
                f"{median(record[key] for record in group):.2f}"
                for key in ("import_seconds", "first_seconds", "seconds")
            ),
            span(record["passes"] for record in group),
            span(record["k"] for record in group),
        ]
        for (compiled,), group in grouped(records, "compiled")
    ]
    name = records[0]["name"]
    header = ["compiled before", "processes", "import, s", "first fit (zoo), s", f"{name}, s"]
    return "Median times.\n\n" + table([*header, "passes over the data", "k"], rows)
