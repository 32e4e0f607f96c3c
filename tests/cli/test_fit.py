"""galileo fit and galileo demo, as a user runs them."""

import io
import json
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from galileomix import GalileoClassifier, datasets


def test_fit_shows_sizes_and_clusters(galileo, zoo_csv):
    code, out, err = galileo("fit", zoo_csv, "--drop", "animal")
    assert code == 0
    assert "<- chosen" in out and "milk=True" in out
    assert out.splitlines()[-1] == "zoo.csv: 4 clusters in 101 records, chosen by BIC (1710.6)"
    assert "fitting zoo.csv: 101 records, 18 columns ..." in err
    assert "columns: 17 categories, 1 column left out (animal)" in err
    assert "passes over the data in" in err


def test_fit_as_json(galileo, zoo_csv):
    code, out, _ = galileo("fit", zoo_csv, "--drop", "animal", "--json")
    summary = json.loads(out)
    assert code == 0
    assert summary["path"]["chosen"] == len(summary["components"]) == 4
    assert summary["n_rows"] == 101


def test_the_demo_finds_the_best_clusters_known(galileo):
    code, out, _ = galileo("demo")
    lines = [line for line in out.splitlines() if line.startswith("mushroom: ")]
    assert code == 0 and "odor=foul" in out
    assert lines == [
        "mushroom: 23 clusters in 8124 records, chosen by density (1)",
        "mushroom: 22 clusters in 8124 records, chosen by AIC (150731.1)",
        "mushroom: 18 clusters in 8124 records, chosen by BIC (164428.2)",
    ]


def test_the_demo_as_json_is_one_fit(galileo, survey, monkeypatch):
    monkeypatch.setattr(datasets, "load_mushroom", lambda: Bunch(data=survey))
    code, out, _ = galileo("demo", "--json")
    assert code == 0 and json.loads(out)["path"]["criterion"] == "density"


def test_a_saved_model(galileo, survey_csv, tmp_path):
    path = str(tmp_path / "clusters.galileo")
    code, _, err = galileo("fit", survey_csv, "-o", path)
    assert code == 0 and f"model saved to {path}\n" in err
    code, out, _ = galileo("info", path)
    assert code == 0 and "chosen by BIC; 4 categories" in out
    assert "the search: " in out and "found nothing better" in out


def test_less_effort_takes_fewer_passes(galileo, survey_csv):
    passes = []
    for effort in ("0.1", "2"):
        code, out, _ = galileo("fit", survey_csv, "--effort", effort, "--json")
        assert code == 0
        passes.append(json.loads(out)["search"]["n_passes"])
    assert passes[0] < passes[1]


def test_a_time_limit_is_named_as_it_was_typed(galileo, survey_csv):
    code, out, err = galileo("fit", survey_csv, "--time-limit", "1e-9", "--json")
    assert code == 0
    assert not json.loads(out)["search"]["complete"]
    note = "galileo: note: the search was stopped by --time-limit 1e-09: this is the best model"
    assert note in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--drop", "anmal"],
            "--drop names 'anmal', but the table has no such column; it has 'ani",
        ),
        (["--target", "species"], "no column 'species' to predict; the columns are animal, hair"),
    ],
)
def test_columns_that_are_not_there(galileo, zoo_csv, options, message):
    code, out, err = galileo("fit", zoo_csv, *options)
    assert (code, out) == (2, "") and message in err


