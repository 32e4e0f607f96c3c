"""Galileo and its rivals on one table: what each of them finds, and how good that is."""

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
from galileomix._estimators.parameters import opened
from galileomix._progress import Parts, Report
from galileomix._table import Columns, NumberColumn, cells, typed
from galileomix._warn import warn
from galileomix.baselines import PACKAGES, rivals
from galileomix.baselines._base import coded
from galileomix.errors import GalileoError, GalileoWarning, ParameterError, TableError
from galileomix.metrics import category_utility, mean_density

Labels = NDArray[Any]
Cluster = Callable[[Columns], tuple[Labels, float | None]]
"""Takes a table, returns the labels of its rows and the BIC, where there is one."""

LEAST_START = 40
"""Components that the published search begins with, unless twice the clusters are more."""
FEW_ROWS = 20
"""Rows to cluster before anything is timed, so that loops are compiled."""
CUT = "numbers cut into intervals"


@dataclass(frozen=True)
class MethodResult:
    """What one method finds in a table; None stands for what was not measured."""

    method: str
    k: int | None = None  # the number of clusters; None where the method did not run
    outliers: int | None = None  # rows in no cluster; all measures count them as one more cluster
    seconds: float | None = None
    category_utility: float | None = None  # numbers are cut into intervals, for all methods alike
    density: float | None = None  # the mean over clusters, where the table has categories only
    bic: float | None = None  # of mixture models, where it can be compared with that of others
    ari: float | None = None  # the adjusted Rand index against the true classes
    note: str = ""  # why there are no figures, or what a reader must know of them

    @property
    def ran(self) -> bool:
        """Whether there are figures."""
        return self.k is not None


@dataclass(frozen=True)
class Comparison:
    """What all methods find in a table.

    The best methods come first, by the adjusted Rand index or else by category utility; at the end
    those that did not run.
    """

    n_rows: int
    n_attributes: int
    n_clusters: int  # for methods that need it
    n_clusters_from: str  # where that number is from: "you", "the classes" or "Galileo"
    methods: tuple[MethodResult, ...]


def compare(
    table: Any,
    galileo: Galileo | None = None,
    *,
    truth: Labels | None = None,
    n_clusters: int | None = None,
    only: Sequence[str] = (),
    report: Report | None = None,
) -> Comparison:
    """Cluster a table by Galileo, by the method as published, and by every rival.

    Parameters
    ----------
    table : table
        What to cluster: what `Galileo.fit` takes.
    galileo : Galileo, optional
        With which parameters; what it says of columns holds for every method, and so does its
        seed. By default those of ``Galileo(random_state=0)``.
    truth : ndarray of shape (n_rows,), optional
        The class of each row; None or NaN where it is missing.
    n_clusters : int, optional
        For methods that need it; by default the number of classes, or else what Galileo finds.
    only : sequence of str
        Run these methods only, and Galileo.
    report : callable, optional
        Called with a `Progress` before each method, and during the search of Galileo.

    Examples
    --------
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> found = compare(table, truth=np.array([0, 0, 1, 1] * 25), only=["k-modes"])
    >>> found.n_clusters, [(result.method, result.k, result.ari) for result in found.methods]
    (2, [('galileo', 2, 1.0), ('k-modes', 2, 1.0)])
    """
    _check_only(only)
    if n_clusters is not None:
        check_integer("n_clusters", n_clusters, 1)
    model = Galileo(random_state=0) if galileo is None else galileo
    table = typed(opened(model, table))
    said_already: dict[str, Any] = {"categorical": "auto", "numeric": (), "ordered": (), "drop": ()}
    parameters: dict[str, Any] = {**model.get_params(deep=False), **said_already}
    parameters["progress"] = False
    model = Galileo(**parameters)
    trial = _Trial(table, truth)
    parts = Parts(report, "method", len({"galileo", *only}) if only else len(methods()))
    parts.begin("clustering", "galileo")
    trial.warm_up(partial(_galileo, model))
    model.set_params(progress=parts.inner or False)
    first = trial.run("galileo", partial(_galileo, model))
    k = n_clusters or trial.n_classes or first.k or 1
    k_from = "you" if n_clusters else "the classes" if trial.n_classes else "Galileo"
    results = [first]
    for name, cluster, note in _others(table, k, model.random_state, only):
        parts.begin("clustering", name)
        results.append(trial.attempt(name, cluster, note))
    ordered = tuple(sorted(results, key=_merit, reverse=True))
    return Comparison(table.n_rows, len(table.columns), k, k_from, ordered)


