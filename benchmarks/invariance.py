"""Order and names should not matter.

Each table is fitted plainly (BIC), then with its rows shuffled, its values renamed, its columns
permuted, by several draws each. The labels are compared with those of the plain fit by the
adjusted Rand index, which is 1 for the same clusters.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.metrics import adjusted_rand_score

from benchmarks.common import Plan, Record, each, load, measure
from benchmarks.render import grouped, table, tally
from galileomix import Galileo


def shuffle_rows(data: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return the rows in another order; the index remembers their own."""
    return data.iloc[rng.permutation(len(data))]


def rename_values(data: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return the table with every value of every column under another name."""
    renamed = {}
    for column in data:
        code, values = pd.factorize(data[column], sort=True)
        names = np.array([f"value {i:03d}" for i in rng.permutation(len(values))])
        renamed[column] = names[code]
    return pd.DataFrame(renamed, index=data.index)


def permute_columns(data: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return the columns in another order."""
    return data.iloc[:, rng.permutation(data.shape[1])]


CHANGES: dict[str, Callable[[pd.DataFrame, np.random.Generator], pd.DataFrame]] = {
    "nothing": lambda data, rng: data,
    "rows shuffled": shuffle_rows,
    "values renamed": rename_values,
    "columns permuted": permute_columns,
}


def run(plan: Plan) -> list[Record]:
    """Fit every table plainly and changed, and compare the labels."""
    settings = [
        {"name": name, "change": change, "draw": draw}
        for name in plan.tables
        for change in CHANGES
        for draw in range(1 if change == "nothing" else plan.count(10))
    ]
    records = each(one, settings, plan.jobs)
    labels = [record.pop("labels") for record in records]
    plain = {r["name"]: own for r, own in zip(records, labels, strict=True) if not_changed(r)}
    for record, own in zip(records, labels, strict=True):
        record["ari"] = round(float(adjusted_rand_score(plain[record["name"]], own)), 9)
    return [record for record in records if not not_changed(record)]


def not_changed(record: Record) -> bool:
    """Return whether this is a plain fit."""
    return record["change"] == "nothing"


def one(name: str, change: str, draw: int) -> Record:
    """Fit one table once, changed; the labels come in the order of the plain table."""
    plain = load(name).reset_index(drop=True)
    data = CHANGES[change](plain, np.random.default_rng(draw))
    model = Galileo(random_state=0)
    cost = measure(model, data)
    labels = pd.Series(model.labels_, index=data.index).sort_index().to_numpy()
    return {"name": name, "change": change, "draw": draw} | cost | {"labels": labels}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            name,
            change,
            tally(group, lambda record: record["ari"] == 1),
            f"{min(record['ari'] for record in group):.4f}",
        ]
        for (name, change), group in grouped(records, "name", "change")
    ]
    return table(["table", "change", "the same clusters", "least adjusted Rand index"], rows)
