import io
import json

import numpy as np
import pandas as pd
import pytest

import galileomix
from galileomix import Galileo, GalileoDetector
from galileomix.datasets import load_votes, load_zoo


@pytest.fixture(scope="module")
def votes_csv(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "votes.csv"
    load_votes().data.to_csv(path, index=False)
    return str(path)


def test_the_strangest_rows_and_why(galileo, votes_csv):
    code, out, err = galileo("anomalies", votes_csv, "-n", "3", "--missing-value", "?")
    assert code == 0
    assert "The rows that stand out" in out and "(expected " in out
    assert "fitting votes.csv" in err


def test_anomalies_as_json_equal_the_detector(galileo, votes_csv, tmp_path):
    path = tmp_path / "usual.galileo"
    code, out, _ = galileo("anomalies", votes_csv, "-n", "4", "--json", "--save", str(path))
    found = json.loads(out)
    detector = galileomix.load(path)
    assert code == 0 and isinstance(detector, GalileoDetector)
    scores = pd.Series(detector.score_samples(votes_csv)).sort_values(kind="stable")
    assert [each["row"] for each in found] == (scores.index[:4] + 1).tolist()
    why = detector.explain(votes_csv)
    first = found[0]
    assert first["p_value"] == pytest.approx(why.p_value[first["row"] - 1])
    assert first["reasons"][0]["attribute"] == why.reasons(first["row"] - 1)[0].attribute


def test_all_rows_with_reasons_in_a_file(galileo, votes_csv, tmp_path):
    path = tmp_path / "scored.csv"
    galileo("anomalies", votes_csv, "-o", str(path), "--contamination", "0.05")
    found = pd.read_csv(path)
    assert len(found) == 435 and found["outlier"].sum() == pytest.approx(22, abs=2)
    assert found["reasons"].str.contains("expected").all()
    assert found.loc[found["outlier"], "score"].max() < found.loc[~found["outlier"], "score"].min()


@pytest.mark.parametrize("suffix", ["model", "detector"])
def test_new_rows_by_a_model_that_was_kept(galileo, zoo_csv, zoo_model, tmp_path, suffix):
    model = zoo_model
    if suffix == "detector":
        model = str(tmp_path / "d.galileo")
        GalileoDetector(Galileo(random_state=0)).fit(load_zoo().data).save(model)
    frame = pd.read_csv(zoo_csv)
    frame.loc[7, "feathers"] = True
    frame.loc[7, "milk"] = True
    path = tmp_path / "new.csv"
    frame.to_csv(path, index=False)
    code, out, _ = galileo("anomalies", str(path), "--model", model, "--json", "-n", "2")
    assert code == 0
    assert 8 in [each["row"] for each in json.loads(out)]


def test_the_model_knows_what_is_missing(galileo, zoo_csv, zoo_model):
    code, _, err = galileo("anomalies", zoo_csv, "-m", zoo_model, "--missing-value", "?")
    assert code == 2 and "--missing-value are for fitting" in err
    code, _, err = galileo("anomalies", zoo_csv, "-m", zoo_model, "--save", "x.galileo")
    assert code == 2 and "--save keeps what is fitted" in err


def test_holes_are_filled_and_all_else_stays(galileo, votes_csv, tmp_path):
    cells = tmp_path / "cells.csv"
    code, out, _ = galileo("impute", votes_csv, "--missing-value", "?", "--cells", str(cells))
    before, after = pd.read_csv(votes_csv), pd.read_csv(io.StringIO(out))
    assert code == 0 and list(after) == list(before)
    known = before != "?"
    pd.testing.assert_frame_equal(after.where(known), before.where(known))
    assert after.isin(["y", "n"]).all(axis=None)
    listed = pd.read_csv(cells)
    assert len(listed) == (~known).sum().sum()
    row = listed.iloc[0]
    assert after.loc[row["row"] - 1, row["column"]] == row["value"]
    assert listed["probability"].between(0.3, 1).all()


def test_filled_cells_are_spelt_like_the_others(galileo, tmp_path):
    table = pd.DataFrame({"a": ["yes", "no", ""] * 30, "b": ["01", "02", "01"] * 30, "note": "=x"})
    table["c"] = [1.5, 4.5, 1.5] * 30
    path = tmp_path / "t.csv"
    table.to_csv(path, index=False)
    text = path.read_text().replace("yes", "TRUE").replace("no,", "FALSE,")
    path.write_text(text.replace("nFALSE", "note"))
    code, out, _ = galileo("impute", str(path))
    found = pd.read_csv(io.StringIO(out), dtype=str)
    assert code == 0 and found["a"].tolist()[:3] == ["TRUE", "FALSE", "TRUE"]
    assert found["b"].tolist()[:3] == ["01", "02", "01"]


def test_imputing_parquet_keeps_types(galileo, zoo_model, tmp_path):
    frame = load_zoo().data.astype({"hair": "boolean"})
    frame.loc[3, "hair"] = pd.NA
    frame.to_parquet(tmp_path / "zoo.parquet")
    out = tmp_path / "out.parquet"
    galileo("impute", str(tmp_path / "zoo.parquet"), "-m", zoo_model, "-o", str(out))
    found = pd.read_parquet(out)
    assert found["hair"].notna().all() and found["hair"].dtype == bool
    assert found["legs"].dtype == load_zoo().data["legs"].dtype


def test_numbers_are_filled(galileo, tmp_path):
    table = pd.DataFrame({"a": ["u", "v"] * 50, "x": [1.0, 9.0] * 50})
    table["x"] += pd.Series(range(100)) / 1000
    table.loc[0, "x"] = None
    path = tmp_path / "t.csv"
    table.to_csv(path, index=False)
    _, out, _ = galileo("impute", str(path))
    assert pd.read_csv(io.StringIO(out))["x"][0] == pytest.approx(1.05, abs=0.1)


def test_cells_that_look_like_formulas_are_listed(galileo, tmp_path):
    table = pd.DataFrame({"a": ["=u", "=v"] * 30, "b": ["p", "q"] * 30})
    table.loc[0, "a"] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    code, out, _ = galileo("impute", str(tmp_path / "t.csv"), "--cells", str(tmp_path / "c.csv"))
    assert code == 0 and out.splitlines()[1] == "'=u,p"
    assert pd.read_csv(tmp_path / "c.csv")["value"].tolist() == ["'=u"]


def test_intervals_fill_holes_in_any_chunk(galileo, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=70_000), "a": rng.choice(list("uv"), 70_000)})
    table.loc[69_990:, "x"] = None
    table.to_parquet(tmp_path / "t.parquet")
    model = str(tmp_path / "m.galileo")
    Galileo(1, random_state=0, discretize="quantile").fit(table[:500]).save(model)
    out = tmp_path / "o.parquet"
    code, _, err = galileo("impute", str(tmp_path / "t.parquet"), "-m", model, "-o", str(out))
    assert code == 0, err
    found = pd.read_parquet(out)["x"]
    assert float(found[0]) == pytest.approx(table["x"][0], rel=1e-5)
    assert (
        found.notna().all() and found.iloc[-1] in Galileo.load(model).schema_.attributes[0].values
    )


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--cells", "-"], 2, "--cells needs a file"),
        (["--cells", "x.foo"], 2, "cannot tell how to write"),
        (["-o", "j.csv", "--json"], 2, "--json writes JSON lines"),
        (["-o", "none/j.csv"], 1, "there is no folder 'none'"),
    ],
)
def test_outputs_are_checked_before_any_work(galileo, votes_csv, options, code, words):
    given, out, err = galileo("impute", votes_csv, *options)
    assert (given, out) == (code, "") and words in err and "fitting" not in err


def test_a_column_can_be_left_out_of_the_fit(galileo, zoo_csv):
    code, out, err = galileo("anomalies", zoo_csv, "--drop", "animal", "-n", "5", "--json")
    found = json.loads(out)
    assert code == 0 and "animal" not in err
    assert all(reason["attribute"] != "animal" for each in found for reason in each["reasons"])
    code, out, _ = galileo("impute", zoo_csv, "--drop", "animal")
    assert code == 0 and out.startswith("animal,")
    code, _, err = galileo("anomalies", zoo_csv, "--drop", "anmal")
    assert code == 3 and "no column 'anmal' to drop" in err
