"""The command line, as a user runs it."""

import io
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from galileomix._cli import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    captured = capsys.readouterr()
    return stop.value.code, captured.out, captured.err


def test_fit_shows_path_and_components(capsys, zoo_csv):
    code, out, err = run(capsys, "fit", zoo_csv, "--drop", "animal")
    assert code == 0
    assert "<- chosen" in out
    assert "milk=True" in out
    assert "4 kinds among 101 records, chosen by BIC" in out
    assert "fitting zoo.csv: 101 records, 17 attributes" in err


def test_fit_as_json(capsys, zoo_csv):
    code, out, _ = run(capsys, "fit", zoo_csv, "--drop", "animal", "--json")
    summary = json.loads(out)
    assert code == 0
    assert summary["path"]["chosen"] == len(summary["components"]) == 4
    assert summary["n_rows"] == 101


def test_an_identifier_is_noted_in_one_line(capsys, zoo_csv):
    _, _, err = run(capsys, "fit", zoo_csv, "--max-components", "2")
    assert any(line.startswith("galileo: note: column 'animal'") for line in err.splitlines())


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["fit", "nothing.csv"], 3, "no such file"),
        (["fit", "docs"], 3, "this directory has no CSV or Parquet files"),
        (["fit", "x*.csv"], 3, "no files match"),
        (["fit"], 2, "Missing argument"),
        (["fly"], 2, "No such command"),
        (["fit", "x.csv", "--max-components", "0"], 2, "at least 1"),
        (["fit", "x.csv", "--jobs", "0"], 2, "-1 stands for all"),
        (["fit", "x.csv", "--max-components", "few"], 2, "neither 'auto' nor an integer"),
    ],
)
def test_errors_are_one_line_with_the_right_code(capsys, arguments, code, words):
    given, out, err = run(capsys, *arguments)
    assert given == code
    assert words in err
    assert out == ""
    assert "Traceback" not in err


def test_dropping_a_column_that_is_not_there(capsys, zoo_csv):
    code, _, err = run(capsys, "fit", zoo_csv, "--drop", "anmal")
    assert code == 3
    assert "no column 'anmal' to drop; the columns are animal, hair" in err


def test_debug_shows_the_traceback():
    with pytest.raises(Exception, match="no such file"):
        main(["fit", "nothing.csv", "--debug"])


