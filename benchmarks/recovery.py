"""A model recovered from its own sample.

A model is fitted to a table, a million records are drawn from it, and a model of as many components
is fitted to these. Every weight and probability of the second is compared with that of the first,
in standard errors of a share among the records of its component. Where components overlap, who is
of which is not certain, and a fit cannot be as sure as that: there more than one such error is to
be expected. Values that neither has are not counted.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.common import Plan, Record, each, measure
from benchmarks.render import table
from galileomix import Galileo
from galileomix._model.params import Floats
from galileomix.datasets import load_votes, load_zoo, make_rules

TABLES = {
    "rules": lambda: make_rules(10_000, random_state=0).data,
    "zoo": lambda: load_zoo().data,
    "votes": lambda: load_votes().data,
}


def run(plan: Plan) -> list[Record]:
    """Recover the model of every table."""
    n_rows = 20_000 if plan.quick else 1_000_000
    return each(one, [{"name": name, "n_rows": n_rows} for name in TABLES], plan.jobs)


def one(name: str, n_rows: int) -> Record:
    """Fit a table, draw from the model, fit again."""
    truth = Galileo(random_state=0).fit(TABLES[name]())
    drawn, kind = truth.sample(n_rows)
    again = Galileo(truth.n_components_, random_state=0)
    cost = measure(again, drawn)
    order = pd.crosstab(kind, again.labels_).to_numpy().argmax(axis=1)
    away = errors(truth, again, order, n_rows) if again.n_components_ == len(order) else None
    return {"name": name, "n_rows": n_rows, "true_k": truth.n_components_} | cost | summary(away)


def errors(truth: Galileo, again: Galileo, order: np.ndarray, n_rows: int) -> Floats:
    """Return how many standard errors every figure is away."""
    alpha, found = truth.weights_, again.weights_[order]
    pairs = [(alpha, found, np.full(len(alpha), n_rows))]
    pairs += [
        (p, q, np.full(len(p), alpha[i] * n_rows))
        for i, j in enumerate(order)
        for p, q in shares(truth, again, i, int(j))
    ]
    p, q, n = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    counted = (p > 0) | (q > 0)
    p, q, n = p[counted], q[counted], n[counted]
    return np.abs(p - q) / np.sqrt(np.maximum(p * (1 - p), 1.0 / n) / n)


def shares(truth: Galileo, again: Galileo, i: int, j: int) -> list[tuple[Floats, Floats]]:
    """Return the distributions of one component of each, attribute by attribute."""
    here, there = (values_of(model, k) for model, k in ((truth, i), (again, j)))
    return [
        (np.array(list(mine.values())), np.array([there[name].get(v, 0.0) for v in mine]))
        for name, mine in here.items()
    ]


def values_of(model: Galileo, i: int) -> dict[str, dict[object, float]]:
    """Return the probabilities of one component, by attribute and value."""
    data = model.to_dict()
    p = np.array(data["arrays"]["k"][str(model.n_components_)]["p"])[:, i]
    found: dict[str, dict[object, float]] = {}
    first = 0
    for attribute in model.schema_.categorical:
        last = first + len(attribute.values)
        found[attribute.name] = dict(zip(attribute.values, p[first:last].tolist(), strict=True))
        first = last
    return found


def summary(away: Floats | None) -> Record:
    """Return what is shown of the errors."""
    if away is None:
        return {"figures": 0}
    return {
        "figures": len(away),
        "root_mean_square": round(float(np.sqrt((away**2).mean())), 3),
        "within_two": round(float((away < 2).mean()), 4),
        "worst": round(float(away.max()), 2),
    }


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["table", "records drawn", "k", "k found", "figures", "root mean square error"]
    header += ["within two errors", "worst", "time, s"]
    rows = [
        [
            record["name"],
            f"{record['n_rows']:,}".replace(",", " "),
            str(record["true_k"]),
            str(record["k"]),
            str(record["figures"]),
            f"{record.get('root_mean_square', float('nan')):.2f}",
            f"{record.get('within_two', float('nan')):.1%}",
            f"{record.get('worst', float('nan')):.1f}",
            f"{record['seconds']:.0f}",
        ]
        for record in records
    ]
    return table(header, rows)
