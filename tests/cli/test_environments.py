"""Commands work wherever they are started: plain terminals, no home, strict or hurried Python."""

import os
import subprocess
import sys

import pytest

ENVIRONMENTS = {
    "plain C": (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "TERM": "dumb", "COLUMNS": "20"}
        | {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent"},
        (),
    ),
    "Turkish": ({"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}, ("-O",)),
    "strict": ({}, ("-W", "error")),
}
"""One process has several properties that have nothing to do with one another."""


def ran(environment, arguments):
    variables, flags = ENVIRONMENTS[environment]
    command = [sys.executable, *flags, "-m", "galileomix", *arguments]
    return subprocess.run(command, env=os.environ | variables, capture_output=True, timeout=120)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_model_is_shown(environment, zoo_model):
    done = ran(environment, ["info", zoo_model])
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"clusters" in done.stdout


@pytest.mark.parametrize("environment", ["plain C", "strict"])
def test_a_table_is_fitted(environment, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a,größe\n" + "x,klein\ny,groß\n" * 20, encoding="utf-8")
    done = ran(environment, ["fit", str(table), "-o", str(tmp_path / "m")])
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr and (tmp_path / "m").exists()
