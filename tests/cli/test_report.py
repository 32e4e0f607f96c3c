"""The commands that write reports."""

import pytest

from galileomix import load
from galileomix.datasets import load_zoo


def test_a_report_of_a_model(galileo, zoo_model, tmp_path):
    path = tmp_path / "report.html"
    code, out, err = galileo("report", zoo_model, "-o", str(path))
    assert (code, out) == (0, "") and f"report saved to {path}" in err
    page = path.read_text()
    assert "4 clusters in 101 records" in page and 'id="anomalies"' not in page
    assert "<dt>Table</dt>" not in page


def test_a_report_of_a_model_and_a_table(galileo, zoo_model, zoo_csv, tmp_path):
    path = tmp_path / "report.html"
    assert galileo("report", zoo_model, zoo_csv, "-o", str(path))[0] == 0
    page = path.read_text()
    assert 'id="anomalies"' in page and "zoo.csv" in page and "the rows that were fitted" in page


def test_to_stdout(galileo, zoo_model):
    code, out, err = galileo("report", zoo_model, "-o", "-")
    assert code == 0 and out.startswith("<!doctype html>") and err == ""


def test_fit_writes_a_report(galileo, zoo_csv, tmp_path):
    path = tmp_path / "report.html"
    code, out, err = galileo("fit", zoo_csv, "--report", str(path), "--effort", "0.1")
    assert code == 0 and "report saved" in err and "clusters in 101 records" in out
    assert "Left out of the model: animal." in path.read_text()


def test_fit_with_a_target_writes_a_report(galileo, zoo_csv, tmp_path):
    path = tmp_path / "report.html"
    assert galileo("fit", zoo_csv, "--target", "type", "--report", str(path))[0] == 0
    page = path.read_text()
    assert "clusters in 101 records" in page and "one of 7 classes of type: " in page


@pytest.mark.parametrize("path", ["", "nowhere/report.html"])
def test_a_report_that_cannot_be_written_is_refused_at_once(galileo, zoo_csv, tmp_path, path):
    code, _, err = galileo("fit", zoo_csv, "--report", str(tmp_path / path))
    assert code == 1 and "fitting" not in err


def test_stdout_is_for_the_clusters(galileo, zoo_csv):
    code, _, err = galileo("fit", zoo_csv, "--report", "-")
    assert code == 2 and "--report needs a file" in err


def test_a_table_without_its_columns(galileo, zoo_model, survey_csv, tmp_path):
    code, _, err = galileo("report", zoo_model, survey_csv, "-o", str(tmp_path / "report.html"))
    assert code == 3 and "no column 'hair'" in err


def test_the_same_page_in_python(galileo, zoo_model, zoo_csv, tmp_path):
    path = tmp_path / "report.html"
    galileo("report", zoo_model, zoo_csv, "-o", str(path))
    page = load(zoo_model).report(load_zoo().frame, name="zoo.csv").html
    assert path.read_text() == page
