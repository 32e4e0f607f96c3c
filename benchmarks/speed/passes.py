"""Passes over the data.

A default fit of the paper's tables, one thread, with leaps (SQUAREM's extrapolation, each leap kept
only if it climbs) and without.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from benchmarks.common import Plan, Record, criterion_value, each, load, log_likelihood, measure
from benchmarks.render import grouped, table
from benchmarks.speed.adapter import without_leaps
from benchmarks.speed.bars import Bar, ratio
from galileomix import Galileo


def run(plan: Plan) -> list[Record]:
    """Fit the tables with leaps and without."""
    settings = [{"name": name, "leaps": leaps} for name in plan.tables for leaps in (True, False)]
    return each(one, settings, 1)


def one(name: str, leaps: bool) -> Record:
    """Fit one table once."""
    data = load(name)
    model = Galileo(n_jobs=1, random_state=0)
    with nullcontext() if leaps else without_leaps():
        cost = measure(model, data)
    bic = criterion_value("bic", log_likelihood(model, data), model.n_components_, data)
    return {"name": name, "leaps": leaps} | cost | {"bic": round(bic, 3)}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows: list[list[Any]] = []
    for (name,), (having, lacking) in grouped(records, "name"):
        shown = [f"{record['bic']:.3f} at k = {record['k']}" for record in (having, lacking)]
        rows.append(
            [
                name,
                having["passes"],
                lacking["passes"],
                ratio(lacking["passes"] / having["passes"]),
                f"{having['seconds']:.2f}",
                f"{lacking['seconds']:.2f}",
                " / ".join(dict.fromkeys(shown)),
            ]
        )
    header = ["table", "passes with leaps", "without", "fewer", "time with, s", "without, s", "BIC"]
    return table(header, rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for: no more than a report."""
    return []
