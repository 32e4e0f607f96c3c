"""What a fit of very many rows would take on a cluster: arithmetic on constants measured here.

Measured, in processor time: a row in a pass (40 clusters of twenty columns of ten values), and
reading and encoding it from Parquet, by one thread; and what Dask's scheduler, a single process,
and its client take to send out a task that does nothing and to take its answer. Assumed: as many
passes over all rows as a million rows take, threads like ours, files that are read as fast by all
of them, and blocks that stay in memory. A pass takes as long as its arithmetic, by threads that
have a task more than others, or as its tasks, whichever is more.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from galileomix import Galileo
from galileomix._estimators.parameters import prepared
from galileomix._kernels import KERNEL
from galileomix._model.params import layout_of
from galileomix._model.start import around
from galileomix._passes import LocalEngine
from galileomix._passes.dask_engine import rows_of_task
from galileomix._passes.engine import MOST_GATHERED
from galileomix._passes.fold import GROUP, GROUP_ROWS
from galileomix._passes.records import BlockRecords
from galileomix._table import Folder
from galileomix.datasets import make_rules

CLUSTERS, COLUMNS, VALUES = 40, 20, 10
PASSES = 120
"""Over all rows: a fit of a million generated rows has 121 (`python -m benchmarks million`)."""
ROWS = (1e9, 1e10)
THREADS = (64, 256, 1024)
TASKS = 2_000
REPEATS = 5


class Constants(NamedTuple):
    """Processor seconds: of a row in a pass and when it is read, by one thread; of a task."""

    row: float
    read: float
    task: float


def main() -> None:
    """Measure, and print a table."""
    row, read = _of_rows()
    task = _of_tasks()
    print(f"a row: {1e9 * row:.0f} ns in a pass, {1e6 * read:.2f} us to read; {PASSES} passes")
    print(f"a task: {1e3 * task:.2f} ms of Dask's scheduler\n")
    print("| rows | threads | reading, s | tasks x rows | a pass, s | tasks alone, s | hours |")
    print("|---|---|---|---|---|---|---|")
    for rows in ROWS:
        for threads in THREADS:
            print(_line(rows, threads, Constants(row, read, task)))


def _line(rows: float, threads: int, known: Constants) -> str:
    size = rows_of_task(rows)
    groups = math.ceil(rows / size)
    tasks = groups * (1.0 + (1.0 / (GROUP - 1) if groups > MOST_GATHERED else 0.0))
    reading, dispatch = rows * known.read / threads, tasks * known.task
    one = max(math.ceil(groups / threads) * size * known.row, dispatch)
    hours = (reading + PASSES * one) / 3600.0
    return (
        f"| {rows:.0e} | {threads} | {reading:.0f} | {groups:,} x {size:,} | {one:.1f} | "
        f"{dispatch:.1f} | {hours:.2f} |"
    )


def _of_rows() -> tuple[float, float]:
    """Return one thread's seconds for a row, in a pass and when it is read."""
    shape = {"n_attributes": COLUMNS, "n_values": VALUES, "values_per_rule": 3}
    made = make_rules(GROUP_ROWS, n_rules=CLUSTERS, random_state=0, **shape)
    with tempfile.TemporaryDirectory() as folder, Folder() as room:
        path = Path(folder) / "rows.parquet"
        ("v" + made.data.astype(str)).to_parquet(path, index=False)
        model = Galileo(random_state=0, n_jobs=1)
        read = _least(lambda: prepared(model, path, None, room))
        table = prepared(model, path, None, room)
    layout = layout_of(table.schema)
    records = BlockRecords(LocalEngine(table.blocks, 1), KERNEL, layout, 1.0)
    centers = records.draw(CLUSTERS, np.random.default_rng(0))
    start = around(centers, layout, records.background)
    return _least(lambda: records.expect(start)) / GROUP_ROWS, read / GROUP_ROWS


def _of_tasks() -> float:
    """Return the seconds that Dask's scheduler and client take for a task that does nothing."""
    from distributed import Client

    two = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with Client(**two, set_as_default=False) as client:

        def ask() -> None:
            submit: Any = client.submit
            client.gather([submit(_nothing, n, pure=False) for n in range(TASKS)])

        ask()
        return _least(ask) / TASKS


def _nothing(number: int) -> int:
    return number


def _least(work: Callable[[], Any]) -> float:
    """Return the processor seconds of this process in the fastest of some runs."""
    seconds = list[float]()
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)
