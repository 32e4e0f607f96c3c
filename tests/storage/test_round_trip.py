"""What is saved and loaded is the same model, to the bit."""

import json
import stat

import numpy as np
import pandas as pd
import pytest
import safetensors
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import galileomix
from galileomix import Galileo, GalileoDetector, GalileoWarning, ModelFileError
from galileomix._storage import container, plain
from storage.same import assert_same_answers, assert_same_model

VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=()))
)


def typed(value):
    if isinstance(value, list | tuple):
        return (type(value), [typed(each) for each in value])
    if isinstance(value, dict):
        return [(typed(key), typed(each)) for key, each in value.items()]
    return (type(value), value)


@given(st.recursive(VALUES, lambda x: st.lists(x) | st.tuples(x, x) | st.dictionaries(VALUES, x)))
def test_every_value_comes_back_with_its_type(value):
    encoded = json.loads(json.dumps(plain.encode(value), allow_nan=False))
    assert typed(plain.decode(encoded)) == typed(value)


def test_a_file_gives_the_same_model(example, tmp_path):
    model, table = example
    model.save(tmp_path / "m.galileo")
    loaded = Galileo.load(tmp_path / "m.galileo")
    assert_same_model(model, loaded, table)
    assert loaded.get_params() == model.get_params()
    assert not hasattr(loaded, "labels_")


def test_json_gives_the_same_model(example):
    model, table = example
    loaded = Galileo.from_dict(json.loads(model.to_json()))
    assert_same_model(model, loaded, table)
    assert loaded.get_params() == model.get_params()
    assert_same_model(model, Galileo.from_dict(model.to_dict()), table)


def test_the_same_model_gives_the_same_file(example, tmp_path):
    model, _ = example
    first, second = tmp_path / "1", tmp_path / "2"
    model.save(first)
    Galileo.load(first).save(second)
    assert first.read_bytes() == second.read_bytes()


def test_any_estimator_by_its_file(model, path):
    assert type(galileomix.load(str(path))) is Galileo
    GalileoDetector().fit([["a"], ["b"]] * 9).save(path)
    assert type(galileomix.load(path)) is GalileoDetector


def test_another_size_is_kept_as_it_is(example, tmp_path):
    model, table = example
    model.at(1).save(tmp_path / "one")
    one = Galileo.load(tmp_path / "one")
    assert one.n_components_ == 1
    assert_same_answers(one.at(model.n_components_), model, table)


def test_rows_without_names(tmp_path):
    table = [["a", "x", 1], ["b", "y", 2]] * 20
    model = Galileo(2, random_state=0).fit(table)
    model.save(tmp_path / "m")
    assert_same_model(model, Galileo.load(tmp_path / "m"), table)


@pytest.mark.parametrize("missing", ["category", "ignore"])
def test_numbers_alone_and_nothing_known(missing, tmp_path):
    numbers = np.sin(np.arange(80.0) * 1.3).reshape(40, 2) + np.arange(2).repeat(20)[:, None] * 9
    holes = pd.DataFrame({"x": numbers[:, 0], "c": pd.Series([None] * 40, dtype=object)})
    for table in (numbers, holes):
        model = Galileo(2, missing=missing, random_state=0).fit(table)
        model.save(tmp_path / "m")
        assert_same_model(model, Galileo.load(tmp_path / "m"), table)
        assert_same_model(model, Galileo.from_dict(model.to_dict()), table)


@pytest.mark.parametrize("column", [["a"] * 40, [None] * 40, [1.5] * 40, [np.nan] * 40])
@pytest.mark.parametrize("missing", ["category", "ignore"])
@pytest.mark.filterwarnings("ignore::galileomix.ConstantColumnWarning")
def test_columns_that_say_nothing(column, missing, tmp_path):
    table = pd.DataFrame({"x": ["a", "b"] * 20, "c": column})
    model = Galileo(2, missing=missing, random_state=0).fit(table)
    model.save(tmp_path / "m")
    assert_same_model(model, Galileo.load(tmp_path / "m"), table)


def test_very_many_values_stand_beside_the_header(example, tmp_path, monkeypatch):
    model, table = example
    monkeypatch.setattr(container, "MANY_VALUES", 1)
    model.save(tmp_path / "m")
    with safetensors.safe_open(tmp_path / "m", "np") as file:
        assert "values" in file.keys()  # noqa: SIM118
    assert_same_model(model, Galileo.load(tmp_path / "m"), table)


def test_safetensors_reads_the_file(model, path):
    with safetensors.safe_open(path, "np") as file:
        manifest = json.loads(file.metadata()["galileomix"])
        assert manifest["format_version"] == 3
        k = model.n_components_
        assert np.array_equal(file.get_tensor(f"k.{k}.alpha"), model.weights_)


def test_a_random_state_goes_on_where_it_was(tmp_path):
    table = [["a", "x"], ["b", "y"]] * 20
    model = Galileo(2, random_state=np.random.RandomState(7)).fit(table)
    model.random_state.normal()
    model.save(tmp_path / "m")
    loaded = Galileo.load(tmp_path / "m")
    assert model.sample(20)[1].tolist() == loaded.sample(20)[1].tolist()
    assert model.random_state.normal() == loaded.random_state.normal()


def test_a_function_is_not_kept(tmp_path):
    model = Galileo(2, random_state=0, progress=lambda step: None).fit([["a"], ["b"]] * 20)
    with pytest.warns(GalileoWarning, match="progress is a function and is not saved"):
        model.save(tmp_path / "m")
    assert Galileo.load(tmp_path / "m").progress is False


def test_other_ways_to_say_parameters(tmp_path):
    table = pd.DataFrame({"x": ["a", "b"] * 20, "y": [1.0, 2.0] * 20})
    model = Galileo(
        np.int64(2), categorical=np.array(["x", "y"]), discretize=("width", 3), random_state=0
    ).fit(table)
    model.save(tmp_path / "m")
    loaded = Galileo.load(tmp_path / "m")
    assert loaded.max_components == 2
    assert loaded.categorical == ["x", "y"]
    assert loaded.discretize == ("width", 3)
    assert_same_model(model, loaded, table)


def test_a_loaded_model_can_be_fitted_again(path, model):
    from storage.examples import mixed_table

    again = Galileo.load(path).fit(mixed_table())
    assert_same_model(model, again, mixed_table())


def test_a_model_that_was_never_fitted(tmp_path):
    for ask in (lambda: Galileo().save(tmp_path / "m"), Galileo().to_dict, Galileo().to_json):
        with pytest.raises(NotFittedError):
            ask()
    assert not list(tmp_path.iterdir())


def test_the_model_of_another_estimator(model, path):
    class Other(Galileo):
        pass

    with pytest.raises(ModelFileError, match="this is a Galileo, not a Other"):
        Other.load(path)
    other = Other(2).fit([["a"], ["b"]] * 9)
    other.save(path)
    assert type(Other.load(path)) is Other
    with pytest.raises(ModelFileError, match=r"model\.galileo': this is a Other, which is unknown"):
        galileomix.load(path)


def test_permissions_are_those_of_the_old_file(model, path):
    path.chmod(0o640)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link(model, path, tmp_path):
    link = tmp_path / "link.galileo"
    link.symlink_to(path)
    before = path.read_bytes()
    model.at(1).save(link)
    assert link.is_symlink()
    assert path.read_bytes() != before
    assert Galileo.load(link).n_components_ == 1
