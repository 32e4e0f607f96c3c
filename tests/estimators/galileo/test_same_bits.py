"""One answer to the bit: any number of threads, many callers at once, on disk or in memory."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from galileomix.datasets import make_mixed, make_rules
from quick_fits import quick


def categories():
    """More rows than single precision begins at, so that drafts are part of it."""
    return make_rules(40_000, n_rules=2, noise=0.2, random_state=4).data, None


def numbers_and_weights(n_rows=20_000):
    table = make_mixed(n_rows, n_components=2, missing=0.1, random_state=1).data
    return table, np.random.default_rng(0).integers(0, 4, len(table)) / 2


TABLES = {"categories": categories, "numbers and weights": numbers_and_weights}


def digest(model):
    """Return a hash of every parameter of every model on the path."""
    hashed = hashlib.sha256()
    for k, mixture in sorted(model._model.mixtures.items()):
        for part in (mixture.alpha, mixture.p, mixture.mu, mixture.Sigma):
            hashed.update(str(k).encode() + np.ascontiguousarray(part).tobytes())
    hashed.update(model.path_.to_frame().to_json().encode())
    hashed.update(model.labels_.tobytes())
    return hashed.hexdigest()


def fitted(table, **parameters):
    X, weights = table
    return digest(quick(max_iter=20, **parameters).fit(X, sample_weight=weights))


@pytest.fixture(scope="module", params=TABLES)
def table(request):
    return TABLES[request.param]()


@pytest.fixture(scope="module")
def alone(table):
    return fitted(table)


pytestmark = pytest.mark.filterwarnings("ignore:EM stopped")


@pytest.mark.parametrize("n_jobs", [2, 8, -1])
def test_threads_change_no_bit(table, alone, n_jobs):
    assert fitted(table, n_jobs=n_jobs) == alone


def test_callers_at_once_change_no_bit(table, alone):
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda n_jobs: fitted(table, n_jobs=n_jobs), [2, 3]))
    assert set(found) == {alone}


def test_blocks_on_disk_change_no_bit(table, alone):
    assert fitted(table, memory_limit=100_000, n_jobs=2) == alone


def test_the_hash_sees_numbers_and_weights():
    X, weights = numbers_and_weights(500)
    other = pd.DataFrame(X).assign(x0=X["x0"] * (1 + 1e-12))
    found = {fitted(table) for table in ((X, weights), (other, weights), (X, None))}
    assert len(found) == 3
