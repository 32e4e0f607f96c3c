"""Frozen records of a fit: what tables, plots and reports are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from galileomix._model.ties import least


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
        The size that the criterion prefers.

    Examples
    --------
    >>> path = Path(
    ...     (Step(1, 1, -7.0, 16.0, 17.0, 0.5), Step(2, 9, -3.0, 12.0, 18.0, 0.9)),
    ...     criterion="aic",
    ...     chosen=2,
    ... )
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

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of components on the path."""
        return tuple(step.k for step in self.steps)

    def best(self, criterion: str) -> int:
        """Return the size that a criterion prefers, the smallest among equals."""
        if criterion == self.criterion:
            return self.chosen
        values = np.array([getattr(step, criterion) for step in self.steps])
        if criterion == "density":
            values = -np.log(np.maximum(values, np.finfo(float).tiny))
        return self.steps[least(values.tolist())].k

    def to_frame(self) -> pd.DataFrame:
        """Return the path as a frame: k, n_iter, log_likelihood, aic, bic, density."""
        return pd.DataFrame([asdict(step) for step in self.steps])

    def to_dict(self) -> dict[str, Any]:
        """Return the path as plain data, for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Trait:
    """A category that sets a component apart.

    Parameters
    ----------
    attribute : str
    value : object
        The category.
    share : float
        Its probability within the component.
    overall : float
        Its probability over all records.
    """

    attribute: str
    value: object
    share: float
    overall: float

    @property
    def lift(self) -> float:
        """How many times more common it is within the component than over all records."""
        return self.share / self.overall if self.overall > 0 else float("inf")

    def __str__(self) -> str:
        if isinstance(self.value, float):
            return f"{self.attribute}={self.value:.15g}"
        return f"{self.attribute}={'missing' if self.value is None else self.value}"


@dataclass(frozen=True)
class NumberTrait:
    """A number whose mean or spread sets a component apart.

    Parameters
    ----------
    attribute : str
    mean : float
        Within the component, to two digits of its spread.
    mean_overall : float
        Over all records.
    """

    attribute: str
    mean: float
    mean_overall: float

    def __str__(self) -> str:
        return f"{self.attribute}={self.mean:.15g}"


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
    traits : tuple of Trait and NumberTrait
        What defines it, the strongest first: common here, rare over all.
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
    traits: tuple[Trait | NumberTrait, ...]
    typical: tuple[Trait | NumberTrait, ...] = ()
    predictive: tuple[Predictor, ...] = ()

    @property
    def name(self) -> str:
        """What defines it, in one line."""
        return self.named()

    def named(self, most: int | None = None) -> str:
        """Return what defines it, by the strongest few traits or by all."""
        return ", ".join(str(trait) for trait in self.traits[:most]) or "like all records"


@dataclass(frozen=True)
class Progress:
    """How far a search has come: the best model so far, and the passes over the data."""

    k: int  # components of the best model so far
    criterion: str
    value: float  # the criterion of that model
    n_passes: int


@dataclass(frozen=True)
class FitSummary:
    """A whole fit, ready to be shown."""

    name: str  # of the table
    n_rows: int
    n_attributes: int
    path: Path
    components: tuple[Component, ...]
    n_passes: int
    seconds: float
    given: bool = False  # whether the number of clusters was given, not chosen
