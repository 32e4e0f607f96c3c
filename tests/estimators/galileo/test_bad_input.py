"""Bad and odd input: a clear typed error, or the sensible result."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from galileomix import Galileo, GalileoWarning, ParameterError, TableError
from galileomix.datasets import load_zoo
from galileomix.errors import ConstantColumnWarning

GOOD = pd.DataFrame({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20})


@pytest.fixture(scope="module")
def model():
    return Galileo(4, random_state=0).fit(GOOD)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        (pd.DataFrame(index=range(3)), r"0 feature\(s\)"),
        ([["a", "b"], ["a"]], "row 1"),
        (pd.DataFrame([[1.0, np.inf]], columns=["p", "q"]), "column 'q', row 0"),
        (pd.DataFrame([["a", "b"]], columns=["p", "p"]), "'p'"),
        (["a", "b"], "Reshape your data"),
    ],
)
def test_tables_that_cannot_be_fitted(table, words):
    with pytest.raises(TableError, match=words):
        Galileo().fit(table)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.zeros(40), "at least one non-zero"),
        (np.r_[-1.0, np.ones(39)], "row 0"),
        (np.r_[np.nan, np.ones(39)], "row 0"),
        (np.ones(7), "expected"),
    ],
)
def test_weights_that_make_no_sense(weights, words):
    with pytest.raises(TableError, match=words):
        Galileo().fit(GOOD, sample_weight=weights)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("max_components", 0),
        ("max_components", 2.5),
        ("max_components", "many"),
        ("n_components", 0),
        ("n_components", "few"),
        ("random_state", -1),
        ("random_state", 2**32),
        ("criterion", "icl"),
        ("pruning", "none"),
        ("centers", "grid"),
        ("missing", "drop"),
        ("unseen", "guess"),
        ("step_root", 0.5),
        ("prior_strength", -1.0),
        ("tol", np.nan),
        ("max_iter", 0),
        ("n_jobs", 0),
        ("n_jobs", "all"),
        ("refine", "no"),
        ("progress", 1),
    ],
)
def test_parameters_that_make_no_sense(parameter, value):
    with pytest.raises(ParameterError, match=parameter):
        Galileo(**{parameter: value}).fit(GOOD)


def test_one_row_is_one_component():
    model = Galileo(random_state=0).fit([["a", "b"]])
    assert model.n_components_ == 1
    assert model.labels_.tolist() == [0]


@pytest.mark.filterwarnings("ignore::galileomix.errors.ConstantColumnWarning")
def test_a_constant_column_is_fine(model):
    with pytest.warns(ConstantColumnWarning, match="'c'"):
        other = Galileo(4, random_state=0).fit(GOOD.assign(c="same"))
    assert np.array_equal(other.labels_, model.labels_)


def test_a_column_of_nothing_is_fine(model):
    with pytest.warns(ConstantColumnWarning, match="'c'"):
        other = Galileo(4, random_state=0).fit(GOOD.assign(c=None))
    assert np.array_equal(other.labels_, model.labels_)


def test_an_identifier_is_pointed_out():
    with pytest.warns(GalileoWarning, match="'id': an identifier, left out"):
        Galileo(2, random_state=0).fit(GOOD.assign(id=[f"r{i}" for i in range(40)]))


def test_more_components_than_records():
    with pytest.warns(GalileoWarning, match="max_components=99 is more than the 40 records"):
        model = Galileo(99, random_state=0).fit(GOOD)
    assert model.n_components_ == 2


def test_weights_that_are_no_counts():
    with pytest.warns(GalileoWarning, match="weights sum to 1"):
        model = Galileo(random_state=0).fit(GOOD, sample_weight=np.full(40, 1 / 40))
    assert model.n_components_ >= 2


def test_density_that_never_stops_growing():
    with pytest.warns(GalileoWarning, match="density still grows at 16 components"):
        Galileo(criterion="density", random_state=0).fit([[f"v{i % 18}"] * 2 for i in range(90)])


def test_em_that_had_no_time():
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        Galileo.as_published(3, max_iter=2, random_state=0).fit(load_zoo().data)


def test_an_identifier_takes_no_more_memory_than_it_must():
    table = GOOD.loc[GOOD.index.repeat(100)].assign(id=[f"r{i}" for i in range(4000)])
    with pytest.warns(GalileoWarning, match="identifier"):
        model = Galileo(3, random_state=0).fit(table)
    assert model.n_components_ >= 1


def test_predict_before_fit():
    with pytest.raises(NotFittedError):
        Galileo().predict(GOOD)


def test_columns_are_found_by_name(model):
    assert np.array_equal(model.predict(GOOD[["b", "a"]]), model.labels_)
    with pytest.raises(TableError, match="- b"):
        model.predict(GOOD[["a"]])


def test_arrays_must_have_as_many_columns(model):
    other = Galileo(2, random_state=0).fit(GOOD.to_numpy())
    with pytest.raises(TableError, match="X has 1 features, but Galileo is expecting 2 features"):
        other.predict(GOOD[["a"]].to_numpy())


def test_a_value_never_seen_is_left_out_or_refused(model):
    strange = pd.DataFrame({"a": ["z"], "b": ["v"]})
    with pytest.warns(GalileoWarning, match="'z'"):
        assert model.predict(strange)[0] == model.labels_[1]
    with pytest.raises(TableError, match="column 'a', row 0: 'z'"):
        Galileo(2, unseen="error", random_state=0).fit(GOOD).predict(strange)
