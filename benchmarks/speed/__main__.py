"""Measure how fast Galileo is, beside its peers, and write it into docs/performance.md.

Without names every benchmark is run, one after the other. What each measured is kept in
benchmarks/results.json as soon as it is done. With --quick the tables are small, are printed, and
no tracked file is touched: records and figure go to benchmarks/out/.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.pages import Page

# One thread in whatever library, unless a benchmark asks for more; before any is imported.
for _variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{_variable}_NUM_THREADS"] = "1"

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results.json"
FIGURE = ROOT / "docs" / "images" / "scaling.png"
OUT = ROOT / "benchmarks" / "out"
NAMES = (
    "one_pass",
    "whole_fit",
    "kmodes",
    "threads",
    "rows",
    "components",
    "memory",
    "larger",
    "same_bits",
    "start_up",
    "anomalies_command",
    "passes",
)
PACKAGES = (
    *("galileomix", "numpy", "numba", "scikit-learn", "stepmix", "kmodes"),
    *("pomegranate", "torch", "gcc"),
)


def main() -> None:
    """Parse the command line and do what it says."""
    asked = _parser().parse_args()
    page = performance_page()
    page.check(asked.names)
    names = asked.names or NAMES
    if asked.quick:
        run_quickly(page, names)
    elif asked.render:
        keep(page, kept_before())
    else:
        run(page, names)


def run(page: Page, names: tuple[str, ...]) -> None:
    """Run benchmarks; keep and show each as soon as it is done."""
    for name in names:
        kept = kept_before() | {name: measured(page, name, quick=False)}
        keep(page, {each: kept[each] for each in NAMES if each in kept})


def run_quickly(page: Page, names: tuple[str, ...]) -> None:
    """Run small benchmarks and print what they measured."""
    from benchmarks import store
    from benchmarks.speed import bars, figure

    kept: dict[str, Any] = {}
    for name in names:
        kept[name] = measured(page, name, quick=True)
        print(page.section(name, kept[name]), flush=True)
    print(f"## {bars.TITLE}\n\nOn small tables, so no judgement.\n\n{bars.render(page, kept)}")
    store.write_all(OUT / "speed.json", kept)
    figure.draw(kept, OUT / FIGURE.name)


def measured(page: Page, name: str, quick: bool) -> dict[str, Any]:
    """Run one benchmark; return its records, and where they were measured."""
    from benchmarks import store
    from benchmarks.common import Plan

    plan = Plan(quick=quick, jobs=1)
    origin = store.origin(plan, PACKAGES)
    begun = time.perf_counter()
    records = page.benchmark(name).run(plan)
    print(f"{name}: {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    if store.source() != origin["source"]:
        print(f"{name}: the source changed while it ran; run it again", file=sys.stderr)
    return origin | {"records": records}


def kept_before() -> dict[str, Any]:
    """Return what earlier runs kept."""
    from benchmarks import store

    return store.read(RESULTS) if RESULTS.exists() else {}


def keep(page: Page, kept: dict[str, Any]) -> None:
    """Write the records, the page and the figure."""
    from benchmarks import store
    from benchmarks.speed import bars, figure

    if kept:
        store.write_all(RESULTS, kept)
    figure.draw(kept, FIGURE)
    page.write(kept, [("bars", bars.TITLE, bars.render(page, kept))])


def performance_page() -> Page:
    """Return the page that these benchmarks fill."""
    from benchmarks.pages import Page
    from benchmarks.speed.bars import INTRO

    return Page("benchmarks.speed", NAMES, ROOT / "docs" / "performance.md", INTRO)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--quick", action="store_true", help="small tables, no tracked files")
    parser.add_argument("--render", action="store_true", help="only write page and figure again")
    return parser


if __name__ == "__main__":
    main()
