"""Engines side by side: the same fit in this process and on a Dask cluster of this machine.

``python -m benchmarks.engines fit --rows 1000000`` fits a generated table with two threads here,
and on two workers of one thread each. ``python -m benchmarks.engines kills --fits 30`` kills a
worker by SIGKILL at a random moment of every fit. Both print a hash of all parameters.
``python -m benchmarks.engines resume --fits 30`` kills fits with a checkpoint, and resumes them.
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
from pathlib import Path
from typing import Any

import numpy as np

from galileomix import Galileo
from galileomix._passes.fold import GROUP_ROWS
from galileomix.datasets import make_rules

PARTITIONS = 16
"""Parquet files that the table is written to."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["fit", "kills", "resume"])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--fits", type=int, default=30)
    arguments = parser.parse_args()
    if arguments.what == "resume":
        from benchmarks.resumed_fits import resume

        resume(arguments.fits)
        return
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), arguments.rows)
        if arguments.what == "fit":
            _side_by_side(folder)
        else:
            _killed(folder, arguments.fits)


def _write(folder: Path, rows: int) -> None:
    made = make_rules(rows, n_rules=8, n_attributes=20, random_state=0)
    table = "v" + made.data.astype(str)  # text that is no number
    for number, part in enumerate(np.array_split(np.arange(rows), PARTITIONS)):
        table.iloc[part].to_parquet(folder / f"part{number:02}.parquet", index=False)


def _side_by_side(folder: str) -> None:
    with _cluster() as client:
        # The first fit of a process loads what numba has compiled.
        _fitted(folder, client)
        for name, engine in (("2 threads here", "local"), ("2 Dask workers", client)):
            began = time.perf_counter()
            model = _fitted(folder, engine)
            _tell(name, model, time.perf_counter() - began)


def _killed(folder: str, fits: int) -> None:
    with _cluster() as client:
        began = time.perf_counter()
        print(f"uninterrupted: {bits(_fitted(folder, client))}", flush=True)
        seconds = time.perf_counter() - began
        for number in range(fits):
            victim = random.choice(list(client.run(os.getpid).values()))
            moment = random.uniform(0.0, seconds)
            killer = threading.Timer(moment, os.kill, (victim, signal.SIGKILL))
            killer.start()
            began = time.perf_counter()
            found = bits(_fitted(folder, client))
            killer.cancel()
            took = time.perf_counter() - began
            print(f"{number}: killed after {moment:.1f} s, {took:.1f} s, {found}", flush=True)


def _cluster() -> Any:
    from distributed import Client

    return Client(n_workers=2, threads_per_worker=1, dashboard_address=":0", set_as_default=False)


def _fitted(folder: str, engine: Any) -> Galileo:
    settings = {"predictive": "chosen", "effort": 0.1, "random_state": 0}
    return Galileo(engine=engine, n_jobs=2, **settings).fit(folder)


def _tell(name: str, model: Galileo, seconds: float) -> None:
    mixture = model._model.mixture
    parameters = sum(array.nbytes for array in (mixture.alpha, mixture.p, mixture.mu))
    statistics = 8 * mixture.k * mixture.layout.n_sums
    groups = -(-int(model.n_records_) // GROUP_ROWS)
    print(
        f"{name}: {seconds:.1f} s, of which {model.search_.seconds:.1f} s are the search; "
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
