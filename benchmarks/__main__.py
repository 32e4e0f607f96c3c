"""Run benchmarks, keep what they measured, and write it into docs/results.md.

Without names every benchmark is run. Each keeps its records in benchmarks/results/NAME.json as
soon as it is done; with --quick they go to benchmarks/out/ and the tables to stdout instead.
`fuzz` has options of its own (`python -m benchmarks fuzz --help`), and so has `soak --minutes M`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.pages import Page

# One thread per process, in whatever library; before any of them is imported.
for _variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{_variable}_NUM_THREADS"] = "1"

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
OUT = ROOT / "benchmarks" / "out"
NAMES = (
    "density",
    "published",
    "votes_two",
    "criteria",
    "search",
    "effort",
    "time_left",
    "million",
    "invariance",
    "generated",
    "mixed",
    "numeric",
    "surveys",
    "default_fit",
    "anomalies",
    "wrong_cells",
    "blame",
    "heldout",
    "imputation",
    "classification",
    "recovery",
    "modelfiles",
    "fuzzed",
    "soak",
    "wide",
    "signals",
    "interrupts",
    "report",
    "coolcat",
    "side_by_side",
    "quality",
    "types.decisions",
    "types.default_calls",
    "types.first_contact",
    "rock",  # last, because it needs R
)


def main() -> None:
    """Parse the command line and do what it says."""
    if sys.argv[1:2] == ["fuzz"]:  # which has options of its own
        from benchmarks.fuzz.__main__ import main as fuzz

        fuzz(sys.argv[2:])
    if sys.argv[1:2] == ["soak"] and "--minutes" in sys.argv:
        from benchmarks.soak import main as soak

        soak(sys.argv[2:])
    asked = _parser().parse_args()
    page = results_page()
    page.check(asked.names)
    for name in () if asked.render else asked.names or NAMES:
        run(page, name, asked.seeds, asked.quick, asked.jobs)
    if asked.render:
        write_page(page)


def run(page: Page, name: str, seeds: int | None, quick: bool, jobs: int) -> None:
    """Run one benchmark and keep its records."""
    from benchmarks import store
    from benchmarks.common import Plan

    # A benchmark of time may insist on running alone.
    benchmark = page.benchmark(name)
    plan = Plan(seeds, quick, getattr(benchmark, "JOBS", jobs))
    path = (OUT if quick else RESULTS) / f"{name}.json"
    origin = store.origin(plan, getattr(benchmark, "PACKAGES", store.PACKAGES))
    store.write(path, origin, benchmark.run(plan))
    if store.source() != origin["source"]:
        print(f"{name}: the source changed while it ran; run it again", file=sys.stderr)
    if quick:
        print(page.section(name, store.read(path)), flush=True)
    else:
        write_page(page)


def write_page(page: Page) -> None:
    """Write the kept records into docs/results.md, and draw what has a picture."""
    from benchmarks import store

    paths = {name: RESULTS / f"{name}.json" for name in NAMES}
    kept = {name: store.read(path) for name, path in paths.items() if path.exists()}
    for name, measured in kept.items():
        draw = getattr(page.benchmark(name), "draw", None)
        if draw is not None:
            draw(measured["records"])
    page.write(kept)


def results_page() -> Page:
    """Return the page that these benchmarks fill."""
    from benchmarks.pages import Page
    from benchmarks.render import INTRO

    return Page("benchmarks", NAMES, ROOT / "docs" / "results.md", INTRO)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--seeds", type=int, help="seeds per setting (most benchmarks: 50)")
    parser.add_argument("--quick", action="store_true", help="two seeds, small tables, no files")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (default: 2)")
    parser.add_argument("--render", action="store_true", help="only write docs/results.md again")
    return parser


if __name__ == "__main__":
    main()
