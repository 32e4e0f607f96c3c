import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

import galileomix
from galileomix import Galileo, GalileoImputer, ModelFileError, ParameterError
from galileomix.datasets import load_votes, make_mixed

QUICK = Galileo(missing="ignore", effort=0.01, random_state=0)


@parametrize_with_checks([GalileoImputer(QUICK)])
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def mixed():
    """Categories, numbers, whole numbers and truth values, some of each missing."""
    data = make_mixed(300, random_state=0).data
    rng = np.random.default_rng(0)
    data = data.assign(
        count=pd.array(rng.integers(0, 50, 300), dtype="Int64"),
        flag=pd.array(rng.random(300) < 0.5, dtype="boolean"),
    )
    return data.mask(rng.random(data.shape) < 0.1)


def test_nothing_is_missing_and_all_else_is_as_it_was(mixed):
    filled = GalileoImputer(QUICK).fit_transform(mixed)
    assert not filled.isna().any().any()
    assert (filled.dtypes == mixed.dtypes).all() and filled.index.equals(mixed.index)
    known = mixed.notna()
    assert filled.where(known).astype(object).equals(mixed.where(known).astype(object))


def test_the_library_of_the_table_is_kept(mixed):
    imputer = GalileoImputer(QUICK).fit(mixed)
    frame = pl.from_pandas(mixed)
    found = imputer.transform(frame)
    assert isinstance(found, pl.DataFrame) and found.schema == frame.schema
    assert sum(found.null_count().row(0)) == 0
    numbers = np.array([[1.0, np.nan], [2.0, 4.1], [1.0, 2.0], [2.1, 4.0]] * 20)
    array = GalileoImputer(QUICK).fit_transform(numbers)
    assert isinstance(array, np.ndarray) and array.dtype == numbers.dtype
    assert not np.isnan(array).any()
    np.testing.assert_array_equal(array[:, 0], numbers[:, 0])


def test_columns_that_tell_nothing_are_carried_along(mixed):
    with_id = mixed.assign(person_id=[f"id{n:05}" for n in range(len(mixed))])
    imputer = GalileoImputer(QUICK).set_output(transform="pandas").fit(with_id)
    found = imputer.transform(with_id)
    assert list(found) == list(with_id) == list(imputer.get_feature_names_out())
    assert found["person_id"].equals(with_id["person_id"])
    rows = with_id[["person_id", *mixed.columns[:2]]].astype(object).to_numpy().tolist()
    array = GalileoImputer(QUICK).fit_transform(rows)
    assert array.shape == (300, 3) and array[:, 0].tolist() == with_id["person_id"].tolist()


def test_it_is_a_step_of_a_pipeline():
    votes = load_votes()
    table = votes.data.where(votes.data != "?")
    steps = (GalileoImputer(QUICK), OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    pipeline = make_pipeline(*steps)
    train, test = np.arange(len(table)) % 3 > 0, np.arange(len(table)) % 3 == 0
    pipeline.fit(table[train], votes.target[train])
    assert pipeline.score(table[test], votes.target[test]) > 0.9
    assert list(pipeline[:-2].get_feature_names_out()) == list(table.columns)


def test_cells_that_go_together_are_filled_together():
    """Two kinds of records, one a little more common in each of two ways."""
    rows = [["s", "a", "a"]] * 30 + [["s", "b", "b"]] * 25 + [["s", "b", "c"]] * 24
    table = pd.DataFrame([*rows, *[["t", "c", "b"]] * 30], columns=["x", "y", "z"])
    gap = pd.DataFrame({"x": ["s"], "y": [None], "z": [None]})
    model = Galileo(missing="ignore", random_state=0)
    jointly = GalileoImputer(model, jointly=True).fit(table)
    assert jointly.transform(gap).iloc[0].tolist() == ["s", "a", "a"]
    alone = clone(jointly).set_params(jointly=False).fit(table)
    assert alone.transform(gap).iloc[0, 1] == "b"  # by itself more common, but never with "a"


def test_a_spike_is_filled_with_its_own_kind():
    """A number that is zero says nothing but that: what is filled beside it goes with zero."""
    rng = np.random.default_rng(0)
    none = rng.random(400) < 0.6
    rain = np.where(none, 0.0, rng.gamma(2.0, 3.0, 400))
    sky = np.where(none ^ (rng.random(400) < 0.05), "clear", "cloudy")
    ground = np.where(none ^ (rng.random(400) < 0.05), "dry", "wet")
    table = pd.DataFrame({"rain": rain, "sky": sky, "ground": ground})
    model = Galileo(missing="ignore", random_state=0, predictive="chosen").fit(table)
    gaps = pd.DataFrame({"rain": [0.0, 9.0], "sky": [None] * 2, "ground": [None] * 2})
    filled = model.impute(gaps, jointly=True)
    assert filled[["sky", "ground"]].to_numpy().tolist() == [["clear", "dry"], ["cloudy", "wet"]]


def test_a_joint_filling_is_no_less_probable(mixed):
    model = clone(QUICK).set_params(predictive="chosen").fit(mixed)
    alone, jointly = model.impute(mixed), model.impute(mixed, jointly=True)
    scores = [model.explain(table).log_density for table in (alone, jointly)]
    assert (scores[1] >= scores[0] - 1e-6).mean() > 0.99
    assert scores[1].mean() > scores[0].mean()


def test_it_is_saved_with_its_model(mixed, tmp_path):
    imputer = GalileoImputer(QUICK, jointly=True).fit(mixed)
    imputer.save(tmp_path / "imputer.galileo")
    again = galileomix.load(tmp_path / "imputer.galileo")
    assert isinstance(again, GalileoImputer) and again.jointly
    pd.testing.assert_frame_equal(again.transform(mixed), imputer.transform(mixed))
    with pytest.raises(ModelFileError, match="this is a GalileoImputer, not a Galileo"):
        Galileo.load(tmp_path / "imputer.galileo")


def test_bad_input_is_named(mixed):
    with pytest.raises(ParameterError, match="jointly='yes': it must be True or False"):
        GalileoImputer(QUICK, jointly="yes").fit(mixed)
    with pytest.raises(ParameterError, match="jointly and n_draws"):
        clone(QUICK).fit(mixed).impute(mixed, jointly=True, n_draws=2)
