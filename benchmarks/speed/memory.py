"""Memory.

A default fit of 10 000 000 rows of 10 columns of 20 values (5 rules), held in memory as one byte
per value, on two threads, in a process of its own. What the fit adds is its greatest resident
memory less what was resident before; the table it was handed and the compiled kernels were there
before.
"""

from __future__ import annotations

import re
import resource
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import Plan, Record, load
from benchmarks.render import table
from benchmarks.speed.adapter import encoded_bytes
from benchmarks.speed.bars import Bar, thousands
from benchmarks.speed.fresh import in_new_process
from galileomix import Galileo
from galileomix.datasets import make_rules

MEGABYTE = 1_000_000
ALLOWED = 300 * MEGABYTE
CHUNK = 100_000


def run(plan: Plan) -> list[Record]:
    """Fit in a process of its own."""
    return [in_new_process(one, n_rows=1_000_000 if plan.quick else 10_000_000)]


def one(n_rows: int) -> Record:
    """Make a table, fit it, and say what that took."""
    table = rules_table(n_rows)
    Galileo(random_state=0).fit(load("zoo"))
    before, most_before = resident("VmRSS"), resident("VmHWM")
    model = Galileo(n_jobs=2, random_state=0)
    begun = time.perf_counter()
    model.fit(table)
    seconds = round(time.perf_counter() - begun, 3)
    peak = resident("VmHWM")
    cost = {"seconds": seconds, "k": model.n_components_, "passes": model.n_passes_}
    sizes = {"before": before, "most_before": most_before, "peak": peak, "handed": table.nbytes}
    return {"n_rows": n_rows} | cost | sizes | {"encoded": encoded_bytes(table)}


def rules_table(n_rows: int) -> NDArray[np.uint8]:
    """Return a table like that of `make_rules`, made in pieces that take little memory."""
    rules = make_rules(1, n_rules=5, random_state=0).rules.astype(np.uint8)
    n_rules, n_attributes, n_allowed = rules.shape
    rng = np.random.default_rng(0)
    table = np.empty((n_rows, n_attributes), np.uint8)
    for start in range(0, n_rows, CHUNK):
        part = table[start : start + CHUNK]
        rule = rng.integers(n_rules, size=len(part))
        for m in range(n_attributes):
            part[:, m] = rules[rule, m, rng.integers(n_allowed, size=len(part))]
    return table


def resident(which: str) -> int:
    """Return the resident memory now (VmRSS) or at most so far (VmHWM), in bytes.

    Linux says so itself. What `getrusage` says can be the peak of the process that started this
    one, so it serves only where there is nothing else.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(re.findall(rf"{which}:\s+(\d+) kB", status)[0]) * 1024
    except (OSError, IndexError):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            thousands(each["n_rows"]),
            *(f"{size / MEGABYTE:.0f}" for size in (each["encoded"], each["before"])),
            *(f"{size / MEGABYTE:.0f}" for size in (each["peak"], each["peak"] - each["before"])),
            each["k"],
            each["passes"],
            f"{each['seconds']:.1f}",
        ]
        for each in records
    ]
    header = ["rows", "encoded table, MB", "before, MB", "peak, MB", "the fit adds, MB", "k"]
    return table([*header, "passes", "time, s"], rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    return [
        Bar(
            f"memory that a fit of {thousands(each['n_rows'])} x 10 adds",
            "encoded table + 300 MB",
            f"encoded table + {(added - each['encoded']) / MEGABYTE:.0f} MB",
            added <= each["encoded"] + ALLOWED,
        )
        for each in records
        for added in [each["peak"] - each["before"]]
    ]
