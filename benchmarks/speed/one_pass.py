"""One EM pass.

The shares of every record, the expected counts and the log-likelihood: 1 000 000 rows of 10
attributes of 20 values, 50 components, one thread. The roofline is the same pass written by hand in
C (`benchmarks/speed/roofline.c`), all components of a record in vector registers, built by gcc for
this processor in this run, the better of two vector widths; where there is no gcc it is a compiled
loop of the same loads and adds without exp. Unfused, every attribute is looked up by itself, as in
the roofline; fused, small attributes are looked up together, which is exact and what a fit does.

StepMix's time of one iteration is the difference between fits of few and of more iterations, so
that its preparations do not count. Both work on the largest table of that shape that StepMix can
take on this machine, a million rows at most; ours is the pass that most of a long fit consists of,
in single precision inside blocks, on as many threads.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.common import Plan, Record
from benchmarks.render import table
from benchmarks.speed import clock
from benchmarks.speed.adapter import (
    PRECISIONS,
    Precision,
    Shape,
    blocks_of,
    engine_pass,
    expect_pass,
    random_codes,
    random_mixture,
)
from benchmarks.speed.bars import Bar, ratio, thousands
from benchmarks.speed.fresh import in_new_process
from benchmarks.speed.peers import stepmix_seconds
from benchmarks.speed.roofline import rooflines

SMALLEST = 1000
FEW, MORE = 1, 5
BEYOND_STEPMIX = {1: 30.0, 2: 50.0}


def run(plan: Plan) -> list[Record]:
    """Measure a pass beside the roofline, then beside StepMix."""
    n_rows = 100_000 if plan.quick else 1_000_000
    # In a process of its own, since fusing is switched off and on there.
    beside_roofline = in_new_process(with_roofline, n_rows=n_rows, rounds=3 if plan.quick else 7)
    return beside_roofline["records"] + beside_stepmix(n_rows)


def with_roofline(n_rows: int, rounds: int) -> Record:
    """Measure our passes and the roofline's in turn."""
    shape = Shape(n_rows, 50)
    with tempfile.TemporaryDirectory() as folder:
        works: dict[tuple[str, str, bool, int], Callable[[], float]] = {
            ("roofline", precision, False, width): work
            for (precision, width), work in rooflines(shape, Path(folder)).items()
        }
        works |= {
            ("Galileo", precision, fused, 0): ours(shape, precision, fused)
            for precision in PRECISIONS
            for fused in (False, True)
        }
        least = clock.alternating(works, rounds)
    names = ("who", "precision", "fused", "width")
    records = [
        {"beside": "roofline"} | dict(zip(names, key, strict=True)) | cost(taken, shape)
        for key, taken in least.items()
    ]
    return {"records": records}


def ours(shape: Shape, precision: Precision, fused: bool) -> Callable[[], float]:
    """Return what measures our pass."""
    blocks, mixture = blocks_of(random_codes(shape)), random_mixture(shape)

    def measure() -> float:
        expect_pass(blocks, mixture, precision, fused)
        return clock.best(lambda: expect_pass(blocks, mixture, precision, fused), 2)

    return measure


def cost(seconds: float, shape: Shape) -> Record:
    """Return a time as it is and by the cell."""
    each = round(seconds / shape.cells * 1e9, 4)
    return {"n_rows": shape.n_rows, "seconds": round(seconds, 6), "ns_per_cell": each}


def beside_stepmix(n_rows: int) -> list[Record]:
    """Measure passes beside StepMix's, on half as many rows until it can."""
    while n_rows > SMALLEST:
        try:
            return in_new_process(with_stepmix, n_rows=n_rows)["records"]
        except subprocess.CalledProcessError:
            n_rows //= 2
    raise RuntimeError("StepMix fails on the smallest table too")


