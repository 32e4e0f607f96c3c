"""Other people's clusterings of numbers and mixed tables, and one measure for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd
from kmodes.kprototypes import KPrototypes
from scipy.linalg import solve_triangular
from scipy.special import logsumexp, xlogy
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from benchmarks.common import Record

Floats = npt.NDArray[np.float64]
Clusterer = Callable[[pd.DataFrame, int], tuple[Floats, float | None]]

MOST = 10


def measured(rival: Clusterer, data: pd.DataFrame, true_k: int) -> Record:
    """Let a rival cluster a table; say what it found and what that is worth."""
    begun = time.perf_counter()
    shares, told = rival(data, true_k)
    seconds = time.perf_counter() - begun
    computed = log_likelihood(data, shares) if told is None else told
    k = shares.shape[1]
    found = {"k": k, "seconds": round(seconds, 4), "labels": shares.argmax(axis=1)}
    return found | {"bic": bic(computed, k, data)}


def gaussian_mixture(data: pd.DataFrame, true_k: int) -> tuple[Floats, float | None]:
    """Fit scikit-learn's GaussianMixture, categories as columns of 0 and 1, k by its BIC."""
    columns, scales = standardised(pd.get_dummies(data, dtype=float))
    fits = [
        GaussianMixture(k, covariance_type="full", n_init=5, random_state=0, max_iter=1000)
        for k in range(1, MOST + 1)
    ]
    chosen = min((fit.fit(columns) for fit in fits), key=lambda fit: fit.bic(columns))
    shares = chosen.predict_proba(columns)
    if len(numeric(data).columns) < len(data.columns):
        return shares, None
    return shares, float(chosen.score(columns) - np.log(scales).sum()) * len(data)


def prototypes(data: pd.DataFrame, true_k: int) -> tuple[Floats, float | None]:
    """Cluster by k-prototypes, or k-means where all is numbers, told the number of classes."""
    numbers, _ = standardised(numeric(data))
    categories = data.drop(columns=numeric(data).columns)
    if categories.empty:
        labels = KMeans(true_k, n_init=20, random_state=0).fit_predict(numbers)
    else:
        cells = np.column_stack([numbers.astype(object), categories.to_numpy(dtype=object)])
        places = list(range(numbers.shape[1], cells.shape[1]))
        model = KPrototypes(true_k, n_init=10, random_state=0)
        labels = model.fit_predict(cells, categorical=places)
    return np.eye(true_k)[labels], None


LEAST = 1.0
"""The records' worth of the whole table that our covariances lean on."""


def numeric(data: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of a table."""
    return data.select_dtypes("number")


def standardised(numbers: pd.DataFrame) -> tuple[Floats, Floats]:
    """Return columns of mean 0 and deviation 1, and what the deviations were."""
    scales = numbers.std(ddof=0).to_numpy()
    return ((numbers - numbers.mean()) / scales).to_numpy(), scales


def log_likelihood(data: pd.DataFrame, shares: Floats) -> float:
    """Return the log-likelihood of the table under the mixture that the shares amount to.

    A component is one distribution per category times a Gaussian, as in our model: an M-step with
    the least prior that ours has, so that a covariance of few records is none of zero.
    """
    weight = shares.sum(axis=0)
    joint = np.tile(np.log(weight / len(data)), (len(data), 1))
    for name in data.drop(columns=numeric(data).columns):
        codes, _ = pd.factorize(data[name])
        counts = np.stack([np.bincount(codes, weights=share) for share in shares.T])
        joint += (xlogy(1.0, counts) - np.log(weight)[:, None])[:, codes].T
    x, scales = standardised(numeric(data))
    everything = np.cov(x.T, bias=True)
    for i, share in enumerate(shares.T):
        mu = share @ x / weight[i]
        scatter = (share[:, None] * (x - mu)).T @ (x - mu)
        Sigma = (scatter + LEAST * everything) / (weight[i] + LEAST)
        joint[:, i] += log_gaussian(x - mu, Sigma)
    return float(np.asarray(logsumexp(joint, axis=1)).sum() - len(data) * np.log(scales).sum())


def log_gaussian(away: Floats, Sigma: Floats) -> Floats:
    """Return the log density of a Gaussian at so far from its mean."""
    root = np.linalg.cholesky(Sigma)
    scaled = solve_triangular(root, away.T, lower=True)
    half_log_det = np.log(np.diag(root)).sum()
    return -0.5 * (scaled**2).sum(axis=0) - half_log_det - 0.5 * len(root) * np.log(2 * np.pi)


def bic(log_likelihood: float, k: int, data: pd.DataFrame, diagonal: bool = False) -> float:
    """Return the BIC, with the same count of parameters for whoever found the mixture."""
    Q = len(numeric(data).columns)
    gaussian = 2 * Q if diagonal else Q + Q * (Q + 1) // 2
    values = data.drop(columns=numeric(data).columns).nunique() - 1
    parameters = (k - 1) + k * (int(values.sum()) + gaussian)
    return round(float(np.log(len(data))) * parameters - 2.0 * log_likelihood, 6)
