"""Small tables, and models that are asked about them."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix.datasets import make_mixed


@pytest.fixture(scope="session")
def small():
    """A table of three columns whose full joint can be written down."""
    rng = np.random.default_rng(5)
    group = rng.integers(0, 3, 400)
    odds = rng.dirichlet(np.ones(3) * 0.4, size=(3, 3))
    draw = [[rng.choice(list("abc"), p=odds[k, m]) for m in range(3)] for k in group]
    return pd.DataFrame(draw, columns=["u", "v", "w"])


@pytest.fixture(scope="session")
def small_model(small):
    return Galileo(random_state=0, criterion="aic", predictive="chosen").fit(small)


@pytest.fixture(scope="session")
def mixed():
    return make_mixed(
        1500, n_components=3, n_categorical=3, n_numeric=2, separation=4.0, random_state=2
    ).data


@pytest.fixture(scope="session")
def mixed_model(mixed):
    return Galileo(random_state=0, missing="ignore", predictive="chosen").fit(mixed)
