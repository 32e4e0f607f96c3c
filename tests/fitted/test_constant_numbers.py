"""Numbers that are the same in all records, or known in none."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, ModelFileError, ParameterError
from quick_fits import quick


@pytest.fixture(scope="module", params=[1.0, 1000.0])
def table(request):
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 200)
    constant = np.full(200, 0.001 * request.param)
    a, x = np.where(kind, "u", "v"), kind + rng.normal(size=200)
    return pd.DataFrame({"a": a, "x": x, "c": constant, "n": np.nan})


@pytest.fixture(scope="module")
def model(table):
    with pytest.warns(UserWarning, match="ignored"):
        return quick(numeric=["c", "n"]).fit(table)


def test_what_is_always_the_same_is_drawn_and_expected_so(model, table):
    value = table["c"][0]
    drawn, _ = model.sample(20)
    np.testing.assert_allclose(drawn["c"], value, rtol=1e-12)
    found = model.conditional("c", {"a": "u"})
    assert found.mean == pytest.approx(value) and found.deviation < 1e-9
    filled, cells = model.impute(table.iloc[:2].assign(c=np.nan), return_cells=True)
    np.testing.assert_allclose(filled["c"], value)
    assert cells.loc[cells["column"] == "c", "deviation"].max() < 1e-9


def test_another_value_is_as_strange_as_one_never_seen(model, table):
    usual, odd = model.explain(table.iloc[:1]), model.explain(table.iloc[:1].assign(c=0.9))
    assert usual.surprise["c"].iloc[0] == 0.0
    assert odd.surprise["c"].iloc[0] == pytest.approx(np.log(201))
    assert odd.log_density.iloc[0] == pytest.approx(usual.log_density.iloc[0] - np.log(201))
    assert odd.p_value.iloc[0] < usual.p_value.iloc[0]


def test_what_no_record_knows_stays_unknown(model, table, tmp_path):
    assert list(model.never_known_) == ["n"]
    model.save(tmp_path / "m.galileo")
    for each in (model, Galileo.load(tmp_path / "m.galileo")):
        assert each.impute(table)["n"].isna().all()
        assert each.sample(5)[0]["n"].isna().all()
        with pytest.raises(ParameterError, match="'n' is missing in all records"):
            each.conditional("n")
        assert each.explain(table.iloc[:1].assign(n=3.0)).surprise["n"].iloc[0] > 5


def test_a_file_that_says_otherwise_is_refused(model):
    for wrong in (["a"], "n", [3], {"n": 1}):
        data = model.to_dict()
        data["extra"]["never_known_"] = wrong
        with pytest.raises(ModelFileError, match="never_known_"):
            Galileo.from_dict(data)
