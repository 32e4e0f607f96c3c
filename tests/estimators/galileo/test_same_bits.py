"""One answer to the bit: any number of threads, many callers at once, again and again."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from galileomix import Galileo
from galileomix.datasets import make_rules

TABLE = make_rules(70_000, n_rules=2, noise=0.2, random_state=4).data


def digest(model):
    """Return a hash of every parameter of every model on the path."""
    hashed = hashlib.sha256()
    for k, mixture in sorted(model._model.mixtures.items()):
        for part in (mixture.alpha, mixture.p):
            hashed.update(str(k).encode() + np.ascontiguousarray(part).tobytes())
    hashed.update(model.path_.to_frame().to_json().encode())
    hashed.update(model.labels_.tobytes())
    return hashed.hexdigest()


def fitted(n_jobs):
    return digest(Galileo(3, n_jobs=n_jobs, random_state=0).fit(TABLE))


@pytest.fixture(scope="module")
def alone():
    return fitted(None)


@pytest.mark.parametrize("n_jobs", [1, 2, 3, 4, 8, -1])
def test_threads_change_no_bit(alone, n_jobs):
    assert fitted(n_jobs) == alone


def test_eight_callers_at_once_change_no_bit(alone):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(fitted, [1, 2, 3, 4, 8, 2, 1, 2]))
    assert set(found) == {alone}
