"""Run benchmarks, keep what they measured, and write it into docs/results.md.

Without names every benchmark is run. Each keeps its records in benchmarks/results/NAME.json as
soon as it is done; with --quick they go to benchmarks/out/ and the tables to stdout instead.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

# One thread per process, in whatever library; before any of them is imported.
for _variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{_variable}_NUM_THREADS"] = "1"

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
OUT = ROOT / "benchmarks" / "out"
PAGE = ROOT / "docs" / "results.md"
NAMES = (
    "density",
    "published",
    "votes_two",
    "criteria",
    "invariance",
    "generated",
    "default_fit",
)


def main() -> None:
    """Parse the command line and do what it says."""
    asked = _parser().parse_args()
    unknown = sorted(set(asked.names) - set(NAMES))
    if unknown:
        raise SystemExit(
            f"no benchmark is called {', '.join(unknown)}; there are {', '.join(NAMES)}"
        )
    for name in () if asked.render else asked.names or NAMES:
        run(name, asked.seeds, asked.quick, asked.jobs)
    if asked.render:
        write_page()


def run(name: str, seeds: int | None, quick: bool, jobs: int) -> None:
    """Run one benchmark and keep its records."""
    from benchmarks import store
    from benchmarks.common import Plan

    # A benchmark of time may insist on running alone.
    plan = Plan(seeds, quick, getattr(benchmark(name), "JOBS", jobs))
    path = (OUT if quick else RESULTS) / f"{name}.json"
    origin = store.origin(plan)
    store.write(path, origin, benchmark(name).run(plan))
    if store.source() != origin["source"]:
        print(f"{name}: the source changed while it ran; run it again", file=sys.stderr)
    if quick:
        print(f"## {title(name)}\n\n{body(name, path)}\n", flush=True)
    else:
        write_page()


def write_page() -> None:
    """Write the kept records into docs/results.md."""
    from benchmarks.render import INTRO, placed

    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else INTRO
    for name in NAMES:
        kept = RESULTS / f"{name}.json"
        page = placed(page, name, title(name), body(name, kept) if kept.exists() else "")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page, encoding="utf-8")


def body(name: str, path: Path) -> str:
    """Return the section of one benchmark: what it does, what it measured, and where."""
    from benchmarks import store

    kept = json.loads(path.read_text(encoding="utf-8"))
    about = (benchmark(name).__doc__ or "").partition("\n")[2].strip()
    return "\n\n".join([about, benchmark(name).render(kept["records"]), store.caption(kept)])


def title(name: str) -> str:
    """Return the first line of the benchmark's docstring."""
    return (benchmark(name).__doc__ or name).partition("\n")[0].rstrip(".")


def benchmark(name: str) -> ModuleType:
    """Return the module of a benchmark: `run(plan)` measures, `render(records)` shows."""
    return import_module(f"benchmarks.{name}")


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
