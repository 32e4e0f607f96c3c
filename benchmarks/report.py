"""Reports: how long they take, how large they are, how soon they open.

`fit` and then `report` with the fitted table, warm; the time of a report is compared with that of
its fit, and has to be a fifth of it at most on mushroom. The page is opened in a headless Chromium
from a file; seconds are from the beginning of the navigation until it is drawn, the median of five.
The last row is more than the largest that is promised, under 5 MB and two seconds: a model of 211
clusters and 200 columns, fitted to 4,400 rows by annealing alone, which is quick, and its report
with a table of a million rows.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd

from benchmarks.browser import SETTLED, chromium
from benchmarks.common import Plan, Record, load
from benchmarks.render import mean, span, table
from galileomix import Galileo
from galileomix._report import Report

JOBS = 1
PACKAGES = ("galileomix", "numpy", "jinja2", "playwright")
LARGEST = "200 columns, 1,000,000 rows"
ANNEALED = {"max_components": 300, "n_components": 211, "refine": False, "step_root": 1.5}
"""A size that the schedule visits."""
OPENED = 5


def run(plan: Plan) -> list[Record]:
    """Measure reports of the paper's tables, and of the largest model that is promised."""
    Galileo(random_state=0).fit(load("zoo")).report(
        load("zoo")
    )  # what is compiled or imported once
    records = [measured(name, seed) for name in plan.tables for seed in range(plan.count(3))]
    return records if plan.quick else [*records, largest()]


def measured(name: str, seed: int) -> Record:
    """Fit one of the paper's tables and make its report."""
    begun = time.perf_counter()
    model = Galileo(random_state=seed).fit(load(name))
    fitted = time.perf_counter()
    report = model.report(load(name), name=name)
    ended = time.perf_counter()
    times = {"fit_seconds": fitted - begun, "report_seconds": ended - fitted}
    return {"name": name, "k": model.n_components_, **times, **opened(report)}


def largest() -> Record:
    """Make a report of more than 200 clusters, 200 columns and a million rows."""
    rng = np.random.default_rng(0)
    letters = rng.integers(0, 6, (220, 200))
    model = Galileo(**ANNEALED, random_state=0).fit(records_of(letters, 4_400, rng))
    rows = records_of(letters, 1_000_000, rng)
    begun = time.perf_counter()
    report = model.report(rows, name=LARGEST)
    seconds = time.perf_counter() - begun
    return {"name": LARGEST, "k": model.n_components_, "report_seconds": seconds, **opened(report)}


def records_of(letters: np.ndarray, n_rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw records of clusters that are words, one letter in ten another."""
    label = np.arange(n_rows) % len(letters)
    columns = {}
    for column in range(letters.shape[1]):
        noise = rng.integers(0, 6, n_rows)
        codes = np.where(rng.random(n_rows) < 0.1, noise, letters[label, column])
        columns[f"column {column}"] = pd.Categorical.from_codes(codes, list("abcdef"))
    return pd.DataFrame(columns)


def opened(report: Report) -> Record:
    """Open a report in a browser, several times."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        path = Path(folder) / "report.html"
        report.save(path)
        seconds = []
        for _ in range(OPENED):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(path.as_uri())
            seconds.append(page.evaluate(SETTLED) / 1000)
            page.close()
        found = {"bytes": path.stat().st_size, "open_seconds": median(seconds)}
    print(f"benchmarks.report: {found}", file=sys.stderr, flush=True)
    return found


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["table", "clusters", "fit, s", "report, s", "share of the fit", "MB", "opens in, s"]
    names = list(dict.fromkeys(record["name"] for record in records))
    return table(header, [row([r for r in records if r["name"] == name]) for name in names])


def row(group: list[Record]) -> list[str]:
    """Return the cells of one table."""
    shares = [r["report_seconds"] / r["fit_seconds"] for r in group if "fit_seconds" in r]
    return [
        group[0]["name"],
        span(record["k"] for record in group),
        mean(group, "fit_seconds"),
        mean(group, "report_seconds"),
        span(shares, ".0%") if shares else "–",
        mean([{"size": record["bytes"] / 1e6} for record in group], "size"),
        mean(group, "open_seconds"),
    ]
