"""Starting up.

Importing, each time in a new process, medians; then the first fit in a new process (zoo, 101 rows),
with nothing compiled yet as on the first day, and with what that left on disk.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.common import Plan, Record
from benchmarks.default_fit import in_new_process
from benchmarks.render import grouped, table
from benchmarks.speed.bars import Bar

STATEMENTS = ("import numpy", "import galileomix", "from galileomix import Galileo")
HEAVY = ("numba", "pyarrow", "matplotlib", "dask")
ALLOWED = 0.3
SCRIPT = """
import json, sys, time
begun = time.perf_counter()
{statement}
seconds = time.perf_counter() - begun
print(json.dumps({{"seconds": seconds, "heavy": [m for m in {heavy} if m in sys.modules]}}))
"""


def run(plan: Plan) -> list[Record]:
    """Import and fit in new processes."""
    records = [
        {"what": statement} | imported(statement)
        for _ in range(3 if plan.quick else 7)
        for statement in STATEMENTS
    ]
    with tempfile.TemporaryDirectory() as compiled:
        for what in ("first fit, nothing compiled", "first fit, compiled before"):
            found = in_new_process(0, Path(compiled), quick=True)
            records.append({"what": what, "seconds": found["first_seconds"]})
    return records


def imported(statement: str) -> Record:
    """Return how long an import takes, and what heavy things it brings."""
    script = SCRIPT.format(statement=statement, heavy=HEAVY)
    command = [sys.executable, "-c", script]
    root = Path(__file__).parents[2]
    return json.loads(subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True).stdout)


def medians(records: list[Record]) -> dict[str, float]:
    """Return the median time of everything measured."""
    groups = grouped(records, "what")
    return {what: median(each["seconds"] for each in group) for (what,), group in groups}


def heavy(records: list[Record], what: str) -> list[str]:
    """Return the heavy packages that came along."""
    return next(each["heavy"] for each in records if each["what"] == what)


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            f"`{what}`" if what in STATEMENTS else what,
            f"{seconds:.3f}",
            (", ".join(heavy(records, what)) or "none") if what in STATEMENTS else "",
        ]
        for what, seconds in medians(records).items()
    ]
    return table(["", "time, s", f"of {', '.join(HEAVY)} it imports"], rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    times = medians(records)
    above = times["import galileomix"] - times["import numpy"]
    brought = heavy(records, "import galileomix")
    what = f"`import galileomix` imports {', '.join(HEAVY)}"
    return [
        Bar(
            "`import galileomix` above `import numpy`",
            "<= 0.3 s",
            f"{above:.3f} s",
            above <= ALLOWED,
        ),
        Bar(what, "none", ", ".join(brought) or "none", not brought),
    ]
