"""From the same start, without a prior, EM ends where the peers' EM ends."""

import warnings

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture
from stepmix import StepMix

from building import covariances, table_of
from galileomix._kernels import cpu
from galileomix._model.em import Stop, em
from galileomix._model.params import Layout, Mixture
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords

K = 3
CLOSE = Stop(tol=1e-14, max_iter=20_000)


def drawn(n_categorical, n_numeric, missing=0.0, seed=0):
    """Return codes and numbers drawn from components that overlap; NaN where missing."""
    rng = np.random.default_rng(seed)
    label = rng.integers(K, size=600)
    sizes = [2, 3, 4, 3][:n_categorical]
    codes = np.empty((600, n_categorical))
    for m, size in enumerate(sizes):
        p = rng.dirichlet(np.full(size, 0.5), size=K)
        codes[:, m] = [rng.choice(size, p=p[i]) for i in label]
    roots = np.linalg.cholesky(covariances(n_numeric, K, rng).transpose(2, 0, 1))
    away = np.einsum("aqr,ar->aq", roots[label], rng.normal(size=(600, n_numeric)))
    numbers = 2.0 * rng.normal(size=(K, n_numeric))[label] + away
    codes[rng.random(codes.shape) < missing] = np.nan
    numbers[rng.random(numbers.shape) < missing] = np.nan
    return codes, numbers, sizes


def ours(codes, numbers, sizes, start):
    """Return the log-likelihood that plain EM reaches."""
    rows = [[None if np.isnan(v) else int(v) for v in row] for row in codes]
    some = [[None if np.isnan(y) else float(y) for y in row] for row in numbers]
    table = table_of(rows, sizes, some)
    records = BlockRecords(LocalEngine([table.block()]), cpu, start.layout, least_strength=0.0)
    fit = em(records, start, stop=CLOSE, plain=True)
    assert fit.converged
    assert fit.k == K
    return fit.log_likelihood


def stepmix(measurement, data, n_iter, seed):
    model = StepMix(
        K,
        measurement=measurement,
        random_state=seed,
        max_iter=n_iter,
        abs_tol=1e-13,
        rel_tol=0.0,
        progress_bar=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(data)


def theirs(codes, numbers, sizes, measurement, diagonal):
    """Return StepMix after its first step as a mixture of ours, and the end of its run."""
    data = np.column_stack([codes, numbers])
    for seed in range(20):
        first, last = (stepmix(measurement, data, n, seed) for n in (1, 20_000))
        start = converted(first.get_parameters(), sizes, numbers.shape[1], diagonal)
        if start.alpha.min() > 0 and last.n_iter_ < 20_000:
            return start, last.score(data) * len(data)
    raise AssertionError("StepMix never converged")


def converted(parameters, sizes, Q, diagonal):
    found = parameters["measurement"]
    layout = Layout(tuple(sizes), Q, diagonal)
    widest = found["cat"]["max_n_outcomes"]
    pis = found["cat"]["pis"].reshape(K, len(sizes), widest)
    p = np.concatenate([pis[:, m, :size].T for m, size in enumerate(sizes)])
    if not Q:
        return Mixture(layout, parameters["weights"], p)
    spread = found["num"]["covariances"]
    Sigma = np.stack([np.diag(one) if diagonal else one for one in spread], axis=-1)
    return Mixture(layout, parameters["weights"], p, found["num"]["means"].T.copy(), Sigma)


def test_numbers_as_in_scikit_learn():
    codes, numbers, sizes = drawn(0, 3)
    rng = np.random.default_rng(1)
    means, Sigma = numbers[rng.choice(600, K, replace=False)], np.cov(numbers.T)
    peer = GaussianMixture(
        K,
        weights_init=np.full(K, 1 / K),
        means_init=means,
        precisions_init=np.stack([np.linalg.inv(Sigma)] * K),
        reg_covar=0.0,
        tol=1e-14,
        max_iter=20_000,
    ).fit(numbers)
    start = Mixture(
        Layout((), 3),
        np.full(K, 1 / K),
        np.zeros((0, K)),
        means.T.copy(),
        np.repeat(Sigma[:, :, None], K, axis=2),
    )
    reached = ours(codes, numbers, sizes, start)
    assert reached == pytest.approx(peer.score(numbers) * 600, rel=1e-8)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_categories_as_in_stepmix(missing):
    codes, numbers, sizes = drawn(4, 0, missing)
    model = "categorical_nan" if missing else "categorical"
    measurement = {"cat": {"model": model, "n_columns": 4}}
    start, expected = theirs(codes, numbers, sizes, measurement, diagonal=False)
    assert ours(codes, numbers, sizes, start) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    ("model", "missing"),
    [("gaussian_full", 0.0), ("gaussian_diag", 0.0), ("gaussian_diag_nan", 0.2)],
)
def test_both_as_in_stepmix(model, missing):
    codes, numbers, sizes = drawn(3, 2, missing)
    measurement = {
        "cat": {"model": "categorical_nan" if missing else "categorical", "n_columns": 3},
        "num": {"model": model, "n_columns": 2} | ({} if missing else {"reg_covar": 0.0}),
    }
    diagonal = model != "gaussian_full"
    start, expected = theirs(codes, numbers, sizes, measurement, diagonal)
    assert ours(codes, numbers, sizes, start) == pytest.approx(expected, rel=1e-8)
