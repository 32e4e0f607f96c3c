"""galileo anomalies, as a user runs it."""

import json
import math

import pandas as pd
import pytest

import galileomix
from galileomix import GalileoDetector
from galileomix._cli.anomalies import Anomaly
from galileomix._cli.show import show_anomalies
from galileomix.datasets import make_mixed


@pytest.fixture(scope="module")
def saved(survey_csv, tmp_path_factory):
    """What one fit shows, writes and saves."""
    from click.testing import CliRunner

    from galileomix._cli.program import galileo as program

    folder = tmp_path_factory.mktemp("anomalies")
    scored, detector = folder / "scored.csv", folder / "usual.galileo"
    options = ["--contamination", "0.05", "-n", "4", "--json", "--missing-value", "?"]
    files = ["-o", str(scored), "--save", str(detector)]
    done = CliRunner().invoke(program, ["anomalies", survey_csv, *options, *files])
    assert done.exit_code == 0, done.stderr
    assert f"model saved to {detector}" in done.stderr
    return json.loads(done.stdout), pd.read_csv(scored), galileomix.load(detector)


def test_the_most_unusual_rows_and_why(galileo, survey_csv):
    code, out, err = galileo("anomalies", survey_csv, "-n", "3")
    assert code == 0
    assert "The most unusual rows" in out and "(expected " in out
    assert "fitting survey.csv: 60 records, 4 columns" in err


def test_the_rows_shown_are_the_detector_s(saved, survey_csv):
    found, scored, detector = saved
    assert isinstance(detector, GalileoDetector)
    worst = scored["score"].sort_values(kind="stable")
    assert [anomaly["row"] for anomaly in found] == (worst.index[:4] + 1).tolist()
    for anomaly in found:
        row = scored.iloc[anomaly["row"] - 1]
        assert anomaly["score"] == pytest.approx(row["score"])
        assert anomaly["p_value"] == pytest.approx(row["p_value"])
        assert anomaly["kind"] == row["kind"]
        assert row["reasons"].startswith(anomaly["reasons"][0]["attribute"])


def test_fitted_rows_are_judged_left_out_and_others_as_new(galileo, saved, survey_csv, tmp_path):
    _, scored, detector = saved
    assert (scored["outlier"] == (scored["score"] < detector.offset_)).all()
    assert 1 <= scored["outlier"].sum() <= 3  # one in twenty
    path, out = str(tmp_path / "detector.galileo"), str(tmp_path / "again.csv")
    detector.save(path)
    code, *_ = galileo("anomalies", survey_csv, "--model", path, "-o", out)
    again = pd.read_csv(out)
    assert code == 0
    assert again["score"].tolist() == pytest.approx(detector.score_samples(survey_csv).tolist())
    assert (scored["score"] <= again["score"] + 1e-9).mean() > 0.9


def test_all_rows_with_reasons_in_a_file(saved, survey):
    found, scored, _ = saved
    assert scored[survey.columns].astype(str).equals(survey.astype(str))
    worst = scored.iloc[[anomaly["row"] - 1 for anomaly in found]]
    assert worst["reasons"].str.contains(r"\(expected ").all()


@pytest.mark.parametrize("model", ["zoo_model", "zoo_detector"])
def test_new_rows_by_a_saved_model(galileo, zoo_csv, tmp_path, model, request):
    frame = pd.read_csv(zoo_csv)
    frame.loc[7, ["feathers", "milk"]] = True
    path = tmp_path / "new.csv"
    frame.to_csv(path, index=False)
    saved = request.getfixturevalue(model)
    code, out, err = galileo("anomalies", str(path), "--model", saved, "--json", "-n", "2")
    assert code == 0 and "fitting" not in err
    assert 8 in [anomaly["row"] for anomaly in json.loads(out)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--missing-value", "?"], "--missing-value is for fitting"),
        (["--drop", "legs"], "--drop is for fitting: leave it out with --model"),
        (["--save", "x.galileo"], "--save saves a fitted detector"),
    ],
)
def test_options_of_a_fit_are_not_for_a_model(galileo, zoo_csv, zoo_model, options, message):
    code, out, err = galileo("anomalies", zoo_csv, "-m", zoo_model, *options)
    assert (code, out) == (2, "") and message in err


def test_a_column_can_be_left_out_of_the_fit(galileo, survey_csv):
    code, out, err = galileo("anomalies", survey_csv, "--drop", "age", "-n", "5", "--json")
    found = json.loads(out)
    reasons = [reason["attribute"] for anomaly in found for reason in anomaly["reasons"]]
    assert code == 0 and reasons and "age" not in reasons
    assert "3 categories, 1 column left out (age)" in err
    code, _, err = galileo("anomalies", survey_csv, "--drop", "aeg")
    assert code == 2 and "--drop names 'aeg', but the table has no such column" in err


def test_a_reason_is_a_cell_that_is_not_as_expected(galileo, tmp_path):
    """Another category than the most probable one, or a number that one in twenty exceeds."""
    data = make_mixed(300, random_state=0).data
    data.to_csv(tmp_path / "t.csv", index=False)
    options = ["-n", "300", "--json", "--n-components", "3"]
    code, out, err = galileo("anomalies", str(tmp_path / "t.csv"), *options)
    assert code == 0, err
    reasons = [reason for anomaly in json.loads(out) for reason in anomaly["reasons"]]
    numbers = [reason for reason in reasons if reason["deviation"] is not None]
    categories = [reason for reason in reasons if reason["deviation"] is None]
    assert numbers and categories
    assert all(reason["surprise"] >= -math.log(0.05) for reason in numbers)
    assert all(reason["value"] != reason["expected"] for reason in categories)


def test_a_row_without_a_reason_is_shown_so(capsys):
    show_anomalies([Anomaly(3, -2.0, 0.00001, "one cell", ())], as_json=False)
    out = capsys.readouterr().out
    assert "no single value, but all of them together" in out and "< 0.0001" in out
