"""galileo query, sample, info and completion, as a user runs them."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix.datasets import make_mixed


def test_query_equals_conditional(galileo, zoo_model):
    code, out, _ = galileo("query", zoo_model, "legs", "--given", "milk=True", "--json")
    found = {cell["value"]: cell["probability"] for cell in json.loads(out)}
    exact = Galileo.load(zoo_model).conditional("legs", {"milk": True})
    assert code == 0 and found == pytest.approx(exact.to_dict())
    _, out, _ = galileo("query", zoo_model, "legs", "--given", "milk=true")
    assert "legs, given milk=True" in out and f"{exact.max():.1%}" in out


def test_query_for_a_number(galileo, tmp_path):
    path = str(tmp_path / "m.galileo")
    model = Galileo(random_state=0, missing="ignore").fit(make_mixed(200, random_state=0).data)
    model.save(path)
    _, out, _ = galileo("query", path, "x0", "--given", "x1=2.5", "--given", "c0=", "--json")
    exact = model.conditional("x0", {"x1": 2.5})
    assert json.loads(out)["mean"] == pytest.approx(exact.mean)
    _, out, _ = galileo("query", path, "x0")
    assert out.startswith("x0: ") and "95 %" in out
    code, _, err = galileo("query", path, "x0", "--given", "x1=wide")
    assert code == 2 and err == "galileo: --given 'x1': 'wide' cannot be read as a number\n"


def test_query_given_dates_and_amounts_as_they_are_written(galileo, tmp_path):
    rng = np.random.default_rng(0)
    early = rng.random(200) < 0.5
    days = np.where(early, 0, 400) + rng.integers(0, 100, 200)
    table = pd.DataFrame(
        {
            "day": (pd.Timestamp("2020-01-01") + pd.to_timedelta(days, "D")).strftime("%d/%m/%Y"),
            "paid": [f"${amount:,.2f}" for amount in np.where(early, 20, 9000) + rng.random(200)],
            "kind": np.where(early, "old", "new"),
        }
    )
    path = str(tmp_path / "m.galileo")
    Galileo(random_state=0, effort=0.1).fit(table).save(path)
    for given, kind in (
        ("day=15/02/2020", "old"),
        ("day=15/02/2021", "new"),
        ("paid=$9,000", "new"),
    ):
        code, out, _ = galileo("query", path, "kind", "--given", given, "--json")
        assert code == 0 and json.loads(out)[0]["value"] == kind


def test_info_says_what_was_done_to_columns(galileo, tmp_path):
    rng = np.random.default_rng(0)
    rare = [f"t{value}" for value in rng.integers(0, 200, 600)]
    table = pd.DataFrame(
        {
            "rain": np.where(rng.random(600) < 0.5, 0.0, rng.lognormal(1, 1, 600)),
            "tail": np.where(rng.random(600) < 0.4, "x", rare),
        }
    )
    path = str(tmp_path / "m.galileo")
    Galileo(random_state=0, effort=0.1).fit(table).save(path)
    _, out, _ = galileo("info", path)
    assert "on a logarithmic scale; 0 is a value of its own" in out
    assert "share (other)" in out


def test_sample_is_the_model_s_own(galileo, zoo_model):
    _, out, _ = galileo("sample", zoo_model, "-n", "5", "--seed", "3", "--given", "milk=True")
    found = pd.read_csv(io.StringIO(out))
    model = Galileo.load(zoo_model).set_params(random_state=3)
    exact, _ = model.sample(5, {"milk": True})
    np.testing.assert_array_equal(found.to_numpy(), exact.to_numpy())
    _, again, _ = galileo("sample", zoo_model, "-n", "5", "--seed", "3", "--given", "milk=True")
    assert again == out


@pytest.mark.parametrize("estimator", ["Galileo", "GalileoDetector"])
def test_info_shows_a_saved_model(galileo, zoo_model, zoo_detector, estimator):
    path = zoo_model if estimator == "Galileo" else zoo_detector
    code, out, _ = galileo("info", path)
    assert code == 0 and f"a {estimator} with 4 clusters, chosen by BIC" in out
    assert "17 categories" in out and "feathers" in out
    _, out, _ = galileo("info", path, "--json")
    about = json.loads(out)
    assert about["estimator"] == estimator and about["n_records"] == 101
    assert len(about["components"]) == about["n_components"]
    assert "arrays" not in about


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(galileo, shell):
    code, out, _ = galileo("completion", shell)
    assert code == 0 and "_GALILEO_COMPLETE" in out


def test_improbable_is_not_impossible(galileo, tmp_path):
    """Small probabilities are shown as a person reads them, and are exact as JSON."""
    table = pd.DataFrame({"a": ["u", "v"] * 50, "x": [0.0, 100.0] * 50})
    table["x"] += np.random.default_rng(0).normal(size=100)
    path = str(tmp_path / "m.galileo")
    model = Galileo(n_components=2, random_state=0, numeric=["x"], predictive="chosen")
    model.fit(table).save(path)
    _, out, _ = galileo("query", path, "a", "--given", "x=0")
    assert "100.0%" in out and "< 0.1%" in out and "e-" not in out
    _, out, _ = galileo("query", path, "a", "--given", "x=0", "--json")
    assert 0 < json.loads(out)[1]["probability"] < 1e-20


def test_intervals_are_shown_as_intervals(galileo, tmp_path):
    table = pd.DataFrame({"weight": [1.0, 2.0, 8.0, 9.0] * 20, "a": ["u", "u", "v", "v"] * 20})
    path = str(tmp_path / "m.galileo")
    Galileo(random_state=0, discretize={"weight": [5.0]}).fit(table).save(path)
    _, out, _ = galileo("query", path, "a", "--given", "weight=>= 5")
    assert "a, given weight >= 5" in out


def test_only_the_criterion_of_the_search_is_marked(galileo, zoo_model):
    _, out, _ = galileo("info", zoo_model)
    assert "best by BIC  <- chosen" in out
    assert "best by AIC" not in out and "best by density" not in out
