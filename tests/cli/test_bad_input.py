"""Bad input on every command: one line that says what to do, and the right exit code."""

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
    "query": lambda model, table: ["query", model, "legs"],
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


def one_line(code, expected, out, err, message):
    assert code == expected, err
    lines = [line for line in err.splitlines() if not line.startswith("fitting")]
    assert len(lines) == 1 and lines[0].startswith("galileo: "), err
    assert message in lines[0] and "Traceback" not in err and out == ""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("absent", "no such file"),
        ("directory", "no CSV, Parquet, JSON lines or Feather files"),
        ("empty", "the file is empty"),
        ("binary", "this is not text"),
        ("header", "a header but no rows"),
    ],
)
def test_what_is_no_table(galileo, zoo_model, bad, command, what, message):
    path = bad(what)
    code, out, err = galileo(*COMMANDS[command](zoo_model, path))
    one_line(code, 3, out, err, message)
    assert path in err


@pytest.mark.parametrize("command", ["predict", "anomalies by a model", "impute by a model"])
def test_a_table_of_other_columns(galileo, zoo_model, bad, command):
    code, out, err = galileo(*COMMANDS[command](zoo_model, bad("lacking")))
    one_line(code, 3, out, err, "no column 'milk', 'legs' for the model; the columns are animal, ")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_ragged_line(galileo, zoo_model, bad, command):
    code, _, err = galileo(*COMMANDS[command](zoo_model, bad("ragged")))
    assert code == 3 and "Traceback" not in err
    assert "line 3" in err or "no column" in err


@pytest.mark.parametrize("command", WITH_MODEL)
@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("absent", "no such file"),
        ("directory", "this is a directory"),
        ("empty", "the file is empty"),
        ("binary", "not a Galileo model"),
        ("text", "not a Galileo model"),
    ],
)
def test_what_is_no_model(galileo, zoo_csv, bad, command, what, message):
    code, out, err = galileo(*WITH_MODEL[command](bad(what), zoo_csv))
    one_line(code, 4, out, err, message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["query", "MODEL", "colour"], "no column 'colour' was fitted; there are 'hair'"),
        (["query", "MODEL", "legs", "--given", "type=dragon"], "'dragon' was never seen in fit"),
        (
            ["query", "MODEL", "legs", "--given", "legs=4"],
            "'legs' is the target of the query and given at once",
        ),
        (["query", "MODEL", "legs", "--given", "milk"], "for '--given': 'milk': write it as COLU"),
        (
            ["query", "MODEL", "legs", "--given", "milk=True", "--given", "milk=False"],
            "Invalid value for '--given': 'milk' is given twice",
        ),
        (["query", "MODEL", "legs", "--given", "milk=maybe"], "galileo: --given 'milk': 'maybe'"),
        (["sample", "MODEL", "--given", "fur=1"], "no column 'fur' was fitted"),
        (["sample", "MODEL", "-n", "0"], "0 is not in the range"),
        (["sample", "MODEL", "-n", "9" * 12], f"--rows {'9' * 12}: it must be at most "),
        (["sample", "MODEL", "--seed", str(2**32)], f"{2**32} is not in the range"),
        (["fit", "TABLE", "--encoding", "rot13"], "--encoding rot13: no such encoding of text"),
        (["fit", "TABLE", "--encoding", "\udcff"], "--encoding '\\udcff': no such encoding"),
        (["predict", "MODEL", "TABLE", "-o", "x.xls"], "the name must end in .csv, .tsv, .jsonl"),
        (["anomalies", "TABLE", "--contamination", "0.7"], "0.7 is not in the range"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
    ],
)
def test_wrong_usage(galileo, zoo_csv, zoo_model, arguments, message):
    given = [{"MODEL": zoo_model, "TABLE": zoo_csv}.get(word, word) for word in arguments]
    code, out, err = galileo(*given)
    assert (code, out) == (2, "") and message in err and "Traceback" not in err


@pytest.mark.parametrize(("stream", "name"), [("stdin", "input"), ("stdout", "output")])
def test_a_closed_stream_is_named(galileo, monkeypatch, stream, name):
    monkeypatch.setattr(sys, stream, None)
    assert galileo("fit", "-") == (1, "", f"galileo: standard {name} is closed\n")


@pytest.mark.parametrize("command", ["predict", "sample", "fit"])
def test_no_folder_to_write_to(galileo, zoo_csv, zoo_model, command, tmp_path):
    where = str(tmp_path / "none" / "out.csv")
    given = {"predict": [zoo_model, zoo_csv], "sample": [zoo_model], "fit": [zoo_csv]}[command]
    code, out, err = galileo(command, *given, "-o", where)
    assert code == 1 and f"{where!r}: no such folder" in err
    assert out == "" and "Traceback" not in err


def test_a_model_that_cannot_be_saved_is_a_failure_like_any_other(
    galileo, survey_csv, tmp_path, monkeypatch
):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr("galileomix._atomic._new", refused)
    where = str(tmp_path / "m.galileo")
    code, _, err = galileo("fit", survey_csv, "-o", where, "--n-components", "1")
    assert code == 1 and f"galileo: {where!r}: Permission denied" in err


@pytest.mark.parametrize("command", ["anomalies", "impute"])
def test_a_model_in_the_place_of_a_table_is_named_as_one(galileo, zoo_model, zoo_csv, command):
    code, _, err = galileo(command, str(zoo_model), str(zoo_csv))
    assert code == 3 and "is a saved model, not a table" in err and "--model" in err
