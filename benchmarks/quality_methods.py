"""The methods whose quality is compared, each told as much as it needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import logsumexp
from stepmix import StepMix

from benchmarks.common import criterion_value, log_likelihood
from galileomix import Galileo
from galileomix.baselines import Coolcat, KModes, Rock
from galileomix.metrics import category_utility

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

SECONDS = 40.0
"""After so long StepMix is given no further number of components."""
PATIENCE = 3
"""After so many sizes in a row without a lesser BIC StepMix is given no further one."""
OUT_OF_TIME = "out of time"
THETAS = (0.4, 0.5, 0.6, 0.7, 0.8)
FEW_RECORDS, MANY_RECORDS = 500, 2000
"""Records that ROCK clusters to choose its theta, and in the end."""


@dataclass(frozen=True)
class Found:
    """What a method makes of a table.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        The cluster of each record, -1 for outliers.
    k : int
        The clusters or components.
    shares : ndarray of shape (n, k), optional
        The probability of each component for each record, where the method is a mixture.
    log_likelihood : float, optional
        Of the table, where the method is a mixture.
    told : ndarray of shape (n,), optional
        The labels by a mixture of as many components as there are classes, or as near to that as
        the search came.
    note : str
        What it was told or how far it came.
    """

    labels: npt.NDArray[Any]
    k: int
    shares: Floats | None = None
    log_likelihood: float | None = None
    told: npt.NDArray[Any] | None = None
    note: str = ""


def galileo(data: pd.DataFrame, classes: int) -> Found:
    """Search by default."""
    return _ours(Galileo(random_state=0), data, classes)


def published(data: pd.DataFrame, classes: int) -> Found:
    """Search as published, from 40 components or twice the number of classes."""
    most = max(40, 2 * classes)
    return _ours(Galileo.as_published(most, random_state=0), data, classes)


def _ours(model: Galileo, data: pd.DataFrame, classes: int) -> Found:
    model.fit(data)
    shares = model.predict_proba(data)
    told = model.at(min(model.path_.sizes, key=lambda k: abs(k - classes))).predict(data)
    return Found(model.labels_, model.n_components_, shares, log_likelihood(model, data), told)


def stepmix(data: pd.DataFrame, classes: int) -> Found:
    """Fit one number of components after the other, with 20 starts each; keep the least BIC."""
    codes, last = codes_of(data), max(classes + 5, 10)
    fits: list[tuple[float, StepMix]] = []
    begun = time.perf_counter()
    while len(fits) < last and not given_up(fits) and time.perf_counter() - begun < SECONDS:
        k = len(fits) + 1
        model = StepMix(k, measurement="categorical", n_init=20, random_state=0, progress_bar=0)
        total = float(model.fit(codes).score(codes)) * len(codes)
        fits.append((criterion_value("bic", total, k, data), model))
    best = min(fits, key=lambda each: each[0])[1]
    told = fits[min(classes, len(fits)) - 1][1].predict(codes)
    shares, total = best.predict_proba(codes), float(best.score(codes)) * len(codes)
    in_time = len(fits) == last or given_up(fits)
    note = f"k to {len(fits)}" + ("" if in_time else f", {OUT_OF_TIME}")
    return Found(shares.argmax(axis=1), best.n_components, shares, total, told, note)


def given_up(fits: list[tuple[float, StepMix]]) -> bool:
    """Return whether the last few sizes brought no lesser BIC."""
    values = [bic for bic, _ in fits]
    return len(values) > PATIENCE and min(values[-PATIENCE:]) >= min(values[:-PATIENCE])


def k_modes(data: pd.DataFrame, classes: int) -> Found:
    """Run k-modes, ten starts, told the number of classes."""
    return _clusters(KModes(classes, random_state=0).fit_predict(data))


def coolcat(data: pd.DataFrame, classes: int) -> Found:
    """Run COOLCAT, told the number of classes."""
    return _clusters(Coolcat(classes, random_state=0).fit_predict(data))


def rock(data: pd.DataFrame, classes: int) -> Found:
    """Run ROCK, told the number of classes, with the theta whose clusters have most utility."""

    def labels(theta: float, records: int) -> npt.NDArray[Any]:
        return Rock(classes, theta=theta, sample_size=records, random_state=0).fit_predict(data)

    theta = max(THETAS, key=lambda each: category_utility(data, labels(each, FEW_RECORDS)))
    return _clusters(labels(theta, MANY_RECORDS), f"theta {theta}")


def _clusters(labels: npt.NDArray[Any], note: str = "") -> Found:
    return Found(labels, int(labels.max()) + 1, note=note)


METHODS: dict[str, Callable[[pd.DataFrame, int], Found]] = {
    "Galileo": galileo,
    "Galileo as published": published,
    "StepMix": stepmix,
    "k-modes": k_modes,
    "ROCK": rock,
    "COOLCAT": coolcat,
}


def codes_of(data: pd.DataFrame) -> Ints:
    """Return the table as the positions of its values, column by column."""
    return np.column_stack([pd.factorize(data[name], sort=True)[0] for name in data])


def held_out(shares: Floats, known: Ints, others: Ints) -> float:
    """Return the mean log-likelihood of other records under a mixture, smoothed.

    The mixture is what one M-step makes of the shares of the records it was fitted to, with one
    record of the global distribution added to every component. A value that none of them has says
    nothing of a record.

    >>> shares = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> round(float(np.exp(held_out(shares, np.array([[0], [1]]), np.array([[0]])))), 3)
    0.5
    """
    sizes = shares.sum(axis=0)
    joint = np.tile(np.log(sizes / sizes.sum()), (len(others), 1))
    for column, asked in zip(known.T, others.T, strict=True):
        n_values = int(max(column.max(), asked.max())) + 1
        counts = np.array([np.bincount(column, share, n_values) for share in shares.T])
        overall = np.bincount(column, minlength=n_values) / len(column)
        p = (counts + overall) / (sizes[:, None] + 1.0)
        seen = overall[asked] > 0
        joint[seen] += np.log(p.T[asked[seen]])
    return float(logsumexp(joint, axis=1).mean())
