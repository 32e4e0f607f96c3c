"""galileo compare, as a user runs it."""

import json

import pytest

from galileomix.datasets import make_mixed

FEW = ("--only", "k-modes", "--only", "hdbscan hamming")


def test_a_table_of_methods(galileo, zoo_csv):
    code, out, err = galileo("compare", zoo_csv, "--truth", "type", "--drop", "animal", *FEW)
    assert code == 0 and "Traceback" not in err
    assert "zoo.csv: 101 records, 16 columns" in out
    for heading in (
        "method",
        "clusters",
        "ARI",
        "category utility",
        "mean density",
        "BIC",
        "time, s",
    ):
        assert heading in out
    assert "number of clusters got 7, the number of true classes." in out
    for method in ("galileo", "k-modes", "hdbscan hamming"):
        assert method in out


def test_json_for_programs(galileo, zoo_csv):
    code, out, _ = galileo("compare", zoo_csv, "--drop", "animal", "-k", "3", *FEW, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["name"], found["n_rows"], found["n_attributes"]) == ("zoo.csv", 101, 17)
    assert (found["n_clusters"], found["n_clusters_from"]) == (3, "you")
    by_name = {result["method"]: result for result in found["methods"]}
    assert set(by_name) == {"galileo", "k-modes", "hdbscan hamming"}
    assert by_name["k-modes"]["k"] == 3 and by_name["k-modes"]["ari"] is None
    assert by_name["galileo"]["bic"] == pytest.approx(1710.556, abs=1e-3)


def test_why_a_method_did_not_run(galileo, tmp_path):
    path = tmp_path / "mixed.csv"
    make_mixed(60, random_state=0).data.to_csv(path, index=False)
    code, out, _ = galileo("compare", str(path), *FEW)
    assert code == 0
    assert "hdbscan hamming did not run: takes categories only, and there are numbers" in out
    assert "the number that Galileo found" in out and "mean density" not in out


def test_the_truth_may_be_dropped_too(galileo, zoo_csv):
    columns = ("--drop", "animal", "--drop", "type", "--truth", "type")
    code, out, _ = galileo("compare", zoo_csv, *columns, *FEW, "--json")
    assert code == 0 and json.loads(out)["n_attributes"] == 16


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--truth", "tpye"],
            2,
            "no column 'tpye' with true classes; the columns are animal, hair",
        ),
        (["--drop", "tpye"], 2, "--drop names 'tpye', but the table has no such column"),
        (["--only", "kmode"], 2, "no method is called 'kmode'; there are galileo"),
        (["-k", "0"], 2, "Invalid value for '-k'"),
    ],
)
def test_errors_are_one_line_with_the_right_code(galileo, zoo_csv, arguments, code, message):
    given, out, err = galileo("compare", zoo_csv, *arguments)
    assert (given, out) == (code, "")
    assert message in err and "Traceback" not in err
