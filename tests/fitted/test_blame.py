"""The fewest cells without which a record would be usual."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, ParameterError

NAMES = ["u", "v", "w", "x", "y"]


@pytest.fixture(scope="module")
def model():
    """Three kinds of records that differ in every column, and a number."""
    rows = [[f"{name}{kind}" for name in NAMES] for kind in range(3)]
    table = pd.DataFrame(rows * 60, columns=NAMES)
    rng = np.random.default_rng(0)
    kind = np.tile(np.arange(3), 60)
    return Galileo(random_state=0).fit(table.assign(size=10.0 * kind + rng.normal(size=180)))


def record(**changed):
    usual = {name: f"{name}0" for name in NAMES} | {"size": 0.1}
    return pd.DataFrame([usual | changed])


def test_a_usual_record_has_nothing_to_blame(model):
    assert model.blame(record()) == [[]]


def test_one_wrong_cell_of_any_kind(model):
    assert model.blame(record(w="w1")) == [[("w",)]]
    assert model.blame(record(size=20.0)) == [[("size",)]]
    assert model.blame(record(v="never seen")) == [[("v",)]]


def test_two_wrong_cells_are_blamed_together(model):
    assert model.blame(record(u="u1", x="x2")) == [[("u", "x")]]
    assert model.blame(record(u="u1", size=20.0))[0][0] == ("u", "size")


def test_where_either_may_be_wrong_both_are_named(model):
    """Two kinds of two cells each: no one can say which of them is wrong."""
    table = pd.DataFrame([["a", "x"], ["b", "y"]] * 50, columns=["p", "q"])
    pairs = Galileo(random_state=0).fit(table)
    found = pairs.blame(pd.DataFrame({"p": ["a"], "q": ["y"]}))[0]
    assert sorted(found) == [("p",), ("q",)]


def test_many_rows_at_once_and_missing_cells(model):
    rows = pd.concat([record(), record(w="w1"), record(w="w1", y=None)], ignore_index=True)
    assert model.blame(rows) == [[], [("w",)], [("w",)]]


def test_the_order_of_columns_does_not_matter():
    """Also where cells are so far out that no p-value tells them apart."""
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(400, 28))).add_prefix("c")
    noise = Galileo(n_components=1, covariance="diagonal", predictive="chosen").fit(table)
    for wrong in ([26, 27], [4, 15, 26]):
        row = table.iloc[[0]].copy()
        row.iloc[0, wrong] = 12.0
        assert noise.blame(row) == [[tuple(f"c{m}" for m in wrong)]]


def test_not_all_that_is_known_is_blamed(model):
    few = record(v=None, w=None, x=None, y=None, size=20.0)
    assert all(len(cells) < 2 for cells in model.blame(few)[0])


@pytest.mark.parametrize("level", [0, 0.6, "low", True, None])
def test_the_level_is_checked(model, level):
    with pytest.raises(ParameterError, match=f"level={level!r}: it must be a number above 0"):
        model.blame(record(), level=level)
