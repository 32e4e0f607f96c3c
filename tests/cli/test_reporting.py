"""Progress of commands: on a terminal unless it is refused, in a log only if asked for."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from galileomix._cli.program import galileo as program

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals on this system")


@pytest.fixture
def on_a_terminal(galileo, monkeypatch):
    """Run a command whose stderr is a terminal; return its stdout, and what the terminal got."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments):
        ours, theirs = pty.openpty()
        with ThreadPoolExecutor() as threads, monkeypatch.context() as patch:
            seen = threads.submit(_all_of, ours)
            with open(theirs, "w", encoding="utf-8") as terminal:
                patch.setattr(sys, "stderr", terminal)
                code, out, _ = galileo(*arguments)
        assert code == 0, seen.result()
        return out, seen.result()

    return run


def _all_of(terminal):
    seen = b""
    with suppress(OSError):  # when the other end is closed
        while part := os.read(terminal, 65536):
            seen += part
    os.close(terminal)
    return seen.decode()


def test_a_fit_shows_what_it_does_on_a_terminal(on_a_terminal, zoo_csv):
    out, seen = on_a_terminal("fit", zoo_csv, "--json")
    assert out.startswith("{") and out.endswith("}\n")
    # Which phases are seen depends on how long each takes.
    assert re.search(r"zoo\.csv: [a-z ]+: 4 clusters, BIC 1710\.56, [0-9,]+ passes", seen)
    assert "\x1b[2K" in seen  # the line is gone in the end
    assert "fitting" not in seen


def test_a_note_has_a_line_of_its_own_on_a_terminal(on_a_terminal, zoo_csv):
    _, seen = on_a_terminal("fit", zoo_csv, "--json")
    lines = [line.split("\r")[-1] for line in seen.replace("\r\n", "\n").splitlines()]
    [note] = [line for line in lines if "galileo: note: column 'animal'" in line]
    assert "zoo.csv" not in note


def test_rows_on_stdout_are_left_alone(on_a_terminal, zoo_csv, zoo_model):
    out, seen = on_a_terminal("predict", zoo_model, zoo_csv)
    assert len(out.splitlines()) == 102
    assert "predicting: 101 rows" in seen


def test_it_can_be_refused(on_a_terminal, zoo_csv):
    _, seen = on_a_terminal("fit", zoo_csv, "--json", "--no-progress")
    assert "growing" not in seen


def test_a_log_has_none_unless_it_is_asked_for(galileo, zoo_csv):
    code, _, err = galileo("fit", zoo_csv)
    assert code == 0 and "fitting zoo.csv: 101 records, 18 columns ..." in err
    assert "reading" not in err and "fitted" not in err


def test_a_log_has_a_few_lines_if_it_is(galileo, zoo_csv):
    code, _, err = galileo("fit", zoo_csv, "--progress")
    lines = [line for line in err.splitlines() if line.startswith("zoo.csv: ")]
    said = [line.removeprefix("zoo.csv: ").split(":")[0] for line in lines]
    assert code == 0 and said == ["reading", "encoding", "fitted"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["anomalies", "-n", "1"], "survey.csv: scoring: 60 rows ("),
        (["impute"], "survey.csv: imputing: 60 rows ("),
        (["compare", "--only", "k-modes"], "survey.csv: method 2 of 2 (k-modes): clustering"),
        (["fit", "--target", "smokes"], "survey.csv: class 3 of 3"),
    ],
)
def test_all_long_commands_tell(galileo, survey_csv, arguments, said):
    name, *options = arguments
    code, _, err = galileo(name, survey_csv, *options, "--progress")
    assert code == 0, err
    assert said in err


def test_items_of_the_paper_are_told(galileo):
    code, _, err = galileo("reproduce", "votes", "--quick", "--jobs", "1", "--progress")
    assert code == 0
    assert err.startswith("item 1 of 1: votes")


def test_every_long_command_has_the_option():
    long = ("demo", "fit", "predict", "anomalies", "impute", "compare", "reproduce")
    for name in long:
        options = {option for each in program.commands[name].params for option in each.opts}
        assert "--progress" in options, name
