"""The default call, beside a call with the types that a person wrote down.

Each table is a CSV of at most 1500 rows, drawn once. Two thirds are fitted by a default call,
and again with `categorical=`, `numeric=` and `drop=` as written in `benchmarks/types/types.toml`
(dates are decided in both calls; of two equally good types the first is given). A class of records
is left out of both. On the other third the two are compared by what both model alike: the
log-likelihood of those cells of a record whose column has the same type in both, with every
component shrunk towards all records by one record, in nats per cell. One hundredth of a nat is a
density that is 1 % lower. Where both calls have the same types they are the same fit, and are not
repeated.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import logsumexp
from sklearn.metrics import adjusted_rand_score

from benchmarks.common import Plan, Record, each
from benchmarks.render import grouped, table
from benchmarks.types.decisions import PACKAGES as PACKAGES
from benchmarks.types.decisions import first_line, schema_of
from benchmarks.types.tables import NAMES, half, load, missing_text
from benchmarks.types.written import written_types
from galileomix import Galileo
from galileomix._estimators import parameters
from galileomix._kernels import KERNEL
from galileomix._table import Attribute, Block, Categorical, Schema
from galileomix.errors import GalileoError

MOST = 1_500
WORSE = 0.01
"""Nats per cell, or of the adjusted Rand index, by which a default call may be worse."""
CLASSES = {
    "biopsy": "class",
    "breast_cancer": "target",
    "german": "class",
    "Hawks": "Species",
    "penguins": "species",
    "penguins_raw": "Species",
    "wine": "target",
}
"""The classes of records, which say what clusters there may be."""


def run(plan: Plan) -> list[Record]:
    """Fit every table both ways."""
    names = NAMES[:8] if plan.quick else NAMES
    return each(one, [{"name": name} for name in names], plan.jobs)


def one(name: str) -> Record:
    """Fit one table both ways, and compare."""
    frame = drawn(name)
    classes = frame.pop(CLASSES[name]) if name in CLASSES else None
    last = len(frame) * 2 // 3
    known = {"table": name, "half": half(name), "rows": len(frame), "columns": frame.shape[1]}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted, others = Path(folder, "fitted.csv"), Path(folder, "others.csv")
        for path, part in ((fitted, frame[:last]), (others, frame[last:])):
            part.to_csv(path, index=False, na_rep=missing_text(name))
        try:
            return known | compared(
                name, fitted, others, None if classes is None else classes[last:]
            )
        except GalileoError as error:
            return known | {"error": first_line(error, fitted)}


def drawn(name: str) -> pd.DataFrame:
    """Return at most so many rows of a table, always the same and in the same random order."""
    frame = load(name)
    return frame.sample(min(MOST, len(frame)), random_state=0)


def compared(name: str, fitted: Path, others: Path, classes: pd.Series | None) -> Record:
    """Return what the default call finds, and a call with the written types."""
    given = settings(name)
    default, seconds = timed_fit(fitted)
    other = schema_of(fitted, **given)
    shared = shared_names(default.schema_, other)
    same = len(shared) == default.schema_.n_attributes == other.n_attributes
    by_hand = default if same else timed_fit(fitted, **given)[0]
    found = [measured(model, others, shared, classes) for model in (default, by_hand)]
    cells = max(1, len(shared))
    return {
        "seconds": seconds,
        "same": same,
        "shared": len(shared),
        "k": [model.n_components_ for model in (default, by_hand)],
        "gain": round((found[0]["log_likelihood"] - found[1]["log_likelihood"]) / cells, 6),
        "ari": [part["ari"] for part in found],
    }


def shared_names(default: Schema, by_hand: Schema) -> set[str]:
    """Return the attributes that are modelled alike: equal numbers, or as many categories."""
    others = {attribute.name: attribute for attribute in by_hand.attributes}
    return {
        attribute.name
        for attribute in default.attributes
        if _alike(attribute, others.get(attribute.name))
    }


def _alike(one: Attribute, other: Attribute | None) -> bool:
    if isinstance(one, Categorical) and isinstance(other, Categorical):
        return len(one.values) == len(other.values)  # 1 and 1.0 are the same category
    return one == other


def settings(name: str) -> Record:
    """Return the written types as parameters of `Galileo`; dates are left to be decided."""
    first = {column: types[0] for column, types in written_types(name).items()}
    first.pop(CLASSES.get(name, ""), None)
    named: dict[str, tuple[str, ...]] = {
        "categorical": ("category", "ordered"),
        "numeric": ("number",),
        "drop": ("identifier", "text"),
    }
    return {
        parameter: [column for column, written in first.items() if written in types]
        for parameter, types in named.items()
    }


def timed_fit(path: Path, **given: Any) -> tuple[Galileo, float]:
    """Return a fitted model and the seconds that it took."""
    begun = time.perf_counter()
    model = Galileo(random_state=0, **given).fit(path)
    return model, round(time.perf_counter() - begun, 3)


def measured(model: Galileo, path: Path, shared: set[str], classes: pd.Series | None) -> Record:
    """Return the mean log-likelihood of the shared cells, and the index with the classes."""
    judge = model._model.judge()
    scores = [
        logsumexp(KERNEL.log_joint(only(block, model.schema_, shared), judge.mixture), axis=1)
        for block in parameters.new_table(model, path).blocks()
    ]
    ari = None if classes is None else adjusted_rand_score(classes, model.predict(path))
    return {
        "log_likelihood": float(np.concatenate(scores).mean()),
        "ari": None if ari is None else round(float(ari), 4),
    }


def only(block: Block, schema: Schema, shared: set[str]) -> Block:
    """Return a block in which all cells but those of some attributes are missing."""
    codes, numbers = block.codes.copy(), block.numbers.copy()
    for attribute, place in zip(schema.attributes, schema.places, strict=True):
        if attribute.name in shared:
            continue
        if place.code is not None:
            codes[:, place.code] = schema.cardinalities[place.code]
        if place.number is not None:
            numbers[:, place.number] = np.nan
    return Block(codes, numbers, block.weights)


def render(records: list[Record]) -> str:
    """Show both halves, and every table in which the calls differ."""
    header = [
        "half",
        "tables",
        "refused",
        "one cluster",
        "one cluster, where types by hand find more",
    ]
    header += ["worse by more than 1 %", "better by more than 1 %", "seconds, all"]
    rows = sorted(_summary(str(name), group) for (name,), group in grouped(records, "half"))
    header_of_tables = ["half", "table", "rows", "columns", "alike", "k", "k, by hand"]
    header_of_tables += ["nats per cell less by hand", "Rand index", "Rand index, by hand"]
    different = [_row(record) for record in records if not record.get("same")]
    parts = [table(header, rows), "The tables in which the two calls differ:"]
    return "\n\n".join([*parts, table(header_of_tables, sorted(different))])


def one_cluster(record: Record) -> bool:
    """Return whether the default call finds one cluster where types by hand find more."""
    return record["k"][0] == 1 < record["k"][1]


def differences(record: Record) -> list[float]:
    """Return by how much the default call is better, in nats per cell and in the index."""
    ours, by_hand = record["ari"]
    return [record["gain"], *([] if ours is None else [ours - by_hand])]


def _summary(name: str, group: list[Record]) -> list[str]:
    done = [record for record in group if "error" not in record]
    counts = [
        len(group),
        len(group) - len(done),
        sum(record["k"][0] == 1 for record in done),
        sum(map(one_cluster, done)),
        sum(min(differences(record)) < -WORSE for record in done),
        sum(max(differences(record)) > WORSE for record in done),
    ]
    return [name, *map(str, counts), f"{sum(record['seconds'] for record in done):.0f}"]


def _row(record: Record) -> list[str]:
    shown = [record["half"], record["table"], str(record["rows"]), str(record["columns"])]
    if "error" in record:
        return [*shown, record["error"], *[""] * 5]
    index = ["" if value is None else f"{value:.3f}" for value in record["ari"]]
    counts = [str(record["shared"]), *map(str, record["k"])]
    return [*shown, *counts, f"{record['gain']:+.3f}", *index]
