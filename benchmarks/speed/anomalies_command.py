"""Anomalies with reasons, on the command line.

`galileo anomalies TABLE --model DETECTOR -o FILE` scores and explains every row;
`galileo predict DETECTOR TABLE -o FILE` only scores them. Both read and write the whole table, in
processes of their own; processor time, the best of several runs in turn. The table is mushroom
twelve times over, shuffled: 97 488 rows. Beside them the scoring alone, in Python.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

from benchmarks.common import Plan, Record, load
from benchmarks.render import grouped, table
from benchmarks.speed.bars import Bar
from galileomix import Galileo, GalileoDetector

TIMES, ALLOWED = 12, 2.0
COMMANDS = {
    "galileo predict": ("predict", "detector.galileo", "table.csv", "-o", "scored.csv"),
    "galileo anomalies": (
        *("anomalies", "table.csv", "--model", "detector.galileo"),
        *("-o", "explained.csv"),
    ),
}
SCORING = "GalileoDetector.score_samples"


def run(plan: Plan) -> list[Record]:
    """Fit a detector, then time the commands in turn."""
    one = load("mushroom")
    many = pd.concat([one] * (2 if plan.quick else TIMES)).sample(frac=1, random_state=0)
    with tempfile.TemporaryDirectory() as folder:
        many.to_csv(Path(folder) / "table.csv", index=False)
        detector = GalileoDetector(Galileo(criterion="aic", random_state=0)).fit(one)
        detector.save(Path(folder) / "detector.galileo")
        detector.score_samples(one)
        records: list[Record] = []
        for _ in range(1 if plan.quick else 3):
            begun = time.process_time()
            detector.score_samples(Path(folder) / "table.csv")
            records.append({"what": SCORING, "seconds": time.process_time() - begun})
            for what, arguments in COMMANDS.items():
                records.append({"what": what, "seconds": processor_time(arguments, folder)})
    return [record | {"rows": len(many)} for record in records]


def processor_time(arguments: tuple[str, ...], folder: str) -> float:
    """Run a command in a new process and return the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "galileomix", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def best(records: list[Record]) -> dict[str, float]:
    """Return the least time of everything measured."""
    groups = grouped(records, "what")
    return {what: min(record["seconds"] for record in group) for (what,), group in groups}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    times = best(records)
    rows = [
        [f"`{what}`", f"{seconds:.2f}", f"{seconds / times['galileo predict']:.2f}"]
        for what, seconds in times.items()
    ]
    return table(["", "processor time, s", "over `galileo predict`"], rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    times = best(records)
    ratio = times["galileo anomalies"] / times["galileo predict"]
    what = "`galileo anomalies -o` over plain scoring, `galileo predict -o`"
    return [Bar(what, "<= 2x", f"{ratio:.2f}x", ratio <= ALLOWED)]
