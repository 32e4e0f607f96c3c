"""Engines side by side: the same fit in this process and on clusters of this machine.

``python -m benchmarks.engines fit --rows 1000000`` fits a generated table with two threads here,
on two Dask workers and on two Spark executors, of one thread each, and says how many times the
first took; ``--engine spark`` fits on one of them. ``tables`` fits mushroom, soybean, a mixed
table with missing values and a generated one, each in one, 7 and 64 files, with 1, 2 and 4 threads
or Dask workers and 1 and 2 executors. ``kills --engine spark --fits 30`` kills a worker or an
executor by SIGKILL at a random moment of so many fits. All print a hash of all parameters.
``mllib`` fits Spark's GaussianMixture, told the number of clusters, beside ours. ``resume --fits
30`` kills fits with a checkpoint, and resumes them; ``scheduler`` kills the scheduler of a Dask
cluster and resumes on another. ``cost`` says what a fit of 1e9 and 1e10 rows would take.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks import cluster_cost, spark_machine
from galileomix import Galileo
from galileomix._passes.fold import GROUP_ROWS
from galileomix.datasets import load_mushroom, load_soybean, make_mixed, make_rules

WHAT = ("fit", "tables", "kills", "resume", "scheduler", "mllib", "cost")
PARTITIONS = 16
"""Parquet files that the table is written to."""
GRID = {"local": (1, 2, 4), "dask": (1, 2, 4), "spark": (1, 2)}
"""How many threads, workers or executors there are of each engine in turn."""
FILES = (1, 7, 64)
NAMES = {"local": "2 threads here", "dask": "2 Dask workers", "spark": "2 Spark executors"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--engine", choices=[*NAMES, "all"], default="all")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--fits", type=int, default=30)
    arguments = parser.parse_args()
    names = list(NAMES) if arguments.engine == "all" else [arguments.engine]
    if arguments.what == "mllib":
        spark_machine.beside_mllib(arguments.rows)
    elif arguments.what == "cost":
        cluster_cost.main()
    elif arguments.what == "resume":
        from benchmarks.resumed_fits import resume

        resume(arguments.fits)
    elif arguments.what == "tables":
        _tables(names, arguments.rows)
    else:
        with tempfile.TemporaryDirectory() as folder:
            _in_files(_generated(arguments.rows), Path(folder), PARTITIONS)
            if arguments.what == "fit":
                _side_by_side(folder, names)
            elif arguments.what == "scheduler":
                from benchmarks.lost_scheduler import lose_schedulers

                lose_schedulers(folder, arguments.fits)
            else:
                _killed(folder, "dask" if arguments.engine == "all" else names[0], arguments.fits)


def _generated(rows: int) -> pd.DataFrame:
    table = make_rules(rows, n_rules=8, n_attributes=20, random_state=0).data
    return table.apply(lambda column: column.cat.rename_categories("v{}".format))  # no numbers


def _in_files(table: pd.DataFrame, folder: Path, files: int) -> None:
    folder.mkdir(exist_ok=True)
    for number, rows in enumerate(np.array_split(np.arange(len(table)), files)):
        table.iloc[rows].to_parquet(folder / f"part{number:02}.parquet", index=False)


@contextmanager
def _engine(name: str, size: int = 2) -> Generator[Any]:
    """Yield an engine, with a cluster of its own of so many workers."""
    if name == "local":
        with nullcontext("local") as found:
            yield found
    elif name == "spark":
        with spark_machine.session(size) as found:
            yield found
    else:
        import dask
        from distributed import Client

        workers = {"n_workers": size, "threads_per_worker": 1, "dashboard_address": ":0"}
        # So long after a worker was lost Dask gives it up if it is not there: on a busy machine it
        # may not be back yet, and where workers are killed again and again it may be lost anew.
        waits = {"distributed.deploy.lost-worker-timeout": "1 day"}
        with dask.config.set(waits), Client(**workers, set_as_default=False) as found:
            yield found


def _side_by_side(folder: str, names: list[str]) -> None:
    first: float | None = None
    for name in names:
        with _engine(name) as engine:
            fitted(folder, engine, max_components=2)  # loads what numba has compiled
            began = time.perf_counter()
            model = fitted(folder, engine)
            seconds = time.perf_counter() - began
            first = first or seconds
            _tell(NAMES[name], model, seconds, seconds / first)


def _tables(names: list[str], rows: int) -> None:
    tables = {
        "mushroom": load_mushroom().data,
        "soybean": load_soybean().data,
        "mixed": make_mixed(2000, missing=0.1, random_state=3).data,
        f"{rows:,} generated rows": _generated(rows),
    }
    found: dict[str, set[str]] = {table: set() for table in tables}
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(tables.values()):
            for files in FILES:
                _in_files(data, Path(folder, f"{number} {files}"), files)
        sizes = [(name, size) for name in names for size in GRID[name]]
        for engine_name, size in sizes:
            with _engine(engine_name, size) as engine:
                for number, table in enumerate(tables):
                    parts = [Path(folder, f"{number} {files}") for files in FILES]
                    new = {bits(fitted(part, engine, n_jobs=size)) for part in parts}
                    found[table] |= new
                    print(f"{engine_name} {size}, {table}: {', '.join(sorted(new))}", flush=True)
    for table, hashes in found.items():
        print(f"{table}: {len(hashes)} {'hash' if len(hashes) == 1 else 'HASHES'}")


def _killed(folder: str, name: str, fits: int) -> None:
    with _engine(name) as engine:
        fitted(folder, engine, max_components=2)  # loads what numba has compiled
        began = time.perf_counter()
        expected = bits(fitted(folder, engine))
        seconds = time.perf_counter() - began
        print(f"uninterrupted: {expected}", flush=True)
        killed = same = 0
        while killed < fits:
            victim = random.choice(_processes(name)(engine))
            moment = random.uniform(0.0, seconds)
            killer = threading.Timer(moment, os.kill, (victim, signal.SIGKILL))
            killer.start()
            began = time.perf_counter()
            found = bits(fitted(folder, engine))
            took = time.perf_counter() - began
            killer.cancel()
            if moment < took:  # else it was over before
                killed, same = killed + 1, same + (found == expected)
                print(f"{killed}: after {moment:.1f} s, took {took:.1f} s, {found}", flush=True)
        print(f"{killed} fits lost a process, {same} of them ended with the same hash")


def _processes(name: str) -> Callable[[Any], list[int]]:
    """Return the function that lists the processes of a cluster's workers."""
    if name == "spark":
        return spark_machine.executors
    return _workers


