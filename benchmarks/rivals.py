"""Other people's searches, measured as ours are."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import logsumexp
from stepmix import StepMix

from benchmarks.common import Record


def stepmix(data: pd.DataFrame, k: int, seed: int, n_init: int = 20) -> Record:
    """Fit StepMix with k components and so many starts to a table of categories."""
    codes = np.column_stack([pd.factorize(data[name], sort=True)[0] for name in data])
    model = StepMix(
        k,
        measurement="categorical",
        n_init=n_init,
        random_state=seed,
        abs_tol=1e-10,
        rel_tol=0.0,
        max_iter=1000,
        progress_bar=0,
    )
    begun = time.perf_counter()
    model.fit(codes)
    seconds = time.perf_counter() - begun
    return {
        "k": k,
        "seconds": round(seconds, 4),
        "log_likelihood": checked_log_likelihood(model, codes),
        "labels": model.predict(codes),
        "converged": bool(model.converged_),
    }


def checked_log_likelihood(model: StepMix, codes: npt.NDArray[np.intp]) -> float:
    """Return StepMix's log-likelihood, after computing it again from its parameters."""
    told = float(model.score(codes)) * len(codes)
    parameters = model.get_parameters()
    probability = parameters["measurement"]["pis"]
    width = probability.shape[1] // codes.shape[1]
    column = codes + width * np.arange(codes.shape[1])
    joint = np.log(parameters["weights"]) + np.log(probability.T[column]).sum(axis=1)
    computed = float(logsumexp(joint, axis=1).sum())
    if not np.isclose(told, computed, rtol=1e-9):
        raise ValueError(f"StepMix says its log-likelihood is {told}, but it is {computed}")
    return computed
