"""Bad input on every command: one line that says what to do, and the right exit code."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest

COMMANDS = {
    "fit": lambda model, table: ["fit", table],
    "predict": lambda model, table: ["predict", model, table],
    "anomalies": lambda model, table: ["anomalies", table],
    "anomalies by a model": lambda model, table: ["anomalies", table, "-m", model],
    "impute": lambda model, table: ["impute", table],
    "impute by a model": lambda model, table: ["impute", table, "-m", model],
}
WITH_MODEL = {
    "predict": lambda model, table: ["predict", model, table],
    "anomalies": lambda model, table: ["anomalies", table, "-m", model],
    "impute": lambda model, table: ["impute", table, "-m", model],
    "ask": lambda model, table: ["ask", model, "legs"],
    "sample": lambda model, table: ["sample", model],
    "info": lambda model, table: ["info", model],
}


@pytest.fixture
def bad(tmp_path, zoo_csv):
    """Return the path of something that is not a table or not a model."""

    def make(what):
        path = tmp_path / f"{what}.csv"
        if what == "directory":
            path.mkdir()
        elif what == "empty":
            path.touch()
        elif what == "binary":
            path.write_bytes(bytes(range(256)) * 20)
        elif what == "header":
            path.write_text("a,b\n")
        elif what == "ragged":
            path.write_text("a,b\n1,2\n3\n")
        elif what == "lacking":
            pd.read_csv(zoo_csv).drop(columns=["legs", "milk"]).to_csv(path, index=False)
        elif what == "text":
            path.write_text("not a model\n")
        return str(path)

    return make


def one_line(code, expected, out, err, words):
    assert code == expected, err
    lines = [line for line in err.splitlines() if not line.startswith("fitting")]
    assert len(lines) == 1 and lines[0].startswith("galileo: "), err
    assert words in lines[0] and "Traceback" not in err and out == ""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("absent", "no such file"),
        ("directory", "no CSV or Parquet files"),
        ("empty", "the file is empty"),
        ("binary", "this is not text"),
        ("header", "a header but no rows"),
    ],
)
def test_what_is_no_table(galileo, zoo_model, bad, command, what, words):
    path = bad(what)
    code, out, err = galileo(*COMMANDS[command](zoo_model, path))
    one_line(code, 3, out, err, words)
    assert path in err


@pytest.mark.parametrize("command", ["predict", "anomalies by a model", "impute by a model"])
def test_a_table_of_other_columns(galileo, zoo_model, bad, command):
    code, out, err = galileo(*COMMANDS[command](zoo_model, bad("lacking")))
    one_line(code, 3, out, err, "no column 'milk', 'legs', which the model was fitted with")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_ragged_line(galileo, zoo_model, bad, command):
    code, _, err = galileo(*COMMANDS[command](zoo_model, bad("ragged")))
    assert code == 3 and "Traceback" not in err
    assert "line 3" in err or "no column" in err


@pytest.mark.parametrize("command", WITH_MODEL)
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("absent", "no such file"),
        ("directory", "this is a directory"),
        ("empty", "the file is empty"),
        ("binary", "not a Galileo model"),
        ("text", "not a Galileo model"),
    ],
)
def test_what_is_no_model(galileo, zoo_csv, bad, command, what, words):
    code, out, err = galileo(*WITH_MODEL[command](bad(what), zoo_csv))
    one_line(code, 4, out, err, words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "MODEL", "colour"], "no column 'colour' was fitted; there are 'hair'"),
        (["ask", "MODEL", "legs", "--given", "milk=maybe"], "'maybe' was never seen in fit"),
        (["ask", "MODEL", "legs", "--given", "legs=4"], "asked for and given at once"),
        (["ask", "MODEL", "legs", "--given", "milk"], "write it as COLUMN=VALUE"),
        (["sample", "MODEL", "--given", "fur=1"], "no column 'fur' was fitted"),
        (["sample", "MODEL", "-n", "0"], "0 is not in the range"),
        (["predict", "MODEL", "TABLE", "-o", "x.xls"], "name it .csv, .tsv, .jsonl, .parquet"),
        (["anomalies", "TABLE", "--contamination", "0.7"], "0.7 is not in the range"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
    ],
)
def test_wrong_usage(galileo, zoo_csv, zoo_model, arguments, words):
    given = [{"MODEL": zoo_model, "TABLE": zoo_csv}.get(each, each) for each in arguments]
    code, out, err = galileo(*given)
    assert (code, out) == (2, "") and words in err and "Traceback" not in err


@pytest.mark.parametrize("command", ["predict", "sample", "fit"])
def test_no_folder_to_write_to(galileo, zoo_csv, zoo_model, command, tmp_path):
    where = str(tmp_path / "none" / "out.csv")
    given = {"predict": [zoo_model, zoo_csv], "sample": [zoo_model], "fit": [zoo_csv]}[command]
    code, out, err = galileo(command, *given, "-o", where)
    assert code == (4 if command == "fit" else 1) and "no" in err and "folder" in err
    assert out == "" and "Traceback" not in err


def test_debug_shows_the_traceback(zoo_csv):
    done = run_command(["predict", "nothing.galileo", zoo_csv, "--debug"])
    assert done.returncode == 1 and "Traceback" in done.stderr
    assert "ModelFileError" in done.stderr


def test_a_reader_that_has_had_enough(zoo_csv, zoo_model):
    command = f"{sys.executable} -m galileomix predict {zoo_model} {zoo_csv} | head -1; exit 0"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("animal,") and done.stderr == ""


def test_no_colour_and_no_animation_in_a_pipe(zoo_csv):
    done = run_command(["fit", zoo_csv, "--max-components", "3"], NO_COLOR="1", FORCE_COLOR="1")
    assert done.returncode == 0
    assert not re.search(r"\x1b\[(\d+;)*(3[0-8]|9[0-7])m", done.stdout + done.stderr)
    done = run_command(["fit", zoo_csv, "--max-components", "3"])
    assert "\x1b" not in done.stdout + done.stderr


def run_command(arguments, **environment):
    command = [sys.executable, "-m", "galileomix", *arguments]
    settings = os.environ | environment
    return subprocess.run(command, capture_output=True, text=True, env=settings, timeout=120)
