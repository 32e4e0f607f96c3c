"""Two threads over one.

An EM pass over 10 attributes of 20 values, 20 components, the two measured in turn. What the
machine has to give is measured by the roofline of the first section: two such programs at once do
so many times the work of one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.common import Plan, Record
from benchmarks.render import table
from benchmarks.speed import clock
from benchmarks.speed.adapter import Shape, blocks_of, engine_pass, random_codes, random_mixture
from benchmarks.speed.bars import Bar, ratio, thousands
from benchmarks.speed.roofline import WIDTHS, has_gcc, rooflines

FASTER = 1.8
ROUNDS = 9


def run(plan: Plan) -> list[Record]:
    """Measure tables of several sizes."""
    sizes = [300_000] if plan.quick else [1_000_000, 4_000_000]
    return [one(n_rows) for n_rows in sizes]


def one(n_rows: int) -> Record:
    """Measure one table on one thread and on two."""
    shape = Shape(n_rows, 20)
    blocks, mixture = blocks_of(random_codes(shape)), random_mixture(shape)
    works: dict[int | str, Callable[[], float]] = {}
    for threads in (1, 2):
        work = engine_pass(blocks, mixture, threads)
        work()
        works[threads] = partial(clock.seconds, work)
    with tempfile.TemporaryDirectory() as folder:
        program = rooflines(shape, Path(folder))["double", WIDTHS[0]] if has_gcc() else None
        if program:
            works |= {"program": program, "programs": partial(at_once, program)}
        least = clock.alternating(works, ROUNDS)
    found = {"n_rows": n_rows, "one": round(least[1], 6), "two": round(least[2], 6)}
    machine = round(2 * least["program"] / least["programs"], 3) if program else None
    return found | {"machine": machine}


def at_once(program: Callable[[], float]) -> float:
    """Run a program twice at once; return the time of the slower."""
    with ThreadPoolExecutor(2) as pool:
        return max(pool.map(lambda _: program(), range(2)))


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            thousands(each["n_rows"]),
            f"{each['one'] * 1000:.1f}",
            f"{each['two'] * 1000:.1f}",
            ratio(each["one"] / each["two"]),
            ratio(each["machine"]) if each["machine"] else "–",
        ]
        for each in records
    ]
    header = ["rows", "one thread, ms", "two threads, ms", "faster", "two programs over one"]
    return table(header, rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    return [
        Bar(
            f"two threads over one, {thousands(each['n_rows'])} rows",
            f">= {FASTER}x",
            ratio(each["one"] / each["two"])
            + (f" (the machine: {ratio(each['machine'])})" if each["machine"] else ""),
            each["one"] / each["two"] >= FASTER,
        )
        for each in records
    ]
