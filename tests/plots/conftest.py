"""Models to draw, and a backend that opens no windows."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

from galileomix import Galileo
from galileomix.datasets import load_votes, load_zoo


@pytest.fixture(autouse=True)
def closed():
    mpl.use("Agg")
    yield
    pyplot.close("all")


@pytest.fixture(scope="session")
def zoo():
    return load_zoo().data


@pytest.fixture(scope="session")
def zoo_model(zoo):
    return Galileo(random_state=0).fit(zoo)


@pytest.fixture(scope="session")
def votes_model():
    return Galileo(n_components=4, effort=0.1, random_state=0).fit(load_votes().data)


@pytest.fixture(scope="session")
def mixed():
    """Two clusters in a category, a number, a number that is often zero, and a date."""
    rng = np.random.default_rng(3)
    group = np.arange(300) % 2
    rain = np.where(rng.random(300) < 0.7 - 0.5 * group, 0.0, np.exp(rng.normal(group, 0.5)))
    days = pd.to_timedelta(rng.normal(400 * group, 60), unit="D")
    return pd.DataFrame(
        {
            "color": np.array(["red", "blue"])[group],
            "width": rng.normal(5.0 * group, 1.0),
            "rain": rain,
            "day": pd.Timestamp("2020-01-01") + days,
        }
    )


@pytest.fixture(scope="session")
def mixed_model(mixed):
    return Galileo(random_state=0).fit(mixed)
