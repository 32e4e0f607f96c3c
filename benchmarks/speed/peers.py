"""The peers, each given integer codes that are made before the clock starts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from stepmix import StepMix
from threadpoolctl import threadpool_limits

from benchmarks.rivals import checked_log_likelihood
from benchmarks.speed import clock

Codes = NDArray[np.intp]
Labels = NDArray[Any]


def coded(data: pd.DataFrame) -> Codes:
    """Return the table as integers from 0 in every column."""
    return np.column_stack([pd.factorize(data[name], sort=True)[0] for name in data])


def stepmix_seconds(codes: Codes, k: int, threads: int, max_iter: int) -> float:
    """Return how long so many of StepMix's EM iterations take, with all that it does before."""
    with threadpool_limits(threads):
        return clock.seconds(lambda: stepmix(codes, k, 0, max_iter))


def stepmix(codes: Codes, k: int, seed: int, max_iter: int = 1000) -> StepMix:
    """Fit StepMix from one start, with its own tolerances."""
    model = StepMix(
        k, measurement="categorical", max_iter=max_iter, random_state=seed, progress_bar=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(codes)


def stepmix_log_likelihood(model: StepMix, codes: Codes) -> float:
    """Return StepMix's log-likelihood, checked."""
    with np.errstate(divide="ignore"):
        return checked_log_likelihood(model, codes)


def stepmix_labels(codes: Codes, k: int) -> Labels:
    """Fit and predict with StepMix from one start."""
    return stepmix(codes, k, 0).predict(codes)


def kmodes_labels(codes: Codes, k: int) -> Labels:
    """Fit and predict with k-modes from one start by Huang's rule."""
    from kmodes.kmodes import KModes

    model = KModes(k, init="Huang", n_init=1, n_jobs=1, random_state=0)
    return model.fit_predict(codes)


def gaussian_labels(codes: Codes, k: int) -> Labels:
    """Fit and predict with scikit-learn's Gaussian mixture on one column per value."""
    wide = np.concatenate([np.eye(column.max() + 1)[column] for column in codes.T], axis=1)
    return GaussianMixture(k, covariance_type="diag", random_state=0).fit_predict(wide)


def pomegranate_labels(codes: Codes, k: int) -> Labels:
    """Fit and predict with pomegranate's mixture of categorical distributions, on one thread."""
    import torch
    from pomegranate.distributions import Categorical
    from pomegranate.gmm import GeneralMixtureModel

    torch.set_num_threads(1)
    table = torch.tensor(codes)
    n_values = int(codes.max()) + 1
    parts = [Categorical(n_categories=n_values) for _ in range(k)]
    model = GeneralMixtureModel(parts, random_state=0)
    return model.fit(table).predict(table).numpy()
