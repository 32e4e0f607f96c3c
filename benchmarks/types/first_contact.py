"""What a default call says of seven well-known tables.

Each is a CSV as its package ships it (row names and all), given to `Galileo(random_state=0)` and
nothing else, but that the search ends after two minutes. A cluster is shown with its share of all
records, the name that `galileo fit` gives it, and how many times as dense it is as the whole table.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

from benchmarks.common import Plan, Record, each
from benchmarks.types.decisions import PACKAGES as PACKAGES
from benchmarks.types.tables import half, load, missing_text
from galileomix import Galileo

NAMES = (
    "penguins",
    "german",
    "titanic",
    "gss2010",
    "seattle-weather",
    "diamonds",
    "loans_full_schema",
)
LONGEST = 120.0
"""Seconds that a search may take."""
SHOWN = 8
"""Clusters of a table that are shown."""


def run(plan: Plan) -> list[Record]:
    """Fit every table."""
    names = NAMES[:1] if plan.quick else NAMES
    return each(one, [{"name": name} for name in names], plan.jobs)


def one(name: str) -> Record:
    """Fit one table, and keep what is said of it."""
    frame = load(name)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, f"{name}.csv")
        frame.to_csv(path, index=False, na_rep=missing_text(name))
        begun = time.perf_counter()
        model = Galileo(random_state=0, time_limit=LONGEST).fit(path)
    clusters = [
        {"share": round(found.weight, 6), "name": found.name, "density": found.relative_density}
        for found in model.components()
    ]
    return {
        "table": name,
        "half": half(name),
        "rows": len(frame),
        "types": dict(Counter(column.type for column in model.schema_.columns)),
        "seconds": round(time.perf_counter() - begun, 2),
        "passes": model.n_passes_,
        "clusters": clusters,
    }


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    return "\n\n".join(map(_shown, records))


def _shown(record: Record) -> str:
    types = ", ".join(f"{n} {kind}" for kind, n in record["types"].items())
    clusters = record["clusters"]
    lines = [f"- {one['share']:.0%}: {one['name']}" for one in clusters[:SHOWN]]
    more = [f"- and {len(clusters) - SHOWN} more"] if len(clusters) > SHOWN else []
    head = f"**{record['table']}**, {record['rows']} rows (columns: {types})"
    return "\n".join(
        [f"{head}: {len(clusters)} clusters in {record['seconds']:.1f} s.", "", *lines, *more]
    )
