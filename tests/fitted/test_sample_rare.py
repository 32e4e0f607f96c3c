"""Rare values share a place in the model; a sample has them as often as the table."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import galileomix
from galileomix import Galileo
from galileomix._table.attribute import attribute_from

N = 600
RARE = 0.4
THRICE = 90_210


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    zips = np.where(rng.random(N) < RARE, rng.permutation(90_000)[:N], 10_115)
    zips[:3] = THRICE
    return pd.DataFrame({"zip": zips, "kind": rng.choice(["a", "b"], N)})


@pytest.fixture(scope="module")
def model(table: pd.DataFrame) -> Galileo:
    return Galileo(effort=0.1, random_state=0).fit(table)


def test_rare_values_are_drawn_as_often_as_they_occur(model: Galileo, table: pd.DataFrame) -> None:
    [zips] = (a for a in model.schema_.categorical if a.name == "zip")
    assert zips.pooled
    drawn = model.sample(2000)[0]["zip"]
    assert not drawn.isna().any() and set(drawn) <= set(table["zip"])
    for value in (10_115, THRICE):
        share = (table["zip"] == value).mean()
        assert (drawn == value).mean() == pytest.approx(share, abs=3.0 * np.sqrt(share / 2000))


def test_a_file_keeps_them_and_one_without_them_is_read(model: Galileo, tmp_path: Path) -> None:
    model.save(tmp_path / "model.galileo")
    loaded = galileomix.load(tmp_path / "model.galileo")
    pd.testing.assert_frame_equal(loaded.sample(50)[0], model.sample(50)[0])
    [zips] = (a for a in model.schema_.categorical if a.name == "zip")
    data = {name: value for name, value in zips.to_dict().items() if name != "rare"}
    assert attribute_from(data) == replace(zips, rare=())


@pytest.mark.parametrize("rare", [3, [3], [["a"]], [["a", "b"]], [["a", 0]], [["a", 1e400]]])
def test_a_forged_list_is_refused(rare: object) -> None:
    data = {"kind": "categorical", "name": "zip", "values": ["x", "(other)"], "pooled": True}
    with pytest.raises(TypeError):
        attribute_from({**data, "rare": rare})


def test_only_the_most_frequent_are_remembered() -> None:
    names = [*(f"v{i}" for i in range(1_500)), *(f"v{i}" for i in range(1_200, 1_500))]
    table = pd.DataFrame({"name": names + ["usual"] * 2_000})
    table["other"] = np.where(np.arange(len(table)) % 2, "a", "b")
    schema = Galileo(effort=0.1, categorical=["name"]).fit(table).schema_
    [rare] = (dict(a.rare) for a in schema.categorical if a.name == "name")
    assert len(rare) == 1_000 and all(rare[f"v{i}"] == 2.0 for i in range(1_200, 1_500))


def test_a_rare_value_that_is_given_stays(model: Galileo) -> None:
    assert set(model.sample(5, given={"zip": 4711})[0]["zip"]) == {4711}
