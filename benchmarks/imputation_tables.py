"""Incomplete tables, of which the contents are known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from palmerpenguins import load_penguins

from benchmarks import keel
from benchmarks.common import load as load_paper
from galileomix.datasets import make_rules

NAMES = ("mushroom", "votes", "soybean", "zoo", "rules", "tic-tac-toe", "breast", "penguins")
MOST = 2_000
UNKNOWN = "?"


def load(name: str, draw: int) -> pd.DataFrame:
    """Return a table, numbers as floats and categories as text, what is unknown as None."""
    data = read(name, draw)
    if len(data) > MOST:
        data = data.sample(MOST, random_state=draw)
    numbers = data.select_dtypes("float").columns
    text = data.drop(columns=numbers).astype(object)
    text = text.where(text.notna() & (text != UNKNOWN), None).map(lambda x: x and str(x))
    varied = [column for column in data if data[column].nunique() > 1]
    whole = {column: data[column] if column in numbers else text[column] for column in varied}
    return pd.DataFrame(whole).reset_index(drop=True)


def read(name: str, draw: int) -> pd.DataFrame:
    """Return a table as it is found, its class among the attributes where it has one."""
    if name == "rules":
        return make_rules(1_000, random_state=draw).data.map("v{}".format)
    if name == "penguins":
        return load_penguins().drop(columns="year")
    if name in ("tic-tac-toe", "breast"):
        data, target = keel.load(name, "balanced")
        return data.assign(target=target)
    return load_paper(name).astype(str)


def pierced(
    data: pd.DataFrame, share: float, draw: int
) -> tuple[pd.DataFrame, npt.NDArray[np.bool_]]:
    """Return a table with cells hidden at random, and which of them are categories."""
    rng = np.random.default_rng((draw, round(100 * share)))
    hidden = rng.random(data.shape) < share
    numeric = np.array([pd.api.types.is_float_dtype(dtype) for dtype in data.dtypes])
    holey = data.copy()
    for m, name in enumerate(data):
        holey.loc[hidden[:, m], name] = np.nan if numeric[m] else None
    return holey, hidden & data.notna().to_numpy() & ~numeric