def test_dropping_every_column(capsys, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("a,b\n1,2\n")
    code, _, err = run(capsys, "fit", str(path), "--drop", "a", "--drop", "b")
    assert code == 3
    assert "column" in err
    assert "should not happen" not in err


def test_options_of_csv_files(capsys, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_bytes("rot;1;?\ngrün;2;x\n".encode("latin-1") * 30)
    how = ["--separator", ";", "--encoding", "latin-1", "--no-header", "--missing-value", "?"]
    code, out, err = run(capsys, "fit", str(path), *how, "--drop", "x1")
    assert code == 0
    assert "x0=grün, x2=x" in out
    assert "x2=missing" in out
    assert "fitting odd.csv: 60 records, 2 attributes" in err
    code, _, err = run(capsys, "fit", str(path), "--separator", ";;")
    assert code == 2
    assert "separator=';;'" in err


def test_patterns_and_a_limit_on_memory(capsys, tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.csv").write_text("a,b\n" + "x,1\ny,2\n" * 20)
    code, out, err = run(capsys, "fit", str(tmp_path / "*.csv"), "--memory-limit", "1KB")
    assert code == 0
    assert "2 kinds among 120 records" in out
    code, _, err = run(capsys, "fit", str(tmp_path), "--memory-limit", "much")
    assert code == 2
    assert "'much' is no size: write it as 500MB" in err
    assert "None" not in err


def test_bad_lines_are_named(capsys, tmp_path):
    (tmp_path / "bad.csv").write_text("a,b\nx,1\ny\n")
    code, _, err = run(capsys, "fit", str(tmp_path / "bad.csv"))
    assert code == 3
    assert "bad.csv', line 3: 1 field where the header (line 1) has 2" in err
    assert len(err.strip().splitlines()) == 1


def test_help_shows_examples_line_by_line(capsys):
    code, out, _ = run(capsys, "fit", "--help")
    assert code == 0
    assert "  galileo fit survey.csv\n" in out


def test_the_demo_finds_the_23_kinds():
    done = subprocess.run(
        [sys.executable, "-m", "galileomix", "demo"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "mushroom: 23 kinds among 8124 records, chosen by density" in done.stdout
    assert "mushroom: 22 kinds among 8124 records, chosen by AIC" in done.stdout
    assert "mushroom: 18 kinds among 8124 records, chosen by BIC" in done.stdout
    assert "odor=foul" in done.stdout


def test_several_files_are_one_table(capsys, tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.csv").write_text("a,b\n" + "x,1\ny,2\n" * 20)
    files = [str(tmp_path / f"{number}.csv") for number in range(3)]
    code, out, err = run(capsys, "fit", *files)
    assert code == 0
    assert "0.csv and 2 more: 2 kinds among 120 records" in out
    assert "fitting 0.csv and 2 more: 120 records, 2 attributes" in err
    code, out, err = run(capsys, "fit", str(tmp_path / "*.csv"), "--drop", "b")
    assert "fitting 0.csv and 2 more: 120 records, 1 attribute ..." in err
    assert "1 kind among 120 records" in out or "2 kinds among 120 records" in out


def test_options_of_numbers_and_missing_cells(capsys, tmp_path):
    path = tmp_path / "t.csv"
    lines = (f"{n % 2},{n % 7 + 0.5},{n % 5},{'' if n % 4 else 'w'}\n" for n in range(80))
    path.write_text("k,u,v,c\n" + "".join(lines))
    how = ["--categorical", "k,c", "--missing-as", "ignore", "--covariance", "diagonal"]
    how += ["--discretize", "u=width:2", "--discretize", "v=1,3", "--max-components", "2", "--json"]
    code, out, err = run(capsys, "fit", str(path), *how)
    assert code == 0, err
    assert json.loads(out)["n_attributes"] == 4
    code, out, err = run(capsys, "fit", str(path), "--categorical", "k", "--categorical", "z")
    assert code == 2
    assert "categorical names 'z'" in err
    for wrong in ("quartile", "width:x", "u=2,1", "18,65"):
        code, _, err = run(capsys, "fit", str(path), "--discretize", wrong)
        assert code == 2, wrong
        assert "discretize" in err
    code, _, err = run(capsys, "fit", str(path), "--discretize", "width", "--discretize", "u=1")
    assert code == 2
    assert "one rule for all columns" in err


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_from_stdin(capsys, monkeypatch, kind):
    frame = pd.DataFrame({"a": ["x", "y"] * 40, "b": [1, 2] * 40})
    given = io.BytesIO()
    frame.to_csv(given, index=False) if kind == "csv" else frame.to_parquet(given)
    given.seek(0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given))
    code, out, _ = run(capsys, "fit", "-")
    assert code == 0
    assert "2 kinds among 80 records" in out


def test_the_options_of_csv_files_are_not_for_parquet(capsys, tmp_path):
    path = tmp_path / "p.parquet"
    pd.DataFrame({"a": ["x", "y"]}).to_parquet(path)
    code, _, err = run(capsys, "fit", str(path), "--separator", ";")
    assert code == 3
    assert "this is a Parquet file" in err


def test_sigterm_leaves_nothing_behind(tmp_path):
    """The signal comes when all blocks lie on disk."""
    table, place = tmp_path / "t.csv", tmp_path / "temporary"
    place.mkdir()
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.integers(0, 9, (60_000, 12))).to_csv(table, index=False)
    command = [sys.executable, "-m", "galileomix", "fit", str(table), "--memory-limit", "1KB"]
    environment = {**os.environ, "TMPDIR": str(place)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as fitting:
        assert fitting.stderr is not None
        assert any(line.startswith("fitting t.csv") for line in fitting.stderr)
        assert list(place.glob("galileo-*/blocks"))
        fitting.terminate()
        _, words = fitting.communicate(timeout=60)
    assert fitting.returncode == 143
    assert words.endswith("galileo: terminated\n")
    assert list(place.iterdir()) == []


def test_an_ending_that_is_over_does_not_stay(capsys, zoo_csv):
    before = signal.getsignal(signal.SIGTERM)
    run(capsys, "fit", "nothing.csv")
    assert signal.getsignal(signal.SIGTERM) == before
