"""Single errors planted in records that no model has seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

Ints = npt.NDArray[np.intp]

HELD_OUT = 0.1
COMMON = 0.02
EXPECTED = 5.0
UNKNOWN = "?"


@dataclass(frozen=True, eq=False)
class Case:
    """A table to fit, and records with one wrong value each.

    Parameters
    ----------
    fitted : DataFrame
    wrong : DataFrame
    where : ndarray of shape (n,)
        The attribute that is wrong.
    contradicted : ndarray of shape (n,)
        With how many of the record's other values the wrong one never occurs.
    """

    fitted: pd.DataFrame
    wrong: pd.DataFrame
    where: Ints
    contradicted: Ints


def planted(data: pd.DataFrame, draw: int) -> Case:
    """Hold a tenth of a table out, and put one error into each of its records that can take one."""
    rng = np.random.default_rng(draw)
    order = rng.permutation(len(data))
    held, kept = np.split(order, [round(HELD_OUT * len(data))])
    codes, values, attribute = coded(data)
    counts, never = pairs(codes[kept], len(values))
    may = (counts >= COMMON * len(kept)) & np.array([str(value) != UNKNOWN for value in values])
    found = [error(codes[row], may, never, attribute, rng) for row in held]
    able = [n for n, each in enumerate(found) if each is not None]
    value, contradicted = np.array([found[n] for n in able], dtype=np.intp).reshape(-1, 2).T
    where = attribute[value]
    wrong = data.iloc[held[able]].astype(object).reset_index(drop=True)
    for n, (m, v) in enumerate(zip(where, value, strict=True)):
        wrong.iat[n, m] = values[v]
    typed = wrong.astype(data.dtypes.to_dict())
    return Case(data.iloc[kept].reset_index(drop=True), typed, where, contradicted)


def coded(data: pd.DataFrame) -> tuple[Ints, list[object], Ints]:
    """Return cells as positions in the list of all values, that list, and whose values they are."""
    columns, values, attribute = list[Ints](), list[object](), list[int]()
    for m, name in enumerate(data):
        codes, present = pd.factorize(data[name], sort=True)
        columns.append(codes + len(values))
        values += list(present)
        attribute += [m] * len(present)
    return np.column_stack(columns), values, np.array(attribute)


def pairs(codes: Ints, n_values: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return how often each value occurs, and which pairs never do, though they should by chance.

    Values of one attribute are such pairs too.
    """
    cells = np.zeros((len(codes), n_values))
    np.put_along_axis(cells, codes, 1.0, axis=1)
    together = cells.T @ cells
    counts = np.diag(together)
    never = (together == 0) & (np.outer(counts, counts) >= EXPECTED * len(codes))
    return counts.astype(np.intp), never


def error(
    record: Ints,
    may: npt.NDArray[np.bool_],
    never: npt.NDArray[np.bool_],
    attribute: Ints,
    rng: np.random.Generator,
) -> tuple[int, int] | None:
    """Return a wrong value for a record and how many others it contradicts, or None.

    The attribute is drawn first, so that those of many values are not drawn more often.
    """
    against = never[:, record]
    against &= attribute[:, None] != np.arange(len(record))
    contradicted = against.sum(axis=1)
    able = may & (contradicted > 0)
    able[record] = False
    if not able.any():
        return None
    m = rng.choice(np.unique(attribute[able]))
    value = rng.choice(np.flatnonzero(able & (attribute == m)))
    return int(value), int(contradicted[value])