def test_dropping_every_column(galileo, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("a,b\n1,2\n")
    code, _, err = galileo("fit", str(path), "--drop", "a", "--drop", "b")
    assert code == 3 and "no column is left to model: 'a' (dropped), 'b' (dropped)" in err


def test_options_of_csv_files(galileo, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_bytes("rot;1;?\ngrün;2;x\n".encode("latin-1") * 30)
    how = ["--separator", ";", "--encoding", "latin-1", "--no-header", "--missing-value", "?"]
    code, out, err = galileo("fit", str(path), *how, "--drop", "x1")
    assert code == 0
    assert "x0=grün; also x2=x" in out and "x2=missing" in out
    assert "fitting odd.csv: 60 records, 3 columns" in err
    code, _, err = galileo("fit", str(path), "--separator", ";;")
    assert code == 2 and "--separator ';;': it must be one character" in err


def test_the_options_of_csv_files_are_not_for_parquet(galileo, tmp_path):
    path = tmp_path / "p.parquet"
    pd.DataFrame({"a": ["x", "y"]}).to_parquet(path)
    code, _, err = galileo("fit", str(path), "--separator", ";")
    assert code == 3 and "this is a Parquet file" in err


def test_bad_lines_are_named(galileo, tmp_path):
    (tmp_path / "bad.csv").write_text("a,b\nx,1\ny\n")
    code, _, err = galileo("fit", str(tmp_path / "bad.csv"))
    assert code == 3 and len(err.splitlines()) == 1
    assert "bad.csv', line 3: 1 field where the header (line 1) has 2" in err


@pytest.fixture
def three_files(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.csv").write_text("a,b\n" + "x,1\ny,2\n" * 20)
    return tmp_path


def test_several_files_are_one_table(galileo, three_files):
    code, out, err = galileo("fit", *(str(three_files / f"{n}.csv") for n in range(3)))
    assert code == 0
    assert "0.csv and 2 more: 2 clusters in 120 records" in out
    assert "fitting 0.csv and 2 more: 120 records, 2 columns ..." in err


def test_patterns_and_a_limit_on_memory(galileo, three_files):
    code, out, _ = galileo("fit", str(three_files / "*.csv"), "--memory-limit", "1KB")
    assert code == 0 and "2 clusters in 120 records" in out
    code, _, err = galileo("fit", str(three_files), "--memory-limit", "much")
    assert code == 2 and "'much' is not a size: write it as 500MB" in err


def test_one_column_is_called_so(galileo, tmp_path):
    (tmp_path / "one.csv").write_text("a\n" + "x\ny\n" * 20)
    _, _, err = galileo("fit", str(tmp_path / "one.csv"))
    assert "fitting one.csv: 40 records, 1 column ..." in err


@pytest.fixture
def numbers_csv(tmp_path):
    path = tmp_path / "t.csv"
    lines = (f"{n % 2},{n % 7 + 0.5},{n % 5},{'' if n % 4 else 'w'}\n" for n in range(80))
    path.write_text("k,u,v,c\n" + "".join(lines))
    return str(path)


def test_options_of_numbers_and_missing_values(galileo, numbers_csv):
    how = ["--categorical", "k,c", "--missing-as", "ignore", "--covariance", "diagonal"]
    how += ["--discretize", "u=width:2", "--discretize", "v=1,3", "--max-components", "2", "--json"]
    code, out, err = galileo("fit", numbers_csv, *how)
    assert code == 0, err
    assert json.loads(out)["n_attributes"] == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--categorical", "k", "--categorical", "z"], "categorical names 'z'"),
        (
            ["--discretize", "quartile"],
            "for '--discretize': 'quartile': write quantile",
        ),
        (
            ["--discretize", "width:x"],
            "for '--discretize': 'width:x': write quantile",
        ),
        (
            ["--discretize", "u=2,1"],
            "'u=2,1': write quantile, width, width:3 (2 to 1000), or",
        ),
        (
            ["--discretize", "18,65"],
            "write quantile, width, width:3 (2 to 1000), or age=18,65",
        ),
        (["--discretize", "width", "--discretize", "u=1"], "one rule for all columns"),
    ],
)
def test_options_that_mean_nothing(galileo, numbers_csv, options, message):
    code, out, err = galileo("fit", numbers_csv, *options)
    assert (code, out) == (2, "") and message in err


@pytest.mark.parametrize("form", ["csv", "csv.gz", "jsonl", "jsonl.gz", "parquet", "arrow"])
def test_a_table_from_stdin(galileo, monkeypatch, form):
    frame = pd.DataFrame({"a": ["x", "y"] * 40, "b": [1, 2] * 40})
    given = io.BytesIO()
    compression = "gzip" if form.endswith("gz") else None
    if form.startswith("csv"):
        frame.to_csv(given, index=False, compression=compression)
    elif form.startswith("json"):
        frame.to_json(given, orient="records", lines=True, compression=compression)
    else:
        frame.to_parquet(given) if form == "parquet" else frame.to_feather(given)
    given.seek(0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given))
    code, out, _ = galileo("fit", "-")
    assert code == 0 and f"stdin.{form}: 2 clusters in 80 records" in out


