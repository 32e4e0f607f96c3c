"""Time against the number of rows.

EM passes over 10 attributes of 20 values, 20 components, one thread; short passes are measured many
in a row. The slope is that of the straight line through the logarithms, with its standard error: 1
is linear.
"""

from __future__ import annotations

import math
import sys

from benchmarks.common import Plan, Record
from benchmarks.render import table
from benchmarks.speed import clock
from benchmarks.speed.adapter import Shape, blocks_of, engine_pass, random_codes, random_mixture
from benchmarks.speed.bars import Bar, thousands
from benchmarks.speed.slope import Power, fit_power

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
ROWS_MEASURED = 1_000_000
"""In one timing, at least: so many rows take long enough to be measured well."""
REPEATS = 7


def run(plan: Plan) -> list[Record]:
    """Measure a pass over ever more rows."""
    return [one(n_rows) for n_rows in SIZES if n_rows <= 1_000_000 or not plan.quick]


def one(n_rows: int) -> Record:
    """Measure one size."""
    shape = Shape(n_rows, 20)
    work = engine_pass(blocks_of(random_codes(shape)), random_mixture(shape), 1)
    work()
    seconds = clock.best(work, REPEATS, math.ceil(ROWS_MEASURED / n_rows))
    print(f"rows: {n_rows}, {seconds:.4f} s", file=sys.stderr, flush=True)
    each = round(seconds / shape.cells * 1e9, 4)
    return {"n_rows": n_rows, "seconds": seconds, "ns_per_cell": each}


def slope(records: list[Record]) -> Power:
    """Return the power of the number of rows that the time follows."""
    return fit_power([each["n_rows"] for each in records], [each["seconds"] for each in records])


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [thousands(each["n_rows"]), f"{each['seconds'] * 1000:.2f}", f"{each['ns_per_cell']:.3f}"]
        for each in records
    ]
    figure = "![Time of an EM pass against the number of rows](images/scaling.png)"
    shown = table(["rows", "one pass, ms", "ns per cell"], rows)
    return "\n\n".join([shown, f"Slope {slope(records)}.", figure])


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    power = slope(records)
    met = abs(power.exponent - 1) <= 0.05
    return [Bar("slope of time against rows", "1.00 ± 0.05", str(power), met)]