def _workers(client: Any) -> list[int]:
    client.wait_for_workers(1, timeout=120)
    return list(client.run(os.getpid, on_error="ignore").values())


def fitted(table: Any, engine: Any, **given: Any) -> Galileo:
    """Return a model that was fitted on an engine."""
    settings = {"predictive": "chosen", "effort": 0.1, "random_state": 0, "n_jobs": 2, **given}
    return Galileo(engine=engine, **settings).fit(table)


def _tell(name: str, model: Galileo, seconds: float, ratio: float) -> None:
    mixture = model._model.mixture
    parameters = sum(array.nbytes for array in (mixture.alpha, mixture.p, mixture.mu))
    statistics = 8 * mixture.k * mixture.layout.n_sums
    groups = -(-int(model.n_records_) // GROUP_ROWS)
    print(
        f"{name}: {seconds:.1f} s ({ratio:.2f} times the first), of which "
        f"{model.search_.seconds:.1f} s are the search; "
        f"{model.n_passes_} passes, {1000 * model.search_.seconds / model.n_passes_:.0f} ms each; "
        f"{parameters / 1e3:.0f} kB of parameters out, {groups} x {statistics / 1e3:.0f} kB of "
        f"statistics back; {bits(model)}",
        flush=True,
    )


def bits(model: Galileo) -> str:
    """Return a hash of the parameters of the models of all sizes."""
    found = hashlib.sha256()
    for _, mixture in sorted(model._model.mixtures.items()):
        for array in (mixture.alpha, mixture.p, mixture.mu, mixture.Sigma):
            found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


if __name__ == "__main__":
    main()
