"""Passes over the data.

A default fit of the paper's tables, one thread: as it is; without leaps (SQUAREM's extrapolation,
each leap kept only if it climbs); with every candidate's prior phase run to 1e-7 of the objective,
as it once was, instead of 1e-5; and without giving up runs whose forecast stays below the champion.
"""

from __future__ import annotations

from typing import Any

from benchmarks.common import Plan, Record, criterion_value, each, load, log_likelihood, measure
from benchmarks.render import grouped, table
from benchmarks.speed.adapter import WITHOUT
from benchmarks.speed.bars import Bar
from galileomix import Galileo


def run(plan: Plan) -> list[Record]:
    """Fit the tables as it is, and without each of the savings."""
    settings = [{"name": name, "variant": variant} for name in plan.tables for variant in WITHOUT]
    return each(one, settings, 1)


def one(name: str, variant: str) -> Record:
    """Fit one table once."""
    data = load(name)
    model = Galileo(n_jobs=1, random_state=0)
    with WITHOUT[variant]():
        cost = measure(model, data)
    bic = criterion_value("bic", log_likelihood(model, data), model.n_components_, data)
    return {"name": name, "variant": variant} | cost | {"bic": round(bic, 3)}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows: list[list[Any]] = []
    for (name,), group in grouped(records, "name"):
        shown = dict.fromkeys(f"{record['bic']:.3f} at k = {record['k']}" for record in group)
        costs = [f"{record['passes']} ({record['seconds']:.2f} s)" for record in group]
        rows.append([name, *costs, " / ".join(shown)])
    return table(["table", *WITHOUT, "BIC"], rows)


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for: no more than a report."""
    return []