def with_stepmix(n_rows: int) -> Record:
    """Measure our pass and StepMix's iteration in turn, on one thread and on two."""
    shape = Shape(n_rows, 50)
    codes, mixture = random_codes(shape), random_mixture(shape)
    blocks = blocks_of(codes)
    table = codes.astype(np.intp)
    works: dict[tuple[str, int, int], Callable[[], float]] = {}
    for threads in (1, 2):
        work = engine_pass(blocks, mixture, threads)
        work()
        works["Galileo", threads, 1] = partial(clock.best, work, 3)
        for n in (FEW, MORE):
            works["StepMix", threads, n] = partial(stepmix_seconds, table, shape.k, threads, n)
    least = clock.alternating(works, 3)
    records: list[Record] = []
    for threads in (1, 2):
        # The difference of the best, not the best difference: that would be noise.
        theirs = (least["StepMix", threads, MORE] - least["StepMix", threads, FEW]) / (MORE - FEW)
        for who, taken in (("Galileo", least["Galileo", threads, 1]), ("StepMix", theirs)):
            said = {"beside": "StepMix", "who": who, "threads": threads}
            records.append(said | cost(taken, shape))
    return {"records": records}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    limit = limits(records)
    rows = [
        [
            record["who"],
            record["precision"],
            "fused" if record["fused"] else "unfused",
            f"{record['ns_per_cell']:.3f}",
            ratio(record["ns_per_cell"] / limit[record["precision"]]),
        ]
        for record in records
        if record["beside"] == "roofline" and not slower_width(record, limit)
    ]
    header = ["", "precision", "columns", "ns per cell", "of the roofline"]
    times = [
        [threads, *(f"{each:.3f}" for each in pair), ratio(pair[1] / pair[0])]
        for threads, pair in pairs(records).items()
    ]
    peers = table(["threads", "Galileo", "StepMix", "StepMix over Galileo"], times)
    here = f"Beside the roofline, on {rows_of(records, 'roofline')} rows:"
    there = f"Beside StepMix, on {rows_of(records, 'StepMix')} rows, ns per cell:"
    return "\n\n".join([here, table(header, rows), there, peers])


def rows_of(records: list[Record], beside: str) -> str:
    """Return how many rows a comparison was made on."""
    return thousands(next(each["n_rows"] for each in records if each["beside"] == beside))


def limits(records: list[Record]) -> dict[str, float]:
    """Return the roofline of each precision, the better of the vector widths."""
    least: dict[str, float] = {}
    for record in records:
        if record["who"] == "roofline":
            precision, taken = record["precision"], record["ns_per_cell"]
            least[precision] = min(taken, least.get(precision, taken))
    return least


def slower_width(record: Record, limit: dict[str, float]) -> bool:
    """Return whether the record is a roofline that another width beats."""
    return record["who"] == "roofline" and record["ns_per_cell"] > limit[record["precision"]]


def pairs(records: list[Record]) -> dict[int, tuple[float, float]]:
    """Return by threads what a cell takes us and StepMix."""
    found = {
        (record["who"], record["threads"]): record["ns_per_cell"]
        for record in records
        if record["beside"] == "StepMix"
    }
    return {n: (found["Galileo", n], found["StepMix", n]) for n in BEYOND_STEPMIX}


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    limit, found = limits(records), list[Bar]()
    for record in records:
        if record["who"] == "Galileo" and record["beside"] == "roofline" and not record["fused"]:
            times = record["ns_per_cell"] / limit[record["precision"]]
            what = f"one EM pass over the C roofline, unfused, {record['precision']} precision"
            found.append(Bar(what, "<= 1.5x", ratio(times), times <= 1.5))
    for threads, (own, theirs) in pairs(records).items():
        what = f"StepMix over one EM pass, {threads} thread{'s' if threads > 1 else ''}"
        least = BEYOND_STEPMIX[threads]
        found.append(Bar(what, f">= {least:.0f}x", ratio(theirs / own), theirs / own >= least))
    return found
