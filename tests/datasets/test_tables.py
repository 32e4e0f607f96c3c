import pandas as pd
import pytest

from galileomix import datasets

SHAPES = {
    "mushroom": ((8124, 23), (8124, 23), 2, "class"),
    "votes": ((435, 17), (435, 16), 2, "class"),
    "soybean": ((683, 36), (683, 35), 19, "class"),
    "zoo": ((101, 18), (101, 17), 7, "type"),
}
MISSING = {"mushroom": 2480, "votes": 392, "soybean": 2337, "zoo": 0}


@pytest.fixture(params=SHAPES)
def name(request):
    return request.param


@pytest.fixture
def table(name):
    return getattr(datasets, f"load_{name}")()


def test_shapes_are_the_paper_s(name, table):
    frame, data, n_classes, target = SHAPES[name]
    assert table.frame.shape == frame
    assert table.data.shape == data
    assert table.target.name == target
    assert len(table.target_names) == n_classes
    assert set(table.target) == set(table.target_names)
    assert table.feature_names == list(table.data.columns)


def test_missing_is_a_value(name, table):
    assert not table.frame.isna().any(axis=None)
    assert (table.frame.astype(str) == "?").sum().sum() == MISSING[name]


def test_values_are_text_except_in_the_zoo(name, table):
    numbers = [c for c in table.frame if not pd.api.types.is_string_dtype(table.frame[c])]
    assert len(numbers) == (16 if name == "zoo" else 0)


def test_zoo_has_booleans_and_whole_numbers_of_legs():
    frame = datasets.load_zoo().frame
    booleans = [c for c in frame if frame[c].dtype == bool]
    assert len(booleans) == 15
    assert sorted(frame["legs"].unique().tolist()) == [0, 2, 4, 5, 6, 8]
    assert bool(frame["hair"][0]) is True
    assert "animal" not in datasets.load_zoo().data


def test_mushroom_has_no_row_twice_and_only_stalk_roots_are_missing():
    frame = datasets.load_mushroom().frame
    assert not frame.duplicated().any()
    assert (frame["stalk-root"] == "?").sum() == MISSING["mushroom"]


def test_arrays_on_request(name):
    load = getattr(datasets, f"load_{name}")
    frames, arrays = load(), load(as_frame=False)
    assert arrays.frame is None
    assert arrays.data.tolist() == frames.data.to_numpy(dtype=object).tolist()
    assert arrays.target.tolist() == frames.target.tolist()


def test_a_change_to_one_copy_leaves_the_next_alone(name, table):
    table.data.iloc[:, 0] = table.data.iloc[0, 0]
    table.target.iloc[:] = table.target.iloc[0]
    again = getattr(datasets, f"load_{name}")()
    assert again.frame.equals(table.frame)
    assert len(set(again.target)) > 1


def test_description_names_source_and_licence(table):
    assert "UCI Machine Learning Repository" in table.DESCR
    assert "https://doi.org/10.24432/" in table.DESCR
    assert "CC BY 4.0" in table.DESCR
