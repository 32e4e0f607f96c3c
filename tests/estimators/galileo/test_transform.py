"""scikit-learn's transformer interface: rows as the probabilities of their components."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from galileomix import Galileo
from galileomix.datasets import load_zoo
from galileomix.errors import TableTypeError

ZOO = load_zoo()


@pytest.fixture(scope="module")
def model():
    return Galileo(random_state=0).fit(ZOO.data)


def test_a_row_becomes_the_probabilities_of_its_components(model):
    found = model.transform(ZOO.data)
    assert found.shape == (len(ZOO.data), model.n_components_)
    np.testing.assert_array_equal(found, model.predict_proba(ZOO.data))
    np.testing.assert_array_equal(found, Galileo(random_state=0).fit_transform(ZOO.data))


def test_the_columns_have_names_at_every_size(model):
    assert model.get_feature_names_out().tolist() == [
        f"galileo{i}" for i in range(model.n_components_)
    ]
    assert model.at(2).get_feature_names_out().tolist() == ["galileo0", "galileo1"]


def test_a_pandas_frame_keeps_its_index():
    table = ZOO.data.set_axis([f"row {a}" for a in range(len(ZOO.data))])
    found = Galileo(random_state=0).set_output(transform="pandas").fit_transform(table)
    assert isinstance(found, pd.DataFrame)
    assert found.index.equals(table.index) and found.columns[0] == "galileo0"


def test_polars_on_request(model):
    found = model.at(model.n_components_).set_output(transform="polars").transform(ZOO.data)
    assert isinstance(found, pl.DataFrame) and found.shape[1] == model.n_components_


def test_a_step_of_a_pipeline():
    pipeline = make_pipeline(Galileo(random_state=0, criterion="aic"), LogisticRegression())
    assert pipeline.fit(ZOO.data, ZOO.target).score(ZOO.data, ZOO.target) > 0.9
    names = list(ZOO.data.columns[:8])
    columns = make_column_transformer((Galileo(random_state=0), names), remainder="drop")
    found = columns.set_output(transform="pandas").fit_transform(ZOO.data)
    assert found.columns[0] == "galileo__galileo0"


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, sparse.dok_array])
def test_sparse_arrays_are_refused_by_name(form):
    with pytest.raises(TableTypeError, match=r"sparse tables are not supported.*toarray"):
        Galileo().fit(form(np.eye(4)))


def test_sparse_columns_of_a_frame_are_read():
    dense = pd.DataFrame(np.repeat(np.eye(2), 40, axis=0), columns=["u", "v"])
    found = [Galileo(2, random_state=0).fit(t) for t in (dense, dense.astype("Sparse[float]"))]
    assert found[0].schema_ == found[1].schema_
    assert found[0].labels_.tolist() == found[1].labels_.tolist()
