"""Frozen records of a fit: what tables, plots and reports are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from galileomix._fitted.notebook_html import Column, table
from galileomix._model.ties import least
from galileomix._table import ColumnType
from galileomix._words import CRITERIA, counted

NEAR = 1e-6
"""Relative difference below which two values of a criterion may be the same in other units."""


@dataclass(frozen=True)
class Step:
    """One size of the path: the model of k components and how it scores.

    Parameters
    ----------
    k : int
        The number of components.
    n_iter : int
        The steps of EM that led to it, the last run counted.
    log_likelihood, aic, bic, density : float
        ``density`` is the mean over components, weighted by size.
    """

    k: int
    n_iter: int
    log_likelihood: float
    aic: float
    bic: float
    density: float


@dataclass(frozen=True)
class Path:
    """How the best model of every size scores, the smallest first.

    Parameters
    ----------
    steps : tuple of Step
    criterion : str
        By what the model was chosen.
    chosen : int
        The size that the criterion prefers, or that was given.

    Examples
    --------
    >>> path = Path(
    ...     (Step(1, 1, -7.0, 16.0, 17.0, 0.5), Step(2, 9, -3.0, 12.0, 18.0, 0.9)),
    ...     criterion="aic",
    ...     chosen=2,
    ... )
    >>> path
    Path(sizes 1 to 2, criterion='aic', chosen=2)
    >>> path.best("bic")
    1
    >>> path.to_frame()["k"].tolist()
    [1, 2]
    """

    steps: tuple[Step, ...]
    criterion: str
    chosen: int

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __repr__(self) -> str:
        sizes = f"{self.sizes[0]} to {self.sizes[-1]}" if self.steps else "none"
        return f"Path(sizes {sizes}, criterion={self.criterion!r}, chosen={self.chosen})"

    def __len__(self) -> int:
        return len(self.steps)

    def _repr_html_(self) -> str:
        columns = [
            Column("clusters", False, self.sizes),
            Column("log-likelihood", False, [f"{step.log_likelihood:,.1f}" for step in self]),
            Column("AIC", False, [f"{step.aic:,.1f}" for step in self]),
            Column("BIC", False, [f"{step.bic:,.1f}" for step in self]),
            Column("density", False, [f"{step.density:.4g}" for step in self]),
        ]
        best = (f"{shown} is best at {self.best(name)}" for name, shown in CRITERIA.items())
        criterion = CRITERIA.get(self.criterion, self.criterion)
        caption = f"{counted(self.chosen, 'cluster')} chosen by {criterion}"
        return table(caption, columns, self.sizes.index(self.chosen), f"{', '.join(best)}.")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of components on the path."""
        return tuple(step.k for step in self.steps)

    def best(self, criterion: str) -> int:
        """Return the size on this path that a criterion prefers, the smallest among equals.

        The path was searched for its own `criterion`: a search for another one may find a better
        model of another size.
        """
        values = np.array([getattr(step, criterion) for step in self.steps])
        if criterion == "density":
            values = -np.log(np.maximum(values, np.finfo(float).tiny))
        best = least(values.tolist())
        # The search compared values in other units: what is equal here need not have been there.
        equal = values[self.sizes.index(self.chosen)] - values[best] <= NEAR * abs(values[best])
        return self.chosen if criterion == self.criterion and equal else self.steps[best].k

    def to_frame(self) -> pd.DataFrame:
        """Return the path as a frame: k, n_iter, log_likelihood, aic, bic, density."""
        return pd.DataFrame([asdict(step) for step in self.steps])

    def to_dict(self) -> dict[str, Any]:
        """Return the path as plain data, for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Trait:
    """Categories that set a component apart, or the one that is typical of it.

    Parameters
    ----------
    attribute : str
    values : tuple
        The categories: records of the component have one of them.
    share : float
        Their probability within the component.
    rest : float
        Their probability in the records of all other components.
    text : str
        In words, such as ``"odor=foul or pungent"``.
    """

    attribute: str
    values: tuple[object, ...]
    share: float
    rest: float
    text: str

    @property
    def lift(self) -> float:
        """How many times more common they are within the component than in all others."""
        return self.share / self.rest if self.rest > 0 else float("inf")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class NumberTrait:
    """A number whose mean or spread sets a component apart, or is typical of it.

    Parameters
    ----------
    attribute : str
    mean, deviation : float
        Within the component. Of a number that is modelled on another scale, such as a logarithm:
        the number whose logarithm is the mean, and half the width from one deviation below it to
        one above.
    mean_overall, deviation_overall : float
        Over all records; on another scale, those of the components together.
    unit : str
    text : str
        In words, such as ``"width 29 (all: 21)"``.
    """

    attribute: str
    mean: float
    deviation: float
    mean_overall: float
    deviation_overall: float
    unit: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Predictor:
    """An attribute that predicts whether a record belongs to a component.

    Parameters
    ----------
    attribute : str
    information : float
        Mutual information of the attribute and "is of this component", in nats.
    share : float
        Of what there is to be known: 1 where the attribute alone decides.
    """

    attribute: str
    information: float
    share: float

    def __str__(self) -> str:
        return f"{self.attribute} ({self.share:.0%})"


@dataclass(frozen=True)
class Component:
    """One component in words and figures.

    Parameters
    ----------
    label : int
        As in ``labels_``.
    size : float
        The records it holds.
    weight : float
        Its share of all records.
    density : float
        As in ``densities_``.
    relative_density : float
        How many times as dense it is as all records together, taken for one component.
    name : str
        The traits that tell it from all other components, as few as do; no two are the same.
    traits : tuple of Trait and NumberTrait
        What sets it apart: those in its name, then those that tell most by themselves.
    named : int
        How many of the traits are in its name.
    typical : tuple of Trait and NumberTrait
        The most probable value of every category and the mean of every number, in the order of
        the columns.
    predictive : tuple of Predictor
        The attributes that best predict which records belong to it, the best first.
    """

    label: int
    size: float
    weight: float
    density: float
    relative_density: float
    name: str
    traits: tuple[Trait | NumberTrait, ...]
    named: int
    typical: tuple[Trait | NumberTrait, ...] = ()
    predictive: tuple[Predictor, ...] = ()

    def __repr__(self) -> str:
        size = f"{self.size:.1f}".removesuffix(".0")
        return f"Component({self.label}: {size} records, {self.weight:.1%}: {self.name})"

    def _repr_html_(self) -> str:
        shares = [
            (f"{trait.share:.0%}", f"{trait.rest:.0%}") if isinstance(trait, Trait) else ("", "")
            for trait in self.traits
        ]
        columns = [
            Column("what sets it apart", True, self.traits),
            Column("here", False, [here for here, _ in shares]),
            Column("elsewhere", False, [rest for _, rest in shares]),
        ]
        caption = f"Cluster {self.label}: {self.name} ({self.size:,.0f} records, {self.weight:.1%})"
        best = ", ".join(map(str, self.predictive))
        return table(caption, columns, below=f"Predicted best by {best}." if best else "")

    @property
    def also(self) -> str:
        """The traits that are not in its name, in one line."""
        return ", ".join(map(str, self.traits[self.named :]))


@dataclass(frozen=True)
class SearchRecord:
    """How a search went.

    Parameters
    ----------
    n_passes : int
        Passes over the data; those over a sample of the rows count by its share of them.
    seconds : float
    kicks : int
        How often some components of the best model were replaced by others.
    returned : int
        How many of these ended at the best model again, since it was found.
    elsewhere : int
        How many other models nearly as good they ended at, since then.
    successes : int
        How many found a better model.
    in_vain : int
        Kicks since the last one that found a better model.
    last_gain : float
        What that one gained by the criterion.
    complete : bool
        Whether the search ended by itself, not by ``time_limit`` or from outside.
    chance_of_better : float, optional
        The estimated chance that a much longer search would find a better model: how often one
        did, on tables of the same number of clusters where kicks succeeded as often. Not known
        where there were no kicks, or the search was ended.
    trace : tuple of (int, float)
        When the best model became better: the passes until then, and its criterion. Not known
        where an earlier version saved the model.
    """

    n_passes: int
    seconds: float = 0.0
    kicks: int = 0
    returned: int = 0
    elsewhere: int = 0
    successes: int = 0
    in_vain: int = 0
    last_gain: float = 0.0
    complete: bool = True
    chance_of_better: float | None = None
    trace: tuple[tuple[int, float], ...] = field(default=(), repr=False)

    def in_words(self) -> str:
        """Return how the search went, in a line.

        Examples
        --------
        >>> record = SearchRecord(900, 0.3, returned=13, in_vain=80, chance_of_better=0.03)
        >>> print(record.in_words())
        900 passes over the data in 0.3 s; the last 80 tries to replace clusters by others found
        nothing better, and 13 of them led back to these; chance that there is a better answer: 3%
        """
        words = f"{counted(self.n_passes, 'pass', 'passes')} over the data in {self.seconds:.1f} s"
        if not self.complete:
            words += ", ended before the search was done"
        if self.in_vain:
            tries = counted(self.in_vain, "try", "tries")
            words += f"; the last {tries} to replace clusters by others found nothing better"
            words += f", and {self.returned} of them led back to these" if self.returned else ""
        if self.chance_of_better is not None:
            words += f"; chance that there is a better answer: {self.chance_of_better:.0%}"
        return words


@dataclass(frozen=True)
class FitSummary:
    """A whole fit, ready to be shown."""

    name: str  # of the table
    n_rows: int
    n_attributes: int
    path: Path
    components: tuple[Component, ...]
    search: SearchRecord
    seconds: float
    given: bool = False  # whether the number of clusters was given, not chosen
    columns: tuple[ColumnType, ...] = ()  # how each was taken, and why
