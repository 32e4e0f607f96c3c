"""Larger than memory.

A CSV file of 10 000 000 rows of ten categories, one integer and one number (1.1 GB), fitted from
its path with `memory_limit="500MB"`, beside the same rows in memory as a frame; each in a process
of its own, so that its greatest resident memory can be read. Both anneal from 3 components with at
most 10 steps of EM each. The second table is 1 000 000 rows of nine small columns without and with
one column of 100 000 values, in memory: what a row takes there.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

from benchmarks.common import Plan, Record
from benchmarks.render import table
from benchmarks.speed.adapter import digest, held_bytes
from benchmarks.speed.bars import Bar, thousands
from benchmarks.speed.fresh import in_new_process
from benchmarks.speed.memory import MEGABYTE, resident
from galileomix import Galileo

LIMIT = "500MB"
ALLOWED = 700 * MEGABYTE
CHUNK = 500_000
SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 20, 50)
WIDE = 100_000


def run(plan: Plan) -> list[Record]:
    """Write the file, fit it from disk and from memory, and weigh a wide column."""
    n_rows = 300_000 if plan.quick else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "big.csv")
        write(path, n_rows)
        from_disk = in_new_process(fit_file, path=path)
        in_memory = in_new_process(fit_frame, path=path)
    return [from_disk, in_memory, wide_column(100_000 if plan.quick else 1_000_000)]


def write(path: str, n_rows: int) -> None:
    """Write a table drawn from five kinds of records, a piece at a time."""
    rng = np.random.default_rng(0)
    with open(path, "wb") as file:
        for start in range(0, n_rows, CHUNK):
            n = min(CHUNK, n_rows - start)
            options = csv.WriteOptions(include_header=start == 0, quoting_style="needed")
            csv.write_csv(_rows(n, rng), file, options)


def _rows(n: int, rng: np.random.Generator) -> pa.Table:
    kind = rng.integers(0, 5, n)
    columns: dict[str, pa.Array] = {}
    for j, size in enumerate(SIZES):
        codes = np.where(rng.random(n) < 0.7, kind * (j + 3) % size, rng.integers(0, size, n))
        words = pa.array([f"value{j}_{code:02d}" for code in range(size)])
        columns[f"c{j}"] = words.take(pa.array(codes))
    columns["count"] = pa.array(rng.integers(0, 100, n))
    columns["size"] = pa.array(np.round(2 * kind + rng.normal(size=n), 4))
    return pa.table(columns)


def fit_file(path: str) -> Record:
    """Fit a file within the limit."""
    return fit("CSV file, memory_limit=500MB", path, Path(path).stat().st_size)


def fit_frame(path: str) -> Record:
    """Fit the same rows in memory."""
    return fit("frame in memory", pd.read_csv(path), Path(path).stat().st_size)


def fit(what: str, X: object, n_bytes: int) -> Record:
    """Fit a table and say what that took."""
    model = Galileo(3, refine=False, max_iter=10, memory_limit=LIMIT, random_state=0)
    begun = time.perf_counter()
    model.fit(X)
    seconds = round(time.perf_counter() - begun, 2)
    cost = {"seconds": seconds, "passes": model.n_passes_, "peak": resident("VmHWM")}
    said = {"what": what, "n_rows": len(model.labels_), "file_bytes": n_bytes}
    return said | cost | {"digest": digest(model)}


def wide_column(n_rows: int) -> Record:
    """Weigh a row without and with a column of very many values."""
    rng = np.random.default_rng(0)
    narrow = {f"c{j}": rng.integers(0, 5, n_rows).astype(str) for j in range(9)}
    wide = narrow | {"id": rng.integers(0, WIDE, n_rows).astype(str)}
    sizes = [held_bytes(pd.DataFrame(each)) / n_rows for each in (narrow, wide)]
    return {"what": "wide column", "n_rows": n_rows, "without": sizes[0], "with": sizes[1]}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    fits, wide = records[:2], records[2]
    rows = [
        [
            each["what"],
            thousands(each["n_rows"]),
            f"{each['peak'] / MEGABYTE:.0f}",
            f"{each['seconds']:.1f}",
            f"{each['seconds'] / each['n_rows'] * 1e6:.2f}",
            each["passes"],
            each["digest"][:12],
        ]
        for each in fits
    ]
    header = ["table", "rows", "peak memory, MB", "fit, s", "per row, us", "passes", "hash"]
    columns = ["rows", "bytes a row, nine columns", f"and one of {thousands(WIDE)} values"]
    weighed = [[thousands(wide["n_rows"]), f"{wide['without']:.1f}", f"{wide['with']:.1f}"]]
    return table(header, rows) + "\n\n" + table(columns, weighed)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    disk, memory, wide = records
    peak = disk["peak"]
    added = wide["with"] - wide["without"]
    same = disk["digest"] == memory["digest"]
    return [
        Bar("peak memory with a limit of 500 MB", "< 700 MB", _mb(peak), peak < ALLOWED),
        Bar("the same bits as in memory", "one hash", "one" if same else "two", same),
        Bar(
            f"a column of {thousands(WIDE)} values",
            "its own bytes (4 a row)",
            f"{added:.1f} a row",
            added <= 4.5,
        ),
    ]


def _mb(size: float) -> str:
    return f"{size / MEGABYTE:.0f} MB"
