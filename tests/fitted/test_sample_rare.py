"""Rare values that share a place in the model are no value that a sample could hold."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo

N = 600
RARE = 0.4


@pytest.fixture(scope="module")
def model() -> Galileo:
    rng = np.random.default_rng(0)
    zips = np.where(rng.random(N) < RARE, rng.permutation(90_000)[:N], 10_115)
    table = pd.DataFrame({"zip": zips, "kind": rng.choice(["a", "b"], N)})
    return Galileo(effort=0.1, random_state=0).fit(table)


def test_a_rare_value_is_drawn_as_missing(model: Galileo) -> None:
    [zips] = (a for a in model.schema_.categorical if a.name == "zip")
    assert zips.pooled
    drawn = model.sample(2000)[0]["zip"]
    assert set(drawn.dropna()) == {10_115}
    assert drawn.isna().mean() == pytest.approx(RARE, abs=0.06)


def test_a_rare_value_that_is_given_stays(model: Galileo) -> None:
    assert set(model.sample(5, given={"zip": 4711})[0]["zip"]) == {4711}
