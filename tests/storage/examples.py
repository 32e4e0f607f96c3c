"""Small models of every kind, the same in the tests and in the golden files."""

import numpy as np
import pandas as pd

from galileomix import Galileo

COLUMNS = {
    "text": ["a", "b", 'é "\\\n'],
    "whole": [-1, 2**70, 3],
    "truth": [True, False, True],
    "any": [1, "1", 1.5],
    "hole": ["x", None, "y"],
}


def categorical_table(n=60):
    """Every type of value beside each other, and holes; three kinds of rows with some errors."""
    table = {}
    for m, (name, values) in enumerate(COLUMNS.items()):
        kinds = [(i + (i % (4 * m + 5) == 0 < m)) % 3 for i in range(n)]
        table[name] = pd.Series([values[kind] for kind in kinds], dtype=object)
    return pd.DataFrame(table)


def mixed_table(n=60):
    kinds = np.arange(n) % 2
    spread = np.sin(np.arange(n) * 1.7)
    width = 1e6 * (kinds + 0.1 * spread)
    width[::9] = np.nan
    return pd.DataFrame(
        {
            "color": np.array(["red", "blue"], dtype=object)[kinds],
            "width": width,
            "height": 3.0 * kinds + 0.3 * np.cos(np.arange(n) * 2.3),
        }
    )


def binned_table(n=60):
    table = mixed_table(n)
    return table.assign(age=[20.0, 70.0] * (n // 2))


TABLES = {"categorical": categorical_table, "mixed": mixed_table, "binned": binned_table}
PARAMETERS = {
    "categorical": {"criterion": "aic", "missing_values": ["?"]},
    "mixed": {"covariance": "diagonal", "missing": "ignore"},
    "binned": {"discretize": {"age": [18.5, 65], "width": (4e5,)}},
}


def fitted(name):
    return Galileo(3, random_state=0, **PARAMETERS[name]).fit(TABLES[name]())
