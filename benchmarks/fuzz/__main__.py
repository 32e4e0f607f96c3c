"""Put random tables, CSV files or model files to the laws that hold whatever they are.

Every case is known by the seed and its number, and is run in a process of its own with a limit of
time. What breaks a law is printed with the numbers that make it again.
"""

from __future__ import annotations

import argparse
import os
import sys

for _variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{_variable}_NUM_THREADS"] = "1"

SECONDS = 60.0
"""That one table of at most 1,000 cells may take, all laws together."""


def main(arguments: list[str] | None = None) -> None:
    """Run as many cases as were asked for; exit with 1 where a law was broken."""
    from benchmarks.fuzz.run import fuzz
    from benchmarks.fuzzed import add_record

    asked = _parser().parse_args(arguments)
    n_broken = 0
    for kind, count in (("table", asked.tables), ("csv", asked.csv), ("model", asked.models)):
        if count:
            record = fuzz(kind, asked.seed, asked.first, count, asked.seconds)
            n_broken += record["outcomes"].get("broken", 0)
            if asked.record:
                add_record(record)
    sys.exit(n_broken > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz", description=__doc__)
    parser.add_argument("--tables", type=int, default=0, help="how many tables")
    parser.add_argument("--csv", type=int, default=0, help="how many CSV files")
    parser.add_argument("--models", type=int, default=0, help="how many model files")
    parser.add_argument("--seed", type=int, default=0, help="what the cases are drawn from")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="that a case may take")
    parser.add_argument("--record", action="store_true", help="add it to docs/results.md")
    return parser


if __name__ == "__main__":
    main()