def test_a_column_is_learnt_and_predicted(galileo, zoo_csv, tmp_path):
    path = str(tmp_path / "types.galileo")
    code, out, err = galileo("fit", zoo_csv, "--target", "type", "--drop", "animal", "-o", path)
    assert code == 0, err
    assert "clusters in 7 classes (amphibian, bird, fish, " in out and "The clusters" in out
    assert "The best model of every size" not in out
    frame = pd.read_csv(zoo_csv)
    new = tmp_path / "new.csv"
    frame.drop(columns="type").to_csv(new, index=False)
    code, out, _ = galileo("predict", path, str(new))
    found = pd.read_csv(io.StringIO(out))
    assert code == 0 and (found["predicted"] == frame["type"]).mean() > 0.95
    assert found["probability"].between(0.3, 1).all()
    assert isinstance(GalileoClassifier.load(path), GalileoClassifier)
    code, out, _ = galileo("info", path)
    assert "a GalileoClassifier with" in out and "in the classes amphibian, bird" in out


def test_a_classifier_as_json(galileo, survey_csv):
    _, out, _ = galileo("fit", survey_csv, "--target", "smokes", "--json")
    assert len(json.loads(out)["components"]) >= 3


def test_an_empty_class_is_named(galileo, zoo_csv, tmp_path):
    frame = pd.read_csv(zoo_csv)
    frame.loc[4, "type"] = None
    frame.to_csv(tmp_path / "t.csv", index=False)
    code, _, err = galileo("fit", str(tmp_path / "t.csv"), "--target", "type")
    assert code == 3 and "the class is missing in row 5" in err


def test_a_number_of_clusters_that_is_given(galileo, zoo_csv, tmp_path):
    path = str(tmp_path / "three.galileo")
    code, out, err = galileo("fit", zoo_csv, "--drop", "animal", "--n-components", "3", "-o", path)
    assert code == 0 and "BIC  <- given" not in out and "<- given" in out
    assert out.splitlines()[-1].startswith("zoo.csv: 3 clusters in 101 records, as given (BIC ")
    code, out, _ = galileo("info", path)
    assert code == 0 and "3 clusters, as given" in out and "<- given" in out
    code, out, err = galileo("fit", zoo_csv, "--n-components", "3", "--max-components", "2")
    assert (code, out) == (2, "") and "--n-components 3 is more than --max-components 2" in err


def test_one_cluster_is_explained(galileo, tmp_path):
    path = tmp_path / "noise.csv"
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.choice(["a", "b"], (80, 3)), columns=["u", "v", "w"]).to_csv(path, index=False)
    code, out, err = galileo("fit", str(path))
    assert code == 0 and "1 cluster in 80 records" in out
    assert "one cluster: BIC found no split" in err and "--criterion aic" in err
    assert "one cluster:" not in galileo("fit", str(path), "--n-components", "1")[2]
    soon = galileo("fit", str(path), "--time-limit", "1e-9")
    assert "one cluster so far" in soon[2] and "best by" not in soon[1]


def test_constant_columns_are_counted_as_such(galileo, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b,c\n" + "1,x,y\n1,x,z\n" * 10, encoding="utf-8")
    assert "columns: 1 category, 2 constant" in galileo("fit", str(path))[2]


def test_densities_as_published_only_by_density(galileo, zoo_csv):
    code, out, _ = galileo("fit", zoo_csv, "--drop", "animal", "--max-components", "4")
    assert code == 0 and "times denser" in out and "mean density" not in out
    code, out, _ = galileo(
        *("fit", zoo_csv, "--drop", "animal", "--max-components", "4", "--criterion", "density")
    )
    assert code == 0 and "mean density" in out and "times denser" not in out
