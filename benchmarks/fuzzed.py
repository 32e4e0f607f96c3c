"""Random tables, CSV files and model files.

`python -m benchmarks fuzz` puts cases that are known by a seed and a number to the laws of
`docs/design.md`, section 6: **tables** of up to 1,000 cells with weights and parameters (every
answer of the model that is fitted and its file; of one in four also a second fit, of rows in
another order, of columns where the search goes to its end, or of rows in the place of weights),
**CSV** files (read as pandas reads them) and **model** files (damage, or forgeries with the right
hash, of models of every estimator: loading takes 1 MiB and 16 bytes per byte of the file at most).
What is not *refused* in one line has to keep all laws. Each row is one call with `--record`, by the
code there was at that time; a law that is broken has the numbers of its cases in the output, and
stays in the table when it is mended. Seconds are those of the processor.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks import store
from benchmarks.common import Plan, Record
from benchmarks.render import table

JOBS = 1
PACKAGES = ("galileomix", "numpy", "numba", "pandas", "polars", "pyarrow", "safetensors")
RECORDS = Path(__file__).parent / "results" / "fuzzed.json"
CASES = {"table": 500, "csv": 2000, "model": 20_000}
QUICK = {"table": 5, "csv": 50, "model": 100}
LIMIT = 60.0
FEWEST = 3
"""Seeds, unless another number is asked for."""


def run(plan: Plan) -> list[Record]:
    """Run cases of all kinds, of some seeds."""
    from benchmarks.fuzz.run import fuzz

    return [
        fuzz(kind, seed, 0, count, LIMIT)
        for seed in range(plan.count(FEWEST))
        for kind, count in (QUICK if plan.quick else CASES).items()
    ]


def add_record(record: Record) -> None:
    """Keep what became of some cases, besides what was kept before."""
    kept = store.read(RECORDS)["records"] if RECORDS.exists() else []
    store.write(RECORDS, store.origin(Plan(jobs=JOBS), PACKAGES), [*kept, record])


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["kind", "seed", "cases", "refused", "kept all laws", "broke one", "slowest, seconds"]
    header += ["minutes"]
    rows = [
        [
            *(record["kind"], record["seed"], _cases(record), *_outcomes(record["outcomes"])),
            *(record["longest"], record["minutes"]),
        ]
        for record in records
    ]
    return table(header, rows)


def _cases(record: Record) -> str:
    first = record["first"]
    shown = f"{record['cases']:,}".replace(",", " ")
    return f"{shown} from {first} on" if first else shown


def _outcomes(outcomes: dict[str, int]) -> list[int]:
    """Return how many were refused, kept all laws, and broke one.

    >>> _outcomes({"refused": 3, "fitted": 5, "broken": 1})
    [3, 5, 1]
    """
    held = sum(outcomes.get(name, 0) for name in ("fitted", "read", "loaded"))
    return [outcomes.get("refused", 0), held, outcomes.get("broken", 0)]
