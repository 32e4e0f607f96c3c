"""The program as a whole: exit codes, help, notes, signals, pipes."""

import os
import re
import signal
import stat
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from galileomix._cli import main
from galileomix._cli.program import galileo as program


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["fit", "nothing.csv"], 3, "no such file"),
        (["fit", "docs"], 3, "this directory has no CSV, Parquet, JSON lines or Feather files"),
        (["fit", "x*.csv"], 3, "no files match"),
        (["fit"], 2, "Missing argument"),
        (["fly"], 2, "No such command"),
        (["ask", "x.galileo", "age"], 2, "No such command"),
        (["fit", "x.csv", "--max-components", "0"], 2, "at least 1"),
        (["fit", "x.csv", "--jobs", "0"], 2, "-1 stands for all"),
        (["fit", "x.csv", "--max-components", "few"], 2, "neither 'auto' nor an integer"),
        (["fit", "x.csv", "-o", "-"], 2, "not written to stdout"),
    ],
)
def test_errors_are_short_with_the_right_code(galileo, arguments, code, message):
    given, out, err = galileo(*arguments)
    assert (given, out) == (code, "")
    assert message in err and "Traceback" not in err


def test_help_shows_examples_line_by_line(galileo):
    code, out, _ = galileo("fit", "--help")
    assert code == 0 and "  galileo fit survey.csv\n" in out


def test_the_overview_cuts_no_sentence(galileo):
    _, out, _ = galileo("--help")
    commands = out.partition("Commands:")[2].strip().splitlines()
    assert len(commands) == len(program.commands)
    assert all(line.endswith(".") and "..." not in line for line in commands)


def test_a_note_is_one_line(galileo, zoo_csv):
    _, _, err = galileo("fit", zoo_csv, "--max-components", "2")
    assert any(line.startswith("galileo: note: column 'animal'") for line in err.splitlines())


def test_many_files_give_few_notes(galileo, zoo_csv, zoo_model, tmp_path):
    frame = pd.read_csv(zoo_csv).assign(type="dragon")
    for number in range(8):
        frame.to_csv(tmp_path / f"{number}.csv", index=False)
    code, out, err = galileo("predict", zoo_model, str(tmp_path))
    assert code == 0 and len(out.splitlines()) == 809
    notes = [line for line in err.splitlines() if "never seen in fit ('dragon')" in line]
    assert len(notes) == 5 and notes[-1].endswith("(further notes like this are not shown)")


def test_debug_shows_the_traceback():
    with pytest.raises(Exception, match="no such file"):
        main(["fit", "nothing.csv", "--debug"])


def test_a_bug_is_called_one(galileo, zoo_csv, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("galileomix._cli.fit_table.fit_clusters", broken)
    code, _, err = galileo("fit", zoo_csv)
    assert code == 1
    assert err == (
        "galileo: ZeroDivisionError: division by zero (this is a bug; --debug shows the "
        "traceback)\n"
    )


def test_a_folder_that_cannot_be_written_to(galileo, zoo_csv, zoo_model, monkeypatch, tmp_path):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr("galileomix._atomic._new", refused)
    code, _, err = galileo("predict", zoo_model, zoo_csv, "-o", str(tmp_path / "out.csv"))
    assert code == 1 and err == f"galileo: {str(tmp_path)!r}: Permission denied\n"


def test_sigterm_leaves_nothing_behind(tmp_path):
    """The signal comes when all blocks lie on disk."""
    table, place = tmp_path / "t.csv", tmp_path / "temporary"
    place.mkdir()
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.integers(0, 9, (20_000, 12))).to_csv(table, index=False)
    command = [sys.executable, "-m", "galileomix", "fit", str(table), "--memory-limit", "1KB"]
    environment = {**os.environ, "TMPDIR": str(place)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as fitting:
        assert fitting.stderr is not None
        assert any(line.startswith("fitting t.csv") for line in fitting.stderr)
        assert list(place.glob("galileo-*/blocks"))
        fitting.terminate()
        _, messages = fitting.communicate(timeout=60)
    assert fitting.returncode == 143
    assert messages.endswith("galileo: terminated\n")
    assert list(place.iterdir()) == []


def test_the_handler_of_sigterm_is_put_back(galileo):
    before = signal.getsignal(signal.SIGTERM)
    galileo("fit", "nothing.csv")
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("forced", [{}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_no_colour_and_no_animation_in_a_pipe(galileo, survey_csv, monkeypatch, forced):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in forced.items():
        monkeypatch.setenv(name, value)
    code, out, err = galileo("fit", survey_csv, "--max-components", "2")
    assert code == 0
    escapes = r"\x1b\[(\d+;)*(3[0-8]|9[0-7])m" if forced else "\x1b"
    assert not re.search(escapes, out + err)


@pytest.mark.parametrize("columns", ["0", "20"])
def test_a_narrow_terminal_is_taken_for_one_that_shows_figures(
    galileo, zoo_model, monkeypatch, columns
):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(Console, "is_terminal", True)
    code, out, _ = galileo("info", zoo_model)
    assert code == 0 and "log-likelih" in out and "the search: " in out


def test_a_full_disk_behind_stdout_is_named(zoo_model, tmp_path):
    full = tmp_path / "full"
    try:
        os.mknod(full, 0o600 | stat.S_IFCHR, os.makedev(1, 7))
    except OSError:
        pytest.skip("only root makes devices")
    with full.open("wb") as output:
        command = [sys.executable, "-m", "galileomix", "sample", zoo_model]
        done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, timeout=120)
    expected = b"galileo: standard output: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, expected)
