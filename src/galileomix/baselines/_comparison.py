"""Galileo and its rivals on one table: what each of them finds, and what that is worth."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from galileomix._checks import check_integer
from galileomix._estimators.galileo import Galileo
from galileomix._table import Columns, NumberColumn, cells
from galileomix._warn import warn
from galileomix.baselines import PACKAGES, rivals
from galileomix.baselines._base import coded
from galileomix.errors import GalileoError, GalileoWarning, ParameterError, TableError
from galileomix.metrics import category_utility, mean_density

Labels = NDArray[Any]
Cluster = Callable[[Columns], tuple[Labels, float | None]]
"""Takes a table, returns the labels of its rows and the BIC, where there is one."""

LEAST_START = 40
"""Components that the published search begins with, unless twice the clusters told are more."""
FEW_ROWS = 20
"""Rows to cluster before anything is timed, so that loops are compiled."""
CUT = "numbers cut into intervals"


@dataclass(frozen=True)
class MethodResult:
    """What one method makes of a table.

    Parameters
    ----------
    method : str
    k : int or None
        The clusters it found; None where it did not run.
    outliers : int or None
        The rows it leaves out. In all measures they count as one more cluster.
    seconds : float or None
    category_utility : float or None
        Numbers are cut into intervals to measure it, for all methods alike.
    density : float or None
        The mean of the clusters' entropy-based densities, where the table has categories only.
    bic : float or None
        Of mixtures, where it can be compared with that of others.
    ari : float or None
        The adjusted Rand index against the truth, where that is known.
    note : str
        Why there are no figures, or what should be known of them.
    """

    method: str
    k: int | None = None
    outliers: int | None = None
    seconds: float | None = None
    category_utility: float | None = None
    density: float | None = None
    bic: float | None = None
    ari: float | None = None
    note: str = ""

    @property
    def ran(self) -> bool:
        """Whether there are figures."""
        return self.k is not None


@dataclass(frozen=True)
class Comparison:
    """What all methods make of a table.

    Parameters
    ----------
    n_rows, n_attributes : int
    n_clusters : int
        What methods were told that need the number of clusters.
    told_by : str
        Where that number is from: "you", "the classes" or "Galileo".
    methods : tuple of MethodResult
        The best first, by the adjusted Rand index or by category utility; at the end those that
        did not run.
    """

    n_rows: int
    n_attributes: int
    n_clusters: int
    told_by: str
    methods: tuple[MethodResult, ...]


def compare(
    table: Columns,
    *,
    truth: Labels | None = None,
    n_clusters: int | None = None,
    only: Sequence[str] = (),
    random_state: int = 0,
    tell: Callable[[str], None] = lambda method: None,
) -> Comparison:
    """Cluster a table by Galileo, by the method as published, and by every rival.

    Parameters
    ----------
    table : Columns
        What to cluster; see `galileomix._table.read`.
    truth : ndarray of shape (n_rows,), optional
        The class of each row, None or NaN where it is unknown.
    n_clusters : int, optional
        What to tell methods that need the number of clusters. The number of classes where left
        out, or else the number that Galileo finds.
    only : sequence of str
        Leave other methods out; Galileo itself always runs.
    random_state : int, default=0
    tell : callable, optional
        Called with the name of each method before it runs.

    Returns
    -------
    Comparison

    Raises
    ------
    ParameterError
        Where a method is not known, or `n_clusters` makes no sense.
    TableError
        Where Galileo cannot take the table, or the truth is of another length.

    Examples
    --------
    >>> from galileomix._table import read
    >>> table = read([["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25)
    >>> found = compare(table, truth=np.array([0, 0, 1, 1] * 25), only=["k-modes"])
    >>> found.n_clusters, [(each.method, each.k, each.ari) for each in found.methods]
    (2, [('galileo', 2, 1.0), ('k-modes', 2, 1.0)])
    """
    _check_only(only)
    if n_clusters is not None:
        check_integer("n_clusters", n_clusters, 1)
    judge = _Judge(table, truth)
    tell("galileo")
    first = judge.measured("galileo", partial(_galileo, Galileo(random_state=random_state)))
    k = n_clusters or judge.n_classes or first.k or 1
    told_by = "you" if n_clusters else "the classes" if judge.n_classes else "Galileo"
    results = [first]
    for name, cluster, note in _others(table, k, random_state, only):
        tell(name)
        results.append(judge.judged(name, cluster, note))
    methods = tuple(sorted(results, key=_merit, reverse=True))
    return Comparison(table.n_rows, len(table.columns), k, told_by, methods)


def methods() -> tuple[str, ...]:
    """Return the names of all methods, whether installed or not."""
    return tuple(dict.fromkeys(("galileo", "galileo as published", *rivals(), *PACKAGES)))


def _check_only(only: Sequence[str]) -> None:
    unknown = [name for name in only if name not in methods()]
    if unknown:
        named = ", ".join(map(repr, unknown))
        raise ParameterError(f"no method is called {named}; there are {', '.join(methods())}")


def _merit(result: MethodResult) -> tuple[bool, float, float]:
    ari = -1.0 if result.ari is None else round(result.ari, 9)
    utility = -1.0 if result.category_utility is None else result.category_utility
    return result.ran, ari, utility


def _galileo(model: Galileo, table: Columns) -> tuple[Labels, float | None]:
    model.fit(table)
    step = next(step for step in model.path_ if step.k == model.n_components_)
    held = len(np.unique(model.labels_))
    if held < model.n_components_:
        warn(f"BIC is of {model.n_components_} components; {held} hold rows", GalileoWarning)
    return model.labels_, step.bic


def _others(
    table: Columns, k: int, seed: int, only: Sequence[str]
) -> Iterator[tuple[str, Cluster | None, str]]:
    """Yield the methods beside Galileo: their name, what runs them, and what is to be noted."""
    has_numbers = any(isinstance(column, NumberColumn) for column in table.columns)
    there = rivals(seed)
    for name in methods()[1:]:
        if only and name not in only:
            continue
        if name == "galileo as published":
            start = max(LEAST_START, 2 * k)
            model = Galileo.as_published(start, criterion="density", random_state=seed)
            yield name, partial(_galileo, model), f"from {start} components, by density"
        elif name not in there:
            yield name, None, f"not installed: pip install {PACKAGES[name]}"
        elif has_numbers and there[name].numbers == "left out":
            yield name, None, "takes categories only, and there are numbers"
        else:
            note = CUT if has_numbers and there[name].numbers == "cut" else ""
            yield name, partial(there[name].clustering, k=k), note


class _Judge:
    """Runs methods on one table and measures what they find."""

    def __init__(self, table: Columns, truth: Labels | None) -> None:
        self._table = table
        self._categorical = not any(isinstance(each, NumberColumn) for each in table.columns)
        self._codes = pd.DataFrame(coded(table, discretize="quantile").codes)
        self._classes = None if truth is None else pd.factorize(np.asarray(truth))[0]
        if self._classes is not None and len(self._classes) != table.n_rows:
            raise TableError(f"{len(self._classes)} classes are given for {table.n_rows} rows")
        if truth is not None and not self.n_classes:
            raise TableError("the class of no row is known")

    @property
    def n_classes(self) -> int:
        """The number of classes, 0 where they are not known."""
        return 0 if self._classes is None else int(self._classes.max(initial=-1)) + 1

    def judged(self, name: str, cluster: Cluster | None, note: str = "") -> MethodResult:
        """Run one method; where it fails, say why."""
        if cluster is None:
            return MethodResult(name, note=note)
        try:
            return self.measured(name, cluster, note)
        except Exception as error:  # whatever it is, the other methods are to be seen
            return MethodResult(name, note=_in_words(error))

    def measured(self, name: str, cluster: Cluster, note: str = "") -> MethodResult:
        """Run one method and measure what it finds."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            _compile(cluster, self._table)
            caught.clear()
            began = time.perf_counter()
            labels, bic = cluster(self._table)
            seconds = time.perf_counter() - began
        said = [note, *(str(each.message) for each in caught if _concerns_user(each.category))]
        comparable = self._categorical or name.startswith("galileo")
        return MethodResult(
            name,
            k=len(np.unique(labels[labels >= 0])),
            outliers=int((labels < 0).sum()),
            seconds=seconds,
            category_utility=category_utility(self._codes, labels),
            density=mean_density(self._codes, labels) if self._categorical else None,
            bic=bic if comparable else None,
            ari=self._agreement(labels),
            note="; ".join(filter(None, said)),
        )

    def _agreement(self, labels: Labels) -> float | None:
        if self._classes is None:
            return None
        known = self._classes >= 0
        return float(adjusted_rand_score(self._classes[known], labels[known]))


def _compile(cluster: Cluster, table: Columns) -> None:
    with suppress(Exception):  # a table of few rows may be too small; the whole one is not
        cluster(table.rows(slice(0, FEW_ROWS)))


def _concerns_user(category: type[Warning]) -> bool:
    return issubclass(category, GalileoWarning | ConvergenceWarning)


def _in_words(error: Exception) -> str:
    text = " ".join(str(error).split()) or "no reason given"
    return text if isinstance(error, GalileoError) else f"{type(error).__name__}: {text}"


def truth_of(table: Columns, name: str) -> Labels:
    """Return the classes that a column holds.

    Examples
    --------
    >>> from galileomix._table import read
    >>> truth_of(read({"kind": ["a", "b", None]}), "kind").tolist()
    ['a', 'b', None]
    """
    return cells(table.select([name]).columns[0])