def methods() -> tuple[str, ...]:
    """Return the names of all methods, whether installed or not."""
    return tuple(dict.fromkeys(("galileo", "galileo as published", *rivals(), *PACKAGES)))


def _check_only(only: Sequence[str]) -> None:
    unknown = [name for name in only if name not in methods()]
    if unknown:
        names = ", ".join(map(repr, unknown))
        raise ParameterError(f"no method is called {names}; there are {', '.join(methods())}")


def _merit(result: MethodResult) -> tuple[bool, float, float]:
    ari = -1.0 if result.ari is None else round(result.ari, 9)
    utility = -1.0 if result.category_utility is None else result.category_utility
    return result.ran, ari, utility


def _galileo(model: Galileo, table: Columns) -> tuple[Labels, float | None]:
    model.fit(table)
    step = next(step for step in model.path_ if step.k == model.n_components_)
    filled = len(np.unique(model.labels_))
    if filled < model.n_components_:
        warn(f"BIC is of {model.n_components_} components; {filled} hold rows", GalileoWarning)
    return model.labels_, step.bic


def _others(
    table: Columns, k: int, seed: Any, only: Sequence[str]
) -> Iterator[tuple[str, Cluster | None, str]]:
    """Yield the methods beside Galileo: the name, what runs it, and a note."""
    has_numbers = _has_numbers(table)
    installed = rivals(seed)
    for name in methods()[1:]:
        if only and name not in only:
            continue
        if name == "galileo as published":
            start = max(LEAST_START, 2 * k)
            model = Galileo.as_published(start, criterion="density", random_state=seed)
            yield name, partial(_galileo, model), f"from {start} components, by density"
        elif name not in installed:
            yield name, None, f"not installed: pip install {PACKAGES[name]}"
        elif has_numbers and installed[name].numbers == "left out":
            yield name, None, "takes categories only, and there are numbers"
        else:
            note = CUT if has_numbers and installed[name].numbers == "cut" else ""
            yield name, partial(installed[name].clustering, k=k), note


class _Trial:
    """Runs methods on one table and measures what they find."""

    def __init__(self, table: Columns, truth: Labels | None) -> None:
        self._table = table
        self._categorical = not _has_numbers(table)
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

    def attempt(self, name: str, cluster: Cluster | None, note: str) -> MethodResult:
        """Run one method; where it fails, the note says why."""
        if cluster is None:
            return MethodResult(name, note=note)
        self.warm_up(cluster)
        try:
            return self.run(name, cluster, note)
        except Exception as error:  # whatever it is, the other methods run
            return MethodResult(name, note=_reason(error))

    def warm_up(self, cluster: Cluster) -> None:
        """Run a method on a few rows, so that what it does once is in no time; tell of nothing."""
        with warnings.catch_warnings(), suppress(Exception):  # few rows may be too few
            warnings.simplefilter("ignore")
            cluster(self._table.rows(slice(0, FEW_ROWS)))

    def run(self, name: str, cluster: Cluster, note: str = "") -> MethodResult:
        """Run one method and measure what it finds."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            began = time.perf_counter()
            labels, bic = cluster(self._table)
            seconds = time.perf_counter() - began
        notes = [note, *(str(warned.message) for warned in caught if _for_user(warned.category))]
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
            note="; ".join(filter(None, notes)),
        )

    def _agreement(self, labels: Labels) -> float | None:
        if self._classes is None:
            return None
        known = self._classes >= 0
        return float(adjusted_rand_score(self._classes[known], labels[known]))


def _has_numbers(table: Columns) -> bool:
    return any(isinstance(column, NumberColumn) for column in table.columns)


def _for_user(category: type[Warning]) -> bool:
    return issubclass(category, GalileoWarning | ConvergenceWarning)


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()) or "no reason given"
    return text if isinstance(error, GalileoError) else f"{type(error).__name__}: {text}"


def truth_of(table: Columns, name: str) -> Labels:
    """Return the classes that a column holds.

    Examples
    --------
    >>> from galileomix._table import read
    >>> truth_of(read({"class": ["a", "b", None]}), "class").tolist()
    ['a', 'b', None]
    """
    return cells(table.select([name]).columns[0])
