"""A signal ends the program even while a library is not listening to it."""

import os
import signal
import subprocess
import sys
import time

import pytest

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


@pytest.mark.parametrize(
    ("sent", "code", "message"),
    [
        (signal.SIGINT, 130, "galileo: interrupted\n"),
        (signal.SIGTERM, 143, "galileo: terminated\n"),
    ],
)
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
