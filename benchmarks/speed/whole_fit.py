"""A whole fit.

`Galileo().fit`, which finds the number of components k* by itself and ends at the same BIC from
every seed, on one thread, beside what somebody with StepMix would do to be as sure: fit every size
that Galileo looked at, and each from enough random starts to reach the same BIC (within 0.1) in 99
sweeps of 100. How many that are follows from how many of its starts at k* reach it; where none
does, the ratio is a lower bound. One round is a sweep from one start per size. StepMix has its
default tolerances and one thread, and its table of integers is made before the clock starts;
Galileo's clock includes reading the frame. Half the budget goes to starts at k*; sizes that the
other half does not pay for are left out, to StepMix's advantage. The generated table is
`make_rules` with 5 rules.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence

import pandas as pd
from threadpoolctl import threadpool_limits

from benchmarks.common import Plan, Record, criterion_value, load, log_likelihood
from benchmarks.render import table
from benchmarks.speed import clock, peers
from benchmarks.speed.bars import Bar, ratio
from galileomix import Galileo
from galileomix.datasets import make_rules

BUDGET = 150.0
QUICK_BUDGET = 8.0
MOST_STARTS = 20
REACHED = 0.1
BEYOND_STEPMIX = 50.0


def run(plan: Plan) -> list[Record]:
    """Fit the tables by both."""
    names = ["votes", "generated"] if plan.quick else ["mushroom", "votes", "generated"]
    budget = QUICK_BUDGET if plan.quick else BUDGET
    Galileo(random_state=0).fit(load("zoo"))
    with threadpool_limits(1):
        return [beside(name, table_of(name, plan.quick), budget) for name in names]


def table_of(name: str, quick: bool) -> pd.DataFrame:
    """Return one of the tables."""
    if name != "generated":
        return load(name)
    return make_rules(10_000 if quick else 100_000, n_rules=5, random_state=0).data


def beside(name: str, data: pd.DataFrame, budget: float) -> Record:
    """Fit one table by ours, by StepMix, and by ours again."""
    model = Galileo(n_jobs=1, random_state=0)
    before = clock.best(lambda: model.fit(data), 2)
    k = model.n_components_
    target = criterion_value("bic", log_likelihood(model, data), k, data)
    print(f"whole_fit: {name}, k = {k}, {before:.2f} s", file=sys.stderr, flush=True)
    theirs = sweep(data, model.path_.sizes, k, target + REACHED, budget)
    seconds = min(before, clock.best(lambda: model.fit(data), 2))
    own = {"k": k, "bic": round(target, 3), "seconds": round(seconds, 4)}
    own |= {"passes": model.n_passes_}
    return {"name": name, "n_rows": len(data)} | own | {"budget": budget} | theirs


def sweep(data: pd.DataFrame, sizes: Sequence[int], k: int, target: float, budget: float) -> Record:
    """Say how long StepMix takes to reach the target at k, among all sizes, and be sure of it."""
    codes = peers.coded(data)
    seconds: list[float] = []
    values: list[float] = []
    while len(values) < MOST_STARTS and sum(seconds) < budget / 2:
        begun = time.perf_counter()
        fitted = peers.stepmix(codes, k, seed=len(values))
        seconds.append(time.perf_counter() - begun)
        likelihood = peers.stepmix_log_likelihood(fitted, codes)
        values.append(criterion_value("bic", likelihood, k, data))
    hits = sum(value <= target for value in values)
    one_round, timed = sum(seconds) / len(seconds), 1
    spent = sum(seconds)
    for size in sorted(set(sizes) - {k}):
        if spent < budget:
            took = clock.seconds(lambda size=size: peers.stepmix(codes, size, seed=0))
            one_round, spent, timed = one_round + took, spent + took, timed + 1
    starts = restarts(hits, len(values))
    return {
        "stepmix_bic": round(min(values), 3),
        "hits": hits,
        "tries": len(values),
        "restarts": starts,
        "sizes": len(sizes),
        "sizes_timed": timed,
        "round_seconds": round(one_round, 3),
        "stepmix_seconds": round(starts * one_round, 3),
    }


def restarts(hits: int, tries: int) -> int:
    """Return how many starts reach the target in 99 cases of 100; no more than tried if none did.

    >>> restarts(10, 20), restarts(20, 20), restarts(0, 20)
    (7, 1, 20)
    """
    if hits == 0:
        return tries
    return 1 if hits == tries else math.ceil(math.log(0.01) / math.log(1 - hits / tries))


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            f"{record['name']}, {record['n_rows']} rows",
            record["k"],
            f"{record['bic']:.1f}",
            f"{record['seconds']:.2f}",
            f"{record['stepmix_bic']:.1f}",
            f"{record['hits']} of {record['tries']}",
            record["restarts"],
            f"{record['round_seconds']:.1f} ({record['sizes_timed']} of {record['sizes']} sizes)",
            found(record),
        ]
        for record in records
    ]
    header = [
        "table",
        "k*",
        "BIC",
        "Galileo, s",
        "StepMix's best BIC at k*",
        "starts that reach it",
    ]
    return table([*header, "starts needed", "one round, s", "StepMix over Galileo"], rows)


def found(record: Record) -> str:
    """Return the ratio, or what it is at least."""
    times = ratio(record["stepmix_seconds"] / record["seconds"])
    return times if record["hits"] else f"more than {times}"


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    return [
        Bar(
            f"StepMix to the same BIC over a whole default fit, {record['name']}",
            f">= {BEYOND_STEPMIX:.0f}x",
            found(record),
            record["stepmix_seconds"] / record["seconds"] >= BEYOND_STEPMIX,
        )
        for record in records
    ]
