"""Commands work wherever they are started: plain terminals, no home, strict or hurried Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import galileomix

PACKAGE = Path(galileomix.__file__).parent
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


@pytest.mark.parametrize("mode", [0o700, 0o777])
def test_compiled_loops_find_room_that_is_nobody_elses(tmp_path, zoo_model, mode):
    """Neither beside the package nor in a home can a file be made, whoever runs this."""
    package, room, file = tmp_path / "galileomix", tmp_path / "room", tmp_path / "file"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (package, *filter(Path.is_dir, package.rglob("*"))):
        (folder / "__pycache__").touch()
    file.touch()
    room.mkdir()
    compiled = room / f"galileomix-{os.getuid()}"
    if mode != 0o700:
        compiled.mkdir()
        compiled.chmod(mode)
    homes = {"HOME": str(file), "XDG_CACHE_HOME": str(file), "TMPDIR": str(room)}
    environment = os.environ | homes | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "galileomix", "info", zoo_model]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    assert compiled.stat().st_mode & 0o777 == mode
    assert bool(list(compiled.iterdir())) == (mode == 0o700)


@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT=1", "NUMBA_NUM_THREADS=0"])
def test_what_numba_cannot_be_told_is_named(variable, zoo_model):
    name, _, value = variable.partition("=")
    command = [sys.executable, "-m", "galileomix", "info", zoo_model]
    done = subprocess.run(command, env=os.environ | {name: value}, capture_output=True, timeout=120)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert name.encode() in done.stderr and b"bug" not in done.stderr
