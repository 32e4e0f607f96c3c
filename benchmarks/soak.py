"""Fits, answers, saves and loads for minutes, in threads and processes.

Two processes, each with several threads, fit, predict, explain, impute, save and load again and
again: the same small tables, so that the answers of every model must have the same hash. Memory is
what a process holds (its resident set) after its first fifth, when everything was done a few times,
and at the end, with what the allocator of the system keeps for each thread; files and threads are
counted at the same moments. `python -m benchmarks soak --minutes M` only shows the table.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.common import Plan, Record, load
from benchmarks.render import table
from galileomix import Galileo, GalileoDetector
from galileomix import load as load_model
from galileomix.datasets import make_mixed

JOBS = PROCESSES = 2
THREADS = 3
MINUTES, QUICK_MINUTES = 60.0, 0.2
WARM = 0.2
"""The share of the time after which memory should not grow any more."""
TABLES = ("zoo", "mixed")


def run(plan: Plan) -> list[Record]:
    """Soak for as long as the published figures take."""
    return soaked(QUICK_MINUTES if plan.quick else MINUTES)


def soaked(minutes: float) -> list[Record]:
    """Return what became of every process."""
    context = get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        return list(pool.map(one_process, [60.0 * minutes] * PROCESSES))


def one_process(seconds: float) -> Record:
    """Work in several threads until the time is over."""
    warnings.simplefilter("ignore")
    done, hashes, failed = Counter[str](), set[str](), list[str]()
    begun = time.monotonic()
    end, early = begun + seconds, Record()

    def work(number: int) -> None:
        turn = number
        while time.monotonic() < end and not failed:
            try:
                hashes.add(f"{TABLES[turn % 2]} {cycle(TABLES[turn % 2], done)}")
            except Exception as error:
                failed.append(repr(error)[:200])
            turn += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(min(1.0, 0.01 * seconds))
        if not early and time.monotonic() > begun + WARM * seconds:
            early = held()
    measured = {"seconds": round(time.monotonic() - begun), "early": early or held()}
    found = {"done": dict(done), "hashes": sorted(hashes), "failed": failed}
    return measured | {"late": held()} | found


def cycle(name: str, done: Counter[str]) -> str:
    """Fit a table, ask the model, save it and load it; return a hash of all that."""
    data = table_of(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.galileo"
        model = Galileo(random_state=0, effort=0.05).fit(data)
        model.save(path)
        again: Any = load_model(path)
        answers = (again.predict_proba(data), again.score_samples(data))
        digest = hashlib.sha256(b"".join(array.tobytes() for array in answers))
        digest.update(repr(again.explain(data[:5])).encode())
        digest.update(again.impute(data[:20]).to_csv().encode())
        digest.update(repr(again.path_.to_frame().to_numpy().tolist()).encode())
        GalileoDetector(Galileo(random_state=0, effort=0.05)).fit(data[:60]).save(path)
        detector: Any = load_model(path)
        digest.update(detector.score_samples(data[:20]).tobytes())
    done.update(("fits", "fits", "saves", "saves", "loads", "loads"))
    return digest.hexdigest()[:12]


def table_of(name: str) -> pd.DataFrame:
    """Return one of the tables."""
    return load("zoo") if name == "zoo" else make_mixed(120, random_state=0).data


def held() -> Record:
    """Return the memory, the open files and the threads of this process."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    files = len(os.listdir("/proc/self/fd"))
    memory = int(lines["VmRSS"].split()[0]) / 1024
    return {"MiB": round(memory, 1), "files": files, "threads": int(lines["Threads"])}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["process", "minutes", "fits", "saves", "loads", "MiB early", "MiB at the end"]
    header += ["open files", "threads", "hashes of zoo and mixed", "errors"]
    rows: list[list[Any]] = []
    for number, record in enumerate(records, 1):
        early, late, done = record["early"], record["late"], record["done"]
        rows.append(
            [number, f"{record['seconds'] / 60:.1f}"]
            + [done.get(name, 0) for name in ("fits", "saves", "loads")]
            + [early["MiB"], late["MiB"]]
            + [f"{early[name]}, then {late[name]}" for name in ("files", "threads")]
            + [", ".join(record["hashes"]), "; ".join(record["failed"]) or "none"]
        )
    return table(header, rows)


def main(arguments: list[str]) -> None:
    """Soak for some minutes and show what became of it; exit with 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks soak")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    records = soaked(parser.parse_args(arguments).minutes)
    print(render(records))
    same = {tuple(record["hashes"]) for record in records}
    sys.exit(len(same) > 1 or any(record["failed"] for record in records))
