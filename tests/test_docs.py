"""Every code block of the documents, run as it stands there."""

import doctest
import io
import os
import re
import shlex
import shutil
import sys
import warnings
from pathlib import Path

import pytest

import example_files
from galileomix._cli import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LANGUAGES = {"python", "console", "text"}
BLOCK = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SLOW = {"galileo demo"}
"""Commands that have tests of their own."""


def blocks(page, language):
    return [code for found, code in BLOCK.findall(page.read_text()) if found == language]


def named(pages):
    return [pytest.param(page, id=page.name) for page in pages]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    example_files.write(folder)
    return folder


@pytest.fixture
def folder(files, monkeypatch):
    """A folder with every file that the documents name."""
    monkeypatch.chdir(files)


@pytest.mark.parametrize("page", named(PAGES))
def test_every_block_says_what_it_is(page):
    """Only code is run, so nothing may pass for text by having no language."""
    found = {language for language, _ in BLOCK.findall(page.read_text())}
    assert found <= LANGUAGES
    assert page.read_text().count("```") == 2 * len(BLOCK.findall(page.read_text()))


@pytest.mark.parametrize("page", named(page for page in PAGES if blocks(page, "python")))
def test_python_runs(page, folder, monkeypatch):
    """Examples with prompts show what they print; others only have to run."""
    code = blocks(page, "python")
    if any("pyspark" in block for block in code):
        spare_session(page, monkeypatch)
    prompted = [">>> " in block for block in code]
    assert all(prompted) or not any(prompted), "one style for each page"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not any(prompted):
            exec(compile("\n".join(code), page.name, "exec"), {"__name__": page.stem})
            return
        found = doctest.testfile(
            str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
        )
    assert found.attempted > 20 and found.failed == 0


def spare_session(page, monkeypatch):
    """Skip a page where Spark cannot run, and keep its examples from ending a session of tests."""
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip(f"Spark needs Java, which is not installed: {page.name} was not run")
    if sql.SparkSession.getActiveSession() is not None:
        monkeypatch.setattr(sql.SparkSession, "stop", lambda session: None)


def commands():
    for page in PAGES:
        for line in "".join(blocks(page, "console")).splitlines():
            command = line.split("  #")[0].strip()
            if command:
                yield pytest.param(command, id=f"{page.name}: {command}")


@pytest.mark.parametrize("command", list(commands()))
def test_commands_run(command, folder, monkeypatch, capsys):
    program, *arguments = shlex.split(command.split(" > ")[0])
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert arguments[0] in targets
    elif command not in SLOW:
        assert program == "galileo"
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 0, capsys.readouterr().err
