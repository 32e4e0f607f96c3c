"""The examples that --help shows, run as they stand there."""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import example_files
from galileomix._cli.program import galileo as program


def examples():
    """Yield every line below "Examples:" in the help of every command."""
    for name, command in program.commands.items():
        _, _, below = (command.help or "").partition("Examples:")
        for line in below.splitlines():
            if line.strip():
                yield pytest.param(line.strip(), id=f"{name}: {line.strip()}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All files that the examples read."""
    folder = tmp_path_factory.mktemp("examples")
    example_files.write(folder)
    return folder


@pytest.mark.parametrize("line", list(examples()))
def test_an_example_runs(line, galileo, folder, monkeypatch):
    """In this process, because importing takes longer than most examples."""
    monkeypatch.chdir(folder)
    line = line.replace("--separator ';'", "--separator ','")
    source, pipe, command = line.rpartition(" | ")
    if pipe:
        given = subprocess.run(source, shell=True, capture_output=True, check=True).stdout
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    name, *arguments = shlex.split(command)
    redirected = [mark for mark in (">", ">>") if mark in arguments]
    if redirected:
        arguments = arguments[: arguments.index(redirected[0])]
    code, out, err = galileo(*arguments)
    assert name == "galileo" and code == 0, err
    assert out or "-o" in arguments
    assert "Traceback" not in err


def test_the_installed_program_ends_quietly_when_its_pipe_is_closed(folder):
    """More is written than a pipe holds, so that writing fails when the reader ends."""
    line = "galileo sample clusters.galileo -n 20000 | head -1; echo ${PIPESTATUS[0]}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.splitlines() == ["age,sex,smokes,drinks", "1"]
    assert done.stderr == ""


def test_every_command_has_examples():
    without = {name for name, command in program.commands.items() if not has_examples(command)}
    assert without == {"demo"}


def has_examples(command):
    return "Examples:" in (command.help or "")
