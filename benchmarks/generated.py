"""Generated tables with a known truth.

`make_rules`: 5 rules over 10 attributes of 20 values each, fitted by default. A draw succeeds if
the number of components is right and the labels are those of the rules (adjusted Rand index over
0.999).
"""

from __future__ import annotations

from sklearn.metrics import adjusted_rand_score

from benchmarks.common import Plan, Record, each, measure
from benchmarks.render import grouped, mean, table, tally
from galileomix import Galileo
from galileomix.datasets import make_rules


def run(plan: Plan) -> list[Record]:
    """Fit tables of several sizes, several draws each."""
    settings = [
        {"n_rows": n_rows, "draw": draw}
        for n_rows in ([1_000] if plan.quick else [1_000, 10_000, 100_000])
        for draw in range(plan.count(20))
    ]
    return each(one, settings, plan.jobs)


def one(n_rows: int, draw: int) -> Record:
    """Make one table and fit it."""
    made = make_rules(n_rows, n_rules=5, n_attributes=10, n_values=20, random_state=draw)
    model = Galileo(random_state=draw)
    cost = measure(model, made.data)
    ari = float(adjusted_rand_score(made.target, model.labels_))
    return {"n_rows": n_rows, "draw": draw} | cost | {"ari": round(ari, 9)}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            f"{n_rows:,}".replace(",", " "),
            tally(group, lambda record: record["k"] == 5),
            tally(group, lambda record: record["k"] == 5 and record["ari"] > 0.999),
            f"{min(record['ari'] for record in group):.4f}",
            mean(group, "seconds"),
            mean(group, "passes", ".0f"),
        ]
        for (n_rows,), group in grouped(records, "n_rows")
    ]
    header = ["records", "k = 5", "and the rules' labels", "least adjusted Rand index"]
    return table([*header, "mean time, s", "mean passes over the data"], rows)
