"""Every command may be stopped at any moment.

Every command is sent SIGINT or SIGTERM at a random moment, from the start of the process to a
little after its usual end. It must end with the exit code of the signal and one line that says so,
or as usual where it was done already (a search that is interrupted once ends with the best model
so far). There may be no traceback, no temporary file, and of its output nothing or all. Until
Python has come to the first line of the program a signal is Python's own: those are counted apart.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.common import Plan, Record, load
from benchmarks.render import grouped, table
from galileomix import Galileo, GalileoDetector
from galileomix._cli.stop import CODES, KEPT, MESSAGES

JOBS = 1
TABLE, MODEL, DETECTOR, OUTPUT = "zoo.csv", "zoo.galileo", "detector.galileo", "written"
COMMANDS: dict[str, tuple[str, ...]] = {
    "help": ("--help",),
    "fit": ("fit", TABLE, "-o", OUTPUT),
    "predict": ("predict", MODEL, TABLE, "-o", f"{OUTPUT}.csv"),
    "anomalies": ("anomalies", TABLE, "--model", DETECTOR, "-o", f"{OUTPUT}.csv"),
    "impute": ("impute", TABLE, "--model", MODEL, "-o", f"{OUTPUT}.csv"),
    "query": ("query", MODEL, "legs"),
    "sample": ("sample", MODEL, "-n", "1000", "-o", f"{OUTPUT}.csv"),
    "info": ("info", MODEL),
    "report": ("report", MODEL, TABLE, "-o", f"{OUTPUT}.html"),
    "compare": ("compare", TABLE),
    "reproduce": ("reproduce", "density-examples", "--markdown", f"{OUTPUT}.md"),
    "demo": ("demo", "--json"),
    "completion": ("completion", "bash"),
}


def run(plan: Plan) -> list[Record]:
    """Stop every command at random moments."""
    rng, records = random.Random(0), list[Record]()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        for name, command in COMMANDS.items():
            whole, usual = finished(command, Path(folder))
            for n in range(plan.count(100)):
                sent = list(CODES)[n % len(CODES)]
                moment = rng.uniform(0.0, 1.2 * usual)
                records.append(
                    {"command": name} | stopped(command, sent, moment, Path(folder), whole)
                )
                if any(records[-1][what] for what in ("wrong", "partial", "left")):
                    print(f"benchmarks.interrupts: {records[-1]}", file=sys.stderr, flush=True)
            print(f"benchmarks.interrupts: {name} is done", file=sys.stderr, flush=True)
    return records


def prepare(folder: Path) -> None:
    """Write the table and the models that commands work on."""
    load("zoo").to_csv(folder / TABLE, index=False)
    Galileo(random_state=0).fit(load("zoo")).save(folder / MODEL)
    GalileoDetector(Galileo(random_state=0)).fit(load("zoo")).save(folder / DETECTOR)


def finished(command: tuple[str, ...], folder: Path) -> tuple[bytes, float]:
    """Run a command to its end; return what it writes and how long it takes."""
    begun = time.perf_counter()
    subprocess.run([*_program(), *command], cwd=folder, check=True, capture_output=True)
    return _written(folder), time.perf_counter() - begun


def stopped(
    command: tuple[str, ...], sent: signal.Signals, moment: float, folder: Path, whole: bytes
) -> Record:
    """Send a signal to a command; say what is wrong with how it ended."""
    with tempfile.TemporaryDirectory() as place:
        environment = os.environ | {"TMPDIR": place}
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        running = subprocess.Popen(
            [*_program(), *command], cwd=folder, env=environment, text=True, **pipes
        )
        time.sleep(moment)
        begun = running.poll() is not None or _handles(running.pid)
        running.send_signal(sent)
        _, messages = running.communicate(timeout=120)
        left = len(list(Path(place).iterdir())) + len(list(folder.glob(".galileo-*")))
    output, code = _written(folder), running.returncode
    fit = command[0] == "fit" and KEPT in messages  # another model, which is whole all the same
    asked = code == CODES[sent] and messages.rstrip().endswith(MESSAGES[code])
    wrong = not (asked or code == 0) or "Traceback" in messages
    partial = output not in (b"", whole) and not fit
    outcome = "early" if not begun else "done" if code == 0 else "stopped"
    return {
        "signal": sent.name,
        "outcome": outcome,
        "wrong": begun and wrong,
        "partial": partial and code != 0,
        "left": left,
        "code": code,
    }


def _program() -> list[str]:
    return [sys.executable, "-m", "galileomix"]


def _written(folder: Path) -> bytes:
    """Return what the command wrote, and remove it."""
    found = b""
    for path in folder.glob(f"{OUTPUT}*"):
        found += path.read_bytes()
        path.unlink()
    return found


def _handles(process: int) -> bool:
    """Return whether a process has come to the first line of the program, or to its end.

    SIGTERM is handled, and at the end ignored, by the program alone: Python itself has SIGINT.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return True
    masks = dict(line.split(":\t") for line in status.splitlines() if line.startswith("Sig"))
    known = int(masks.get("SigCgt", "-1"), 16) | int(masks.get("SigIgn", "0"), 16)
    return bool(known & 1 << (signal.SIGTERM - 1))


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["command", "signals", "before its first line", "stopped", "done"]
    header += ["wrong exit code or message", "partial output", "temporary files left"]
    rows = []
    for (name,), group in grouped(records, "command"):
        ended = [sum(r["outcome"] == each for r in group) for each in ("early", "stopped", "done")]
        wrong = [sum(int(r[what]) for r in group) for what in ("wrong", "partial", "left")]
        rows.append([name, len(group), *ended, *wrong])
    return table(header, rows)
