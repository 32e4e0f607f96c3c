"""galileo predict, as a user runs it."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoDetector
from galileomix.datasets import load_zoo


def test_the_table_comes_back_with_clusters(galileo, zoo_csv, zoo_model):
    code, out, _ = galileo("predict", zoo_model, zoo_csv)
    found = pd.read_csv(io.StringIO(out))
    assert code == 0
    pd.testing.assert_frame_equal(found[load_zoo().frame.columns], pd.read_csv(zoo_csv))
    model = Galileo.load(zoo_model)
    assert found["cluster"].tolist() == model.predict(zoo_csv).tolist()
    np.testing.assert_allclose(found["probability"], model.predict_proba(zoo_csv).max(axis=1))
    np.testing.assert_allclose(found["log_density"], model.score_samples(zoo_csv))
    assert out.splitlines()[1].startswith("aardvark,True,False,")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_files_of_every_format(galileo, zoo_csv, zoo_model, tmp_path, suffix):
    path = tmp_path / f"out.{suffix}"
    code, out, _ = galileo("predict", zoo_model, zoo_csv, "-o", str(path))
    assert (code, out) == (0, "")
    read = {
        "csv": pd.read_csv,
        "tsv": lambda path: pd.read_csv(path, sep="\t"),
        "jsonl": lambda path: pd.read_json(path, lines=True),
        "parquet": pd.read_parquet,
    }
    found = read[suffix](path)
    assert found["cluster"].tolist() == Galileo.load(zoo_model).predict(zoo_csv).tolist()
    assert list(tmp_path.iterdir()) == [path]


def test_parquet_keeps_its_types_and_other_columns(galileo, zoo_model, tmp_path):
    frame = load_zoo().frame.assign(seen=pd.Timestamp("2020-02-03"))
    frame.to_parquet(tmp_path / "zoo.parquet")
    galileo("predict", zoo_model, str(tmp_path / "zoo.parquet"), "-o", str(tmp_path / "o.parquet"))
    found = pd.read_parquet(tmp_path / "o.parquet")
    assert found["seen"].eq(pd.Timestamp("2020-02-03")).all()
    assert found["hair"].dtype == bool


def test_json_lines_on_stdout(galileo, zoo_csv, zoo_model):
    _, out, _ = galileo("predict", zoo_model, zoo_csv, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == 101 and rows[0]["animal"] == "aardvark" and rows[0]["cluster"] == 0


def test_a_column_called_cluster_is_not_lost(galileo, zoo_csv, zoo_model, tmp_path):
    path = tmp_path / "zoo.csv"
    pd.read_csv(zoo_csv).assign(cluster="mine").to_csv(path, index=False)
    _, out, _ = galileo("predict", zoo_model, str(path))
    found = pd.read_csv(io.StringIO(out))
    assert (found["cluster"] == "mine").all() and found["cluster_"].max() == 3


def test_cells_are_written_as_they_were_read(galileo, tmp_path):
    """Whatever they begin with: so the same model knows them again."""
    table = pd.DataFrame(
        {"=a": ["=1+1", "@x", "-y", "+", "-3", "plain"] * 10, "b": list("uvwxyz") * 10}
    )
    path, model, first, second = (
        str(tmp_path / name) for name in ("t.csv", "m.galileo", "first.csv", "second.csv")
    )
    table.to_csv(path, index=False)
    Galileo(random_state=0).fit(path).save(model)
    for given, out in ((path, first), (first, second)):
        code, _, err = galileo("predict", model, given, "-o", out)
        found = pd.read_csv(out, dtype=str)
        assert code == 0 and "never seen" not in err
        assert found[["=a", "b"]].equals(table)
    _, out, _ = galileo("sample", model, "-n", "50")
    assert set(pd.read_csv(io.StringIO(out), dtype=str)["=a"]) <= set(table["=a"])


def test_a_detector_flags_outliers(galileo, zoo_csv, zoo_detector):
    detector = GalileoDetector.load(zoo_detector)
    _, out, _ = galileo("predict", zoo_detector, zoo_csv)
    found = pd.read_csv(io.StringIO(out))
    assert found["outlier"].tolist() == (detector.predict(zoo_csv) == -1).tolist()
    np.testing.assert_allclose(found["score"], detector.score_samples(zoo_csv))


def test_values_with_commas_and_quotes_survive(galileo, tmp_path):
    table = pd.DataFrame({"a": ['x, "y"', "line\nbreak", "plain"] * 20, "b": list("uvw") * 20})
    path, model = tmp_path / "t.csv", tmp_path / "m.galileo"
    table.to_csv(path, index=False)
    Galileo(random_state=0).fit(str(path)).save(model)
    _, out, _ = galileo("predict", str(model), str(path))
    assert pd.read_csv(io.StringIO(out))["a"].tolist() == table["a"].tolist()


def test_an_interrupted_write_leaves_the_old_file(
    galileo, zoo_csv, zoo_model, tmp_path, monkeypatch
):
    path = tmp_path / "out.csv"
    path.write_text("old")

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("galileomix._cli.predictions.with_columns", stop)
    code, _, err = galileo("predict", zoo_model, zoo_csv, "-o", str(path))
    assert code == 130 and "interrupted" in err
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.fixture
def typed(tmp_path):
    """A table whose columns look like numbers, codes, booleans and text, and a model of it."""
    rows = ["u,1,1.50,007,TRUE,3,x, y", "v,2,2.25,008,FALSE,NA,z"]
    table = [row.split(",", 6) for row in rows] * 30
    frame = pd.DataFrame(table, columns=["a", "n", "x", "code", "yes", "gaps", "text"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    Galileo(1, random_state=0).fit(frame[["a", "yes"]]).save(tmp_path / "m.galileo")
    return str(tmp_path / "m.galileo"), str(tmp_path / "t.csv"), frame


def test_numbers_of_a_csv_file_are_numbers_in_json(galileo, typed):
    """In columns that the model has and in others alike; codes and text stay text."""
    _, out, _ = galileo("predict", *typed[:2], "--json")
    first, second = (json.loads(line) for line in out.splitlines()[:2])
    own = ("a", "n", "x", "code", "yes", "gaps", "text")
    assert [first[name] for name in own] == ["u", 1, 1.5, "007", True, 3, "x, y"]
    assert [second[name] for name in own] == ["v", 2, 2.25, "008", False, None, "z"]
    assert type(first["n"]) is int and type(first["x"]) is float


def test_numbers_of_a_csv_file_are_numbers_in_parquet(galileo, typed, tmp_path):
    path = tmp_path / "o.parquet"
    galileo("predict", *typed[:2], "-o", str(path))
    types = pd.read_parquet(path).dtypes
    assert types[["n", "x", "yes"]].astype(str).tolist() == ["int64", "float64", "bool"]


def test_csv_stays_as_it_was_written(galileo, typed):
    """Text in quotes where it needs them, and nothing else."""
    _, out, _ = galileo("predict", *typed[:2])
    assert out.splitlines()[1].startswith('u,1,1.50,007,TRUE,3,"x, y",0,1,')
    assert out.splitlines()[2].startswith("v,2,2.25,008,FALSE,NA,z,0,1,")


def test_what_is_written_as_json_lines_can_be_fitted(galileo, zoo_model, zoo_csv, tmp_path):
    drawn, again = tmp_path / "drawn.jsonl", tmp_path / "again.galileo"
    galileo("sample", zoo_model, "-n", "300", "-o", str(drawn))
    code, _, err = galileo("fit", str(drawn), "-o", str(again), "--n-components", "2")
    assert code == 0, err
    assert set(Galileo.load(again).schema_.names) <= set(Galileo.load(zoo_model).schema_.names)
    code, out, _ = galileo("predict", str(again), zoo_csv)
    assert code == 0 and len(out.splitlines()) == 102
