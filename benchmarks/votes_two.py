"""Votes at two components, and the path to them.

The default search on votes, then `model.at(2)`. The paper's category utility there, 1.4686,
belongs to the log-likelihood -4464.8. Along a path the log-likelihood should never fall as
components are added.
"""

from __future__ import annotations

import numpy as np

from benchmarks.common import Plan, Record, each, load, log_likelihood, measure
from benchmarks.render import mean, span, table, tally
from galileomix import Galileo
from galileomix.metrics import category_utility


def run(plan: Plan) -> list[Record]:
    """Fit votes from many seeds."""
    return each(one, [{"seed": seed} for seed in range(plan.count(50))], plan.jobs)


def one(seed: int) -> Record:
    """Fit votes once and look at two components."""
    data = load("votes")
    model = Galileo(random_state=seed)
    cost = measure(model, data)
    two = model.at(2)
    along = model.path_.to_frame().sort_values("k")["log_likelihood"].to_numpy()
    return (
        {"seed": seed}
        | cost
        | {
            "log_likelihood": log_likelihood(two, data),
            "category_utility": category_utility(data, two.predict(data)),
            "path_rises": bool(np.all(np.diff(along) >= -1e-6 * np.abs(along[1:]))),
            "path_length": len(along),
        }
    )


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            "log-likelihood -4464.8",
            tally(records, lambda record: abs(record["log_likelihood"] + 4464.8) < 0.05),
            span((record["log_likelihood"] for record in records), ".1f"),
        ],
        [
            "category utility 1.4686",
            tally(records, lambda record: abs(record["category_utility"] - 1.4686) < 5e-5),
            span((record["category_utility"] for record in records), ".4f"),
        ],
        [
            "log-likelihood never falls with k",
            tally(records, lambda record: record["path_rises"]),
            f"{mean(records, 'path_length', '.0f')} sizes on a path, on average",
        ],
    ]
    return table(["", "seeds", "found"], rows)
