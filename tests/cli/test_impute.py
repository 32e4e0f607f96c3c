"""galileo impute, as a user runs it."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix.datasets import load_zoo


def test_missing_values_are_replaced_and_all_else_stays(galileo, survey, survey_csv, tmp_path):
    cells = tmp_path / "cells.csv"
    code, out, err = galileo("impute", survey_csv, "--missing-value", "?", "--cells", str(cells))
    after, known = pd.read_csv(io.StringIO(out)), survey != "?"
    assert code == 0 and list(after) == list(survey)
    assert after.where(known).equals(survey.where(known).astype(after.dtypes))
    assert not after.isin(["?"]).any(axis=None) and after.notna().all(axis=None)
    listed = pd.read_csv(cells)
    n_cells, n_rows = (~known).sum().sum(), (~known).any(axis=1).sum()
    assert len(listed) == n_cells > 0
    assert f"{n_cells} missing values replaced in {n_rows} of 60 rows" in err.splitlines()
    for cell in listed.itertuples():
        assert after.loc[cell.row - 1, cell.column] == cell.value
    assert listed["probability"].between(0.3, 1).all()


def test_replaced_values_are_spelt_like_the_others(galileo, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,note,c\n" + "TRUE,01,=x,1.5\nFALSE,02,=x,4.5\n,01,=x,1.5\n" * 30)
    code, out, _ = galileo("impute", str(path))
    found = pd.read_csv(io.StringIO(out), dtype=str)
    assert code == 0 and found["a"].tolist()[:3] == ["TRUE", "FALSE", "TRUE"]
    assert found["b"].tolist()[:3] == ["01", "02", "01"]


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_the_same_model_reads_what_it_filled(option, galileo, tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{x:.2f}".replace(".", ",") + f";{n:02d}.04.2020" for n, x in enumerate(rng.random(9))]
    path, model, out = (str(tmp_path / name) for name in ("t.csv", "m.galileo", "o.csv"))
    out = out if not option else str(tmp_path / "o.jsonl")
    Path(path).write_text("\n".join(["temp;when", *rows * 9, ";02.04.2020", "0,25;", ""]))
    assert galileo("fit", path, "--n-components", "1", "-o", model)[0] == 0
    assert galileo("impute", path, "-m", model, "-o", out, *option)[0] == 0
    assert re.search(r"0,[0-9]+\W+(when\W+)?02.04.2020", Path(out).read_text())
    code, _, err = galileo("predict", model, out)
    assert code == 0, err


def test_parquet_keeps_its_types(galileo, zoo_model, tmp_path):
    frame = load_zoo().data.astype({"hair": "boolean", "type": str})
    frame.loc[3, ["hair", "type"]] = pd.NA
    frame = frame.astype({"type": "category"})
    frame.to_parquet(tmp_path / "zoo.parquet")
    out = tmp_path / "out.parquet"
    galileo("impute", str(tmp_path / "zoo.parquet"), "-m", zoo_model, "-o", str(out))
    found = pd.read_parquet(out)
    assert found.notna().all(axis=None) and found["hair"].dtype == bool
    assert found["legs"].dtype == load_zoo().data["legs"].dtype


def test_numbers_are_replaced_by_what_is_expected(galileo, tmp_path):
    """Rounded where the column has integers only."""
    table = pd.DataFrame({"a": ["u", "v"] * 50, "x": [1.0, 9.0] * 50, "n": [10, 20] * 50})
    table["x"] += pd.Series(range(100)) / 1000
    table["n"] = table["n"].astype("Int64") + pd.Series(range(100)) % 7 % 3
    table.loc[0, ["x", "n"]] = None
    table.to_parquet(tmp_path / "t.parquet")
    out, cells = tmp_path / "o.parquet", tmp_path / "cells.csv"
    files = ["-o", str(out), "--cells", str(cells)]
    code, _, err = galileo("impute", str(tmp_path / "t.parquet"), "--categorical", "a", *files)
    assert code == 0, err
    found, listed = pd.read_parquet(out), pd.read_csv(cells).set_index("column")
    assert found["x"][0] == pytest.approx(1.05, abs=0.1)
    assert found["n"].dtype == np.int64
    assert found["n"][0] == round(float(listed.loc["n", "value"])) in (10, 11, 12)


def test_values_that_look_like_formulas_stay_as_they_are(galileo, tmp_path):
    table = pd.DataFrame({"a": ["=u", "=v"] * 30, "b": ["p", "q"] * 30})
    table.loc[0, "a"] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    code, out, _ = galileo("impute", str(tmp_path / "t.csv"), "--cells", str(tmp_path / "c.csv"))
    assert code == 0 and out.splitlines()[1:3] == ["=u,p", "=v,q"]
    assert pd.read_csv(tmp_path / "c.csv")["value"].tolist() == ["=u"]


def test_intervals_replace_missing_values_in_any_chunk(galileo, tmp_path):
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
    assert (found[:69_990].astype(float) == table["x"][:69_990]).all()
    assert set(found[69_990:]) <= set(Galileo.load(model).schema_.attributes[0].values)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--cells", "-"], 2, "--cells needs a file"),
        (["--cells", "x.foo"], 2, "'x.foo': the name must end in .csv, .tsv, .jsonl, .parquet"),
        (["-o", "j.csv", "--json"], 2, "'j.csv': with --json, the name must end in .jsonl"),
        (["-o", "none/j.csv"], 1, "'none/j.csv': no such folder"),
    ],
)
def test_outputs_are_checked_before_any_work(galileo, survey_csv, options, code, message):
    given, out, err = galileo("impute", survey_csv, *options)
    assert (given, out) == (code, "") and message in err and "fitting" not in err


def test_a_column_can_be_left_out_of_the_fit(galileo, survey_csv):
    code, out, err = galileo("impute", survey_csv, "--drop", "age")
    assert code == 0 and out.startswith("age,") and "3 categories, 1 column left out (age)" in err


def test_whole_numbers_of_a_csv_file_stay_whole(galileo, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"n": rng.normal(50, 9, 200).round(), "x": rng.normal(size=200).round(3)})
    table["n"] = table["n"].astype("Int64")
    table.loc[:20, ["n", "x"]] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    code, out, err = galileo("impute", str(tmp_path / "t.csv"), "--n-components", "1")
    found = pd.read_csv(io.StringIO(out))
    assert code == 0 and found["n"].dtype == np.int64 and '"' not in out
    assert "42 missing values replaced in 21 of 200 rows" in err
    _, out, _ = galileo("impute", str(tmp_path / "t.csv"), "--n-components", "1", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert all(type(row["n"]) is int and type(row["x"]) is float for row in rows)


def test_a_file_without_a_header(galileo, tmp_path):
    """Columns are found by their places, those that are left out counted."""
    rows = [f"{i:08x}-{i * 7919:012x},{'u' if i % 2 else 'v'},{i % 2}" for i in range(200)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([*rows, "00000fff-0000000000ff,u,", "00000ffe-0000000000fe,,0"]))
    code, out, err = galileo("impute", str(path), "--no-header", "--n-components", "2")
    assert code == 0, err
    assert out.splitlines()[-2:] == ["00000fff-0000000000ff,u,1", "00000ffe-0000000000fe,v,0"]
    assert "2 missing values replaced in 2 of 202 rows" in err


def test_values_of_a_row_are_replaced_together(galileo, tmp_path):
    rows = "s,a,a\n" * 30 + "s,b,b\n" * 25 + "s,b,c\n" * 24 + "t,c,b\n" * 30 + "s,,\n"
    path = tmp_path / "t.csv"
    path.write_text(f"x,y,z\n{rows}")
    code, out, _ = galileo("impute", str(path), "--jointly")
    assert code == 0 and out.splitlines()[-1].replace('"', "") == "s,a,a"
    _, alone, _ = galileo("impute", str(path))
    assert alone.splitlines()[-1].replace('"', "") != "s,a,a"
