"""Blaming the wrong attribute.

A tenth of a table is held out of the fit, and each of its records is given one wrong value. Such a
value is common (2 % of the fitted records or more, and no `?`), and it contradicts the record: with
at least one of the other values it never occurs in the fitted table, although the two would be
expected together five times or more if they had nothing to do with one another. Records that can
take no such value are left out. In generated tables (`make_rules`, 5,000 records) every attribute
is fixed by the record's rule to 4 of 20 values, and a value that contradicts is of another rule.

`Galileo(random_state=0).explain` blames the attribute of the greatest surprise; `blame` names,
where the record is unusual, the smallest sets of cells without which it is not. As a yardstick of
what can be known, a random forest for each attribute (scikit-learn, 100 trees, from all others as
columns of 0 and 1) blames the one of the greatest -log p, p being mixed with a thousandth of the
attribute's own distribution so that it is never zero. The bar is 95 %. Where a value contradicts
one other value only, either of the two may be the wrong one; so those that contradict several are
counted by themselves. In votes only one pair never occurs in the whole table: nearly all errors
there are of draws in which the one or two records that have the pair happen to be held out. BIC has
fewer components than AIC on small tables, and so less to go by.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from benchmarks import store
from benchmarks.blame_errors import Case, Ints, coded, planted
from benchmarks.common import Plan, Record, each
from benchmarks.common import load as load_paper
from benchmarks.render import grouped, mean, table
from galileomix import Galileo
from galileomix.datasets import make_rules
from galileomix.errors import GalileoWarning

Floats = npt.NDArray[np.float64]
Sets = list[list[tuple[str, ...]]]

PACKAGES = store.PACKAGES[:-1]
BAR = 0.95
DRAWS = {"mushroom": 1, "votes": 20, "soybean": 3, "zoo": 10, "rules": 1}
FOREST = "random forests"
METHODS = ("bic", "aic", FOREST)
ALONE = 0.001
COUNTS = ("errors", "first", "first_three", "unusual", "in_set", "several", "several_first")


def run(plan: Plan) -> list[Record]:
    """Let every method blame in every table."""
    settings = [
        {"name": name, "draw": draw, "method": method}
        for name, draws in DRAWS.items()
        for draw in range(plan.count(draws))
        for method in METHODS
        if name in plan.tables or name == "rules"
    ]
    return each(one, settings, plan.jobs)


def one(name: str, draw: int, method: str) -> Record:
    """Plant errors in one table, and count how often the right attribute is blamed."""
    case = planted(load(name, draw), draw)
    begun = time.perf_counter()
    surprise, sets = blamed(case, method) if len(case.where) else (np.empty(case.wrong.shape), [])
    wrong = case.wrong.columns[case.where]
    seconds = round(time.perf_counter() - begun, 3)
    mine = np.take_along_axis(surprise, case.where[:, None], axis=1)
    above = (surprise >= mine).sum(axis=1) - 1
    several = case.contradicted > 1
    return {
        "name": name,
        "draw": draw,
        "method": method,
        "n_rows": len(case.fitted),
        "errors": len(above),
        "first": int((above == 0).sum()),
        "first_three": int((above < 3).sum()),
        "unusual": sum(map(bool, sets)),
        "in_set": sum(any(wrong[n] in cells for cells in found) for n, found in enumerate(sets)),
        "several": int(several.sum()),
        "several_first": int((above[several] == 0).sum()),
        "seconds": seconds,
    }


def load(name: str, draw: int) -> pd.DataFrame:
    """Return a table of categories."""
    return make_rules(5_000, random_state=draw).data if name == "rules" else load_paper(name)


def blamed(case: Case, method: str) -> tuple[Floats, Sets]:
    """Return by one of the methods how surprising each cell of the wrong records is.

    And the smallest sets of cells to blame, if the method has such.
    """
    return (by_forests(case), []) if method == FOREST else by_galileo(case, method)


def by_galileo(case: Case, criterion: str) -> tuple[Floats, Sets]:
    """Return how surprising each cell of the wrong records is to our model, and the sets."""
    model = Galileo(criterion=criterion, random_state=0)
    with warnings.catch_warnings():
        # Columns of one value are as published.
        warnings.simplefilter("ignore", GalileoWarning)
        model.fit(case.fitted)
    return model.explain(case.wrong).surprise.to_numpy(), model.blame(case.wrong)


def by_forests(case: Case) -> Floats:
    """Return -log p of each cell of the wrong records, predicted from the others of its record."""
    n = len(case.fitted)
    codes, values, attribute = coded(pd.concat([case.fitted, case.wrong], ignore_index=True))
    cells = np.zeros((len(codes), len(values)))
    np.put_along_axis(cells, codes, 1.0, axis=1)
    columns = [
        surprise(cells[:, attribute != m], codes[:, m], n, len(values))
        for m in range(codes.shape[1])
    ]
    return np.column_stack(columns)


def surprise(others: Floats, codes: Ints, n: int, n_values: int) -> Floats:
    """Return -log p of one attribute in the records from the n-th, learnt from those before."""
    forest = RandomForestClassifier(random_state=0).fit(others[:n], codes[:n])
    p = np.zeros((len(codes) - n, n_values))
    p[:, forest.classes_] = forest.predict_proba(others[n:])
    # A value that the fitted records lack counts as one record.
    own = np.maximum(np.bincount(codes[:n], minlength=n_values), 1.0) / n
    mixed = (1.0 - ALONE) * p + ALONE * own
    return -np.log(np.take_along_axis(mixed, codes[n:, None], axis=1)[:, 0])


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["table", "fitted records", "draws", "errors", "blamed by", "first"]
    header += [
        "among the first three",
        "unusual",
        "of these in a smallest set",
        f"bar of {BAR:.0%}",
    ]
    header += ["contradict several", "of these first"]
    rows = [row(group) for _, group in grouped(records, "name", "method")]
    return table([*header, "mean time, s"], rows)


def _of_sets(total: dict[str, int]) -> list[str]:
    """Return how many errors made a record unusual, and how many of these the sets blame."""
    if not total.get("unusual"):
        return ["–", "–"]
    shares = (total["unusual"] / total["errors"], total["in_set"] / total["unusual"])
    return [f"{share:.1%}" for share in shares]


def row(group: list[Record]) -> list[str]:
    """Return the cells of one method on one table."""
    total = {key: sum(record[key] for record in group) for key in group[0] if key in COUNTS}
    first = total["first"] / total["errors"]
    method = group[0]["method"]
    return [
        group[0]["name"],
        str(group[0]["n_rows"]),
        str(len(group)),
        str(total["errors"]),
        method if method == FOREST else f"Galileo, {method}",
        f"{first:.1%}",
        f"{total['first_three'] / total['errors']:.1%}",
        *_of_sets(total),
        "met" if first >= BAR else "missed",
        str(total["several"]),
        f"{total['several_first'] / total['several']:.1%}" if total["several"] else "–",
        mean([record for record in group if record["errors"]], "seconds"),
    ]
