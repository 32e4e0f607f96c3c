"""A signal ends a search with what it has found, and the program whatever it is doing."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

from galileomix import load
from galileomix._cli import program

DEAF = """
import hashlib, threading
from galileomix._cli.stop import answering_signals
from galileomix._table import Folder

with answering_signals(threading.Event()), Folder() as folder:
    (folder.path / "blocks").touch()
    print("deaf", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
"""
"""One call that takes half an hour, with a temporary folder open."""

INTERRUPTED = """
import os, signal, sys
from contextlib import contextmanager
from galileomix._cli import reporting
from galileomix._cli.program import main

real, left = reporting.searching, int(sys.argv[1])

@contextmanager
def searching():
    with real() as asked:
        def ask():
            global left
            asked()
            while left:
                left -= 1
                os.kill(os.getpid(), signal.SIGINT)
            return asked()
        yield ask

reporting.searching = searching
main(["fit", sys.argv[2], "-o", sys.argv[3]])
"""
"""A fit that is sent SIGINT once or twice while it searches."""

IMPORTING = """
import os, signal, sys
from galileomix._cli import main

sent, wanted = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it

class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), int(sent))

sys.meta_path.insert(0, Sender())
sys.argv[1:] = ["--version"]
main()
"""
"""A program that is sent a signal while it imports a module."""

CHANGED = """
import signal, sys
from galileomix._cli import program

sent, becomes = int(sys.argv[1]), sys.argv[2]

class Dropping:
    def __del__(self):
        signal.raise_signal(sent)

def main(*arguments, **options):
    if becomes == "nothing":
        Dropping()
        return 0
    try:
        signal.raise_signal(sent)
    except BaseException:
        raise ImportError("initialization failed") from None

program.galileo.main = main
program.main([])
"""
"""A command in which the exception of a signal becomes another one, or is dropped by Python."""

WITHIN = """
import sys

class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == "galileomix._estimators":
            exec("raise KeyboardInterrupt")

sys.meta_path.insert(0, Interrupter())
"""
"""What Python runs before the program, which is then interrupted in code that an import runs."""


def interrupted(times, folder):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(3, size=(300, 6))).add_prefix("c").map("v{}".format)
    table.to_csv(folder / "table.csv", index=False)
    model = folder / "model.galileo"
    script = [sys.executable, "-c", INTERRUPTED, str(times), str(folder / "table.csv"), str(model)]
    ran = subprocess.run(script, capture_output=True, text=True, timeout=120)
    return ran, model


def test_the_first_interrupt_keeps_the_best_model(tmp_path):
    ran, model = interrupted(1, tmp_path)
    assert ran.returncode == 0
    assert "interrupted; the best model so far is kept (Ctrl-C again to abort)" in ran.stderr
    assert "note: the search was stopped by Ctrl-C: this is the best model it had" in ran.stderr
    assert not load(model).search_.complete


def test_the_second_interrupt_aborts(tmp_path):
    ran, model = interrupted(2, tmp_path)
    assert ran.returncode == 130
    assert ran.stderr.endswith("galileo: interrupted\n")
    assert not model.exists()


ENDED = pytest.mark.parametrize(
    ("sent", "code", "message"),
    [
        (signal.SIGINT, 130, "galileo: interrupted\n"),
        (signal.SIGTERM, 143, "galileo: terminated\n"),
    ],
)


@ENDED
@pytest.mark.parametrize("module", ["click", "galileomix._cli.messages"])
def test_a_signal_during_the_imports(sent, code, message, module):
    command = [sys.executable, "-c", IMPORTING, str(int(sent)), module]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", message)


@ENDED
@pytest.mark.parametrize("becomes", ["another", "nothing"])
def test_a_signal_ends_the_program_whatever_becomes_of_it(sent, code, message, becomes):
    command = [sys.executable, "-c", CHANGED, str(int(sent)), becomes]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", message)


def test_an_interrupt_within_code_that_an_import_runs(tmp_path):
    """Python takes it for one that nobody handled, and would die by the signal."""
    (tmp_path / "sitecustomize.py").write_text(WITHIN)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "galileomix", "info", "nothing.galileo"]
    environment = {**os.environ, "PYTHONPATH": paths}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr.strip()) == (130, "galileo: interrupted")


@ENDED
def test_a_long_call_is_ended(sent, code, message, tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", DEAF]
    with subprocess.Popen(command, env=environment, text=True, **pipes) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "deaf\n"
        assert list(tmp_path.glob("galileo-*/blocks"))
        time.sleep(0.5)  # until it is inside the call, where Python sees no signal
        running.send_signal(sent)
        _, messages = running.communicate(timeout=60)
    assert (running.returncode, messages) == (code, message)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_just_before_or_after_a_command(monkeypatch, capsys):
    @contextmanager
    def notes(typed):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(program, "_notes_for_warnings", notes)
    with pytest.raises(SystemExit) as ended:
        program.main(["--version"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "galileo: interrupted\n"
