"""The same bits.

One table of 270 000 rows, nearly all of them different, in nine runs of blocks (`make_rules`: 10
attributes of 20 values, 2 rules, a fifth of the values noise), fitted with up to 2 components on
several numbers of threads, and from 8 threads of the caller at once, each with two of its own; all
of it repeated. A hash is taken of all that was fitted: the mixtures of every size, the path, the
labels.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pandas as pd

from benchmarks.common import Plan, Record
from benchmarks.render import grouped, table
from benchmarks.speed.adapter import digest
from benchmarks.speed.bars import Bar
from galileomix import Galileo
from galileomix.datasets import make_rules

N_JOBS = (1, 2, 3, 4, 8)
CALLERS = 8


def run(plan: Plan) -> list[Record]:
    """Fit the same table many times in many ways."""
    data = made(70_000 if plan.quick else 270_000)
    records: list[Record] = []
    for repeat in range(1 if plan.quick else 20):
        for n_jobs in N_JOBS:
            records.append(one(n_jobs, 1, repeat, fitted(data, n_jobs)))
        with ThreadPoolExecutor(CALLERS) as pool:
            hashes = pool.map(lambda _: fitted(data, 2), range(CALLERS))
            records += [one(2, CALLERS, repeat, found) for found in hashes]
        print(f"same_bits: repeat {repeat}", file=sys.stderr, flush=True)
    return records


def made(n_rows: int) -> pd.DataFrame:
    """Return the table; 270 000 rows are a run of blocks for each of eight threads."""
    return make_rules(n_rows, n_rules=2, noise=0.2, random_state=0).data


def fitted(data: pd.DataFrame, n_jobs: int) -> str:
    """Fit the table and return the hash of all parameters."""
    return digest(Galileo(2, n_jobs=n_jobs, random_state=0).fit(data))


def one(n_jobs: int, callers: int, repeat: int, found: str) -> Record:
    """Return what one fit came to."""
    return {"n_jobs": n_jobs, "callers": callers, "repeat": repeat, "sha256": found}


def different(records: list[Record]) -> int:
    """Return how many hashes there are."""
    return len({each["sha256"] for each in records})


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [n_jobs, callers, len(group), different(group)]
        for (n_jobs, callers), group in grouped(records, "n_jobs", "callers")
    ]
    rows.append(["all", "", len(records), different(records)])
    return table(["`n_jobs`", "callers at once", "fits", "different hashes"], rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    n = different(records)
    what = f"hashes of all parameters over {len(records)} fits on 1 to 8 threads"
    return [Bar(what, "1", str(n), n == 1)]
