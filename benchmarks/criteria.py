"""The least BIC and AIC.

The best values known come from this project's own searches; none is proven. A seed succeeds if it
comes within 0.1 of the best, and nearly so within 2. The agreement is the least adjusted Rand index
between the labels of any two seeds. StepMix is told the number of components of the best value and
given 20 starts of at most 1000 steps for each seed; the search as published begins with 30
components and centres from marginals. All values are computed by the same formula from the
log-likelihood of the table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sklearn.metrics import adjusted_rand_score

from benchmarks.common import Plan, Record, criterion_value, each, load, log_likelihood, measure
from benchmarks.render import grouped, mean, span, table, tally
from benchmarks.rivals import stepmix
from galileomix import Galileo

# The least value known, and its number of components.
BEST = {
    ("mushroom", "bic"): (164428.215, 18),
    ("mushroom", "aic"): (150731.141, 22),
    ("votes", "bic"): (9136.388, 4),
    ("votes", "aic"): (8379.586, 9),
    ("soybean", "bic"): (26889.121, 8),
    ("soybean", "aic"): (20775.491, 21),
    ("zoo", "bic"): (1710.556, 4),
    ("zoo", "aic"): (1367.053, 7),
}
# Twenty starts of StepMix take up to minutes each time, so it is given fewer seeds.
STEPMIX_SEEDS = {"mushroom": 1, "votes": 10, "soybean": 5, "zoo": 10}
SEARCHES = {"default": "default", "published": "as published", "stepmix": "StepMix, told k"}


def run(plan: Plan) -> list[Record]:
    """Fit the tables by every search from many seeds."""
    settings = [
        {"name": name, "criterion": criterion, "search": search, "seed": seed}
        for search in SEARCHES
        for name, criterion in BEST
        if name in plan.tables
        for seed in range(plan.count(50))
        if search != "stepmix" or seed < STEPMIX_SEEDS[name]
    ]
    records = each(one, settings, plan.jobs)
    for _, group in grouped(records, "name", "criterion", "search"):
        agreement = least_agreement([record.pop("labels") for record in group])
        for record, least in zip(group, agreement, strict=True):
            record["least_ari"] = least
    return records


def one(name: str, criterion: str, search: str, seed: int) -> Record:
    """Fit one table once."""
    data = load(name)
    if search == "stepmix":
        found = stepmix(data, BEST[name, criterion][1], seed)
    elif search == "published":
        found = ours(Galileo.as_published(30, criterion=criterion, random_state=seed), name)
    else:
        found = ours(Galileo(criterion=criterion, random_state=seed), name)
    value = criterion_value(criterion, found["log_likelihood"], found["k"], data)
    setting = {"name": name, "criterion": criterion, "search": search, "seed": seed}
    return setting | found | {"value": round(value, 6)}


def ours(model: Galileo, name: str) -> Record:
    """Fit our model to one table."""
    data = load(name)
    cost = measure(model, data)
    return cost | {"log_likelihood": log_likelihood(model, data), "labels": model.labels_}


def least_agreement(labels: list[npt.NDArray[np.intp]]) -> list[float]:
    """Return for each labelling the least adjusted Rand index to any of the others."""
    index = np.ones((len(labels), len(labels)))
    for i, first in enumerate(labels):
        for j in range(i):
            index[i, j] = index[j, i] = adjusted_rand_score(first, labels[j])
    return [round(float(least), 6) for least in index.min(axis=1)]


def render(records: list[Record]) -> str:
    """Show the records as Markdown: the default search, then the others."""
    best = {key: best_value(records, *key) for key in BEST}
    rows: dict[bool, list[list[str]]] = {True: [], False: []}
    for (name, criterion, search), group in grouped(records, "name", "criterion", "search"):
        row = summary(group, best[name, criterion])
        known = [
            f"{best[name, criterion]:.3f}" + (" (new)" if is_new(best, name, criterion) else "")
        ]
        middle = known if search == "default" else [SEARCHES[search]]
        rows[search == "default"].append([name, criterion.upper(), *middle, *row])
    rows[False].sort(key=lambda row: [*BEST].index((row[0], row[1].lower())))
    tail = ["within 0.1", "within 2", "values", "k", "agreement", "mean time, s", "mean passes"]
    parts = ["The default search:", table(["table", "criterion", "best", *tail], rows[True])]
    parts += ["The others:", table(["table", "criterion", "search", *tail], rows[False])]
    told = [record for record in records if record["search"] == "stepmix"]
    parts += [f"StepMix's best start had converged for {tally(told, has_converged)} seeds."]
    return "\n\n".join(parts)


def has_converged(record: Record) -> bool:
    """Return whether StepMix says that its best start converged."""
    return record["converged"]


def best_value(records: list[Record], name: str, criterion: str) -> float:
    """Return the least value known or found here."""
    known = BEST[name, criterion][0]
    found = [r["value"] for r in records if (r["name"], r["criterion"]) == (name, criterion)]
    # What was known is known to three digits.
    return min([known, *(value for value in found if value < known - 1e-3)])


def is_new(best: dict[tuple[str, str], float], name: str, criterion: str) -> bool:
    """Return whether a better value was found here than was known."""
    return best[name, criterion] < BEST[name, criterion][0]


def summary(group: list[Record], best: float) -> list[str]:
    """Return the cells that every search has."""
    return [
        tally(group, lambda record: record["value"] < best + 0.1),
        tally(group, lambda record: record["value"] < best + 2.0),
        span((record["value"] for record in group), ".3f"),
        span(record["k"] for record in group),
        f"{min(record['least_ari'] for record in group):.4f}",
        mean(group, "seconds"),
        mean(group, "passes", ".0f"),
    ]
