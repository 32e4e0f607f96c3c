"""Tables drawn from known rules, in the manner of the paper's synthetic section."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils import Bunch

from galileomix._checks import check_integer, check_number
from galileomix.errors import ParameterError

_DESCRIPTION = """\
Records drawn from {n_rules} known rules
========================================
{n_rows} records, {n_attributes} attributes of {n_values} values each. A rule allows
{values_per_rule} values of every attribute; a record is drawn evenly from what its rule allows, and
each of its values is then replaced, with probability {noise}, by any value at all. `target` holds
the rule of each record and `rules[r, m]` the values that rule r allows attribute m. Any two rules
share no value in at least {min_disjoint} attributes.

In the manner of the synthetic tables of Savkli, Lin, Graff and Kinsey, GALILEO: A Generalized
Low-Entropy Mixture Model (2017), which were made with datgen (Melli, 1999).
"""
# A rule that finds no place in this many draws will hardly find one at all.
_MAX_DRAWS = 20_000


def make_rules(
    n_rows: int = 1000,
    *,
    n_rules: int = 5,
    n_attributes: int = 10,
    n_values: int = 20,
    values_per_rule: int = 4,
    min_disjoint: int = 2,
    weights: Sequence[float] | None = None,
    noise: float = 0.0,
    random_state: int | np.random.Generator | None = None,
) -> Bunch:
    """Make a table of categories whose records follow known rules.

    A rule is a box: for every attribute a random few of its values. Each record is given a rule and
    is drawn evenly from that rule's box.

    Any two rules share no value in at least `min_disjoint` attributes. Without noise, therefore, a
    record lies in the box of its own rule and of no other.

    Parameters
    ----------
    n_rows : int, default=1000
        How many records.
    n_rules : int, default=5
        How many rules, which is the true number of components.
    n_attributes : int, default=10
        How many attributes, named ``a0``, ``a1``, ...
    n_values : int, default=20
        How many values each attribute has: the whole numbers from 0.
    values_per_rule : int, default=4
        How many of them a rule allows.
    min_disjoint : int, default=2
        In how many attributes, at least, any two rules share no value.
    weights : sequence of float, optional
        How often each rule is used, in proportion; equally often if not given.
    noise : float, default=0.0
        The probability that a value is replaced by one drawn evenly from all of them.
    random_state : int, Generator or None, default=None
        The seed. The rules depend on it but not on `n_rows`, so tables of many sizes can be made by
        the same rules.

    Returns
    -------
    Bunch
        ``data``: a frame of categories, small whole numbers. ``target``: the rule of each record.
        ``frame``: both. ``rules``: an array (rule, attribute, allowed values in order).
        ``feature_names``, ``target_names``, ``DESCR``.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or so many rules so far apart cannot be found.

    Examples
    --------
    >>> from galileomix.datasets import make_rules
    >>> table = make_rules(100, n_rules=3, n_attributes=4, random_state=0)
    >>> table.data.shape, sorted(table.target.unique().tolist())
    ((100, 4), [0, 1, 2])
    >>> rule = table.target[0]
    >>> bool(table.data["a2"][0] in table.rules[rule, 2])
    True
    """
    check_integer("n_rows", n_rows, 0)
    counts = {"n_rules": n_rules, "n_attributes": n_attributes, "n_values": n_values}
    counts |= {"values_per_rule": values_per_rule, "min_disjoint": min_disjoint}
    for name, count in counts.items():
        check_integer(name, count, 1)
    check_number("values_per_rule", values_per_rule, 1, n_values)
    check_number("min_disjoint", min_disjoint, 1, n_attributes)
    check_number("noise", noise, 0, 1)
    share = _shares(weights, n_rules)

    rng = np.random.default_rng(random_state)
    rules = _draw_rules(rng, (n_rules, n_attributes, n_values), values_per_rule, min_disjoint)
    cells = _draw_records(rng, n_rows, rules, n_values, share, noise)

    names = [f"a{m}" for m in range(n_attributes)]
    data = pd.DataFrame({name: _categories(cells[:, m], n_values) for m, name in enumerate(names)})
    target = pd.Series(cells[:, -1], name="rule")
    return Bunch(
        data=data,
        target=target,
        frame=data.assign(rule=target),
        rules=rules,
        feature_names=names,
        target_names=[f"rule {r}" for r in range(n_rules)],
        DESCR=_DESCRIPTION.format(n_rows=n_rows, **counts, noise=noise),
    )


def _categories(codes: npt.NDArray[Any], n_values: int) -> pd.Categorical:
    """Return whole numbers as categories, which they are however many there are."""
    return pd.Categorical.from_codes(codes, pd.RangeIndex(n_values))


def _draw_rules(
    rng: np.random.Generator, shape: tuple[int, int, int], n_allowed: int, min_disjoint: int
) -> npt.NDArray[np.int64]:
    """Draw rules one by one, each anew until it is far enough from those before it."""
    n_rules, n_attributes, n_values = shape
    rules = np.zeros((n_rules, n_attributes, n_allowed), dtype=np.int64)
    allows = np.zeros(shape, dtype=np.bool_)
    for r in range(n_rules):
        for _ in range(_MAX_DRAWS):
            order = rng.permuted(np.tile(np.arange(n_values), (n_attributes, 1)), axis=1)
            rule = np.sort(order[:, :n_allowed], axis=1)
            shared = np.take_along_axis(allows[:r], rule[np.newaxis], axis=2).any(axis=2)
            if ((~shared).sum(axis=1) >= min_disjoint).all():
                break
        else:
            raise ParameterError(
                f"No {n_rules} rules found of which any two share no value in {min_disjoint} of "
                f"{n_attributes} attributes, each allowing {n_allowed} of {n_values} values; "
                "lower n_rules, values_per_rule or min_disjoint, or raise n_attributes or n_values."
            )
        rules[r] = rule
        np.put_along_axis(allows[r], rule, True, axis=1)
    return rules


def _draw_records(
    rng: np.random.Generator,
    n_rows: int,
    rules: npt.NDArray[np.int64],
    n_values: int,
    share: npt.NDArray[np.float64] | None,
    noise: float,
) -> npt.NDArray[np.unsignedinteger]:
    """Draw the table, one attribute to a column and the rule in the last one."""
    n_rules, n_attributes, n_allowed = rules.shape
    small = np.min_scalar_type(max(n_rules, n_values) - 1)
    if share is None:
        rule = rng.integers(n_rules, size=n_rows)
    else:
        rule = rng.choice(n_rules, size=n_rows, p=share)
    # Column order keeps each attribute in one piece of memory, as the frame will read it.
    cells = np.empty((n_rows, n_attributes + 1), dtype=small, order="F")
    cells[:, -1] = rule
    for m in range(n_attributes):
        which = rule * n_allowed + rng.integers(n_allowed, size=n_rows, dtype=small)
        np.take(rules[:, m].astype(small).ravel(), which, out=cells[:, m], mode="clip")
        if noise > 0:
            hit = np.flatnonzero(rng.random(n_rows, dtype=np.float32) < noise)
            cells[hit, m] = rng.integers(n_values, size=hit.size)
    return cells


def _shares(weights: Sequence[float] | None, n_rules: int) -> npt.NDArray[np.float64] | None:
    """Turn weights into probabilities."""
    if weights is None:
        return None
    share = np.asarray(weights, dtype=np.float64)
    if share.shape != (n_rules,):
        raise ParameterError(
            f"weights must be one number per rule ({n_rules}), not shape {share.shape}"
        )
    if not (np.isfinite(share).all() and (share >= 0).all() and share.sum() > 0):
        raise ParameterError(f"weights must be finite, not negative and not all 0, not {weights!r}")
    return share / share.sum()
