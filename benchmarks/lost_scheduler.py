"""A scheduler that is killed during a fit: ``python -m benchmarks.engines scheduler``.

A Dask scheduler and two workers are processes of their own. The scheduler is killed by SIGKILL at a
random moment of a fit that keeps a checkpoint; printed is how long it takes until the fit says so,
and whether it ends with the bits of an uninterrupted one on a new cluster.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.engines import bits, fitted
from benchmarks.resumed_fits import LEAST
from galileomix._storage import checkpoint
from galileomix.errors import ClusterError


@contextmanager
def cluster() -> Generator[tuple[Any, subprocess.Popen[bytes]]]:
    """Yield a client of a cluster of two workers, and the process of its scheduler."""
    from distributed import Client

    with tempfile.TemporaryDirectory() as folder:
        where = f"--scheduler-file={folder}/scheduler.json"
        scheduler = _started("scheduler", "--port=0", "--dashboard-address=:0", where)
        workers = [_started("worker", "--nthreads=1", where) for _ in range(2)]
        try:
            while not Path(folder, "scheduler.json").exists():
                time.sleep(0.1)
            with Client(
                scheduler_file=f"{folder}/scheduler.json", set_as_default=False, timeout=30
            ) as client:
                client.wait_for_workers(2, timeout=60)
                yield client, scheduler
        finally:
            for process in (*workers, scheduler):
                process.kill()
                process.wait()


def _started(*command: str) -> subprocess.Popen[bytes]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "dask", *command], **quiet)


def lose_schedulers(table: str, fits: int) -> None:
    """Kill schedulers at random moments of fits, and resume these on new clusters."""
    checkpoint.LEAST = LEAST
    with cluster() as (client, _):
        fitted(table, client, max_components=2)  # loads what numba has compiled
        began = time.perf_counter()
        expected = bits(fitted(table, client))
        seconds = time.perf_counter() - began
    for number in range(fits):
        with tempfile.TemporaryDirectory() as folder:
            said = _killed(table, folder, random.uniform(0.0, seconds))
            with cluster() as (client, _):
                same = bits(fitted(table, client, checkpoint=folder)) == expected
        print(f"{number}: {said}; resumed: {'the same' if same else 'ANOTHER'}", flush=True)


def _killed(table: str, folder: str, moment: float) -> str:
    with cluster() as (client, scheduler):
        killer = threading.Timer(moment, scheduler.kill)
        killer.start()
        began = time.perf_counter()
        try:
            fitted(table, client, checkpoint=folder)
        except ClusterError as error:
            later = time.perf_counter() - began - moment
            return f"killed after {moment:.1f} s, said {later:.1f} s later: {error}"
        finally:
            killer.cancel()
    return f"over before it was killed after {moment:.1f} s"
