"""How soon a fit ends when it is told to.

`galileo fit` of tables that take long is sent signals at random moments, from the first line it
prints on: while it reads, compiles, searches or is inside one call of a library. SIGTERM, and
SIGINT twice (a tenth of a second apart), must end it with the exit code of the signal and its
message. SIGINT once does the same while there is no model yet; a search ends with the best model
so far, which is still shown. No temporary file may be left. Seconds are from the last signal on.
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
from statistics import median

import numpy as np
import pandas as pd

from benchmarks.common import Plan, Record
from benchmarks.render import grouped, table
from benchmarks.wide import made
from galileomix._cli.stop import CODES, KEPT, MESSAGES

JOBS = 1
SENT = {"SIGTERM": [signal.SIGTERM], "SIGINT": [signal.SIGINT], "SIGINT twice": [signal.SIGINT] * 2}
APART = 0.1
"""Seconds between two signals."""
LATEST = 12.0
"""Seconds after the beginning until which a signal may come."""
OPTIONS = {
    "1472 x 789, half of it numbers, a third missing": (),
    "1000 x 300 numbers, a third missing, full covariances": ("--covariance", "full"),
    "200 000 x 40 categories, two threads": ("--jobs", "2"),
    "the same, blocks on disk": ("--memory-limit", "1MB"),
}


def run(plan: Plan) -> list[Record]:
    """Stop fits of every table at random moments."""
    rng = random.Random(0)
    records: list[Record] = []
    with tempfile.TemporaryDirectory() as folder:
        paths = tables(Path(folder), plan.quick)
        for name, path in paths.items():
            for sent in list(SENT) * plan.count(4):
                moment = rng.uniform(0.0, LATEST)
                records.append({"table": name} | stopped(path, OPTIONS[name], sent, moment))
                print(f"benchmarks.signals: {records[-1]}", file=sys.stderr, flush=True)
    return records


def tables(folder: Path, quick: bool) -> dict[str, Path]:
    """Write the tables; return their paths by their names."""
    mixed, _ = made(300 if quick else 1472, 394, 395, 4)
    numbers, _ = made(200 if quick else 1000, 300, 0, 1)
    rng = np.random.default_rng(0)
    tall = pd.DataFrame(rng.integers(6, size=(2_000 if quick else 200_000, 40))).add_prefix("c")
    frames = (mixed, numbers, tall.astype(str).map("v{}".format))
    for position, frame in enumerate(frames):
        frame.to_csv(folder / f"{position}.csv", index=False)
    paths = [folder / f"{position}.csv" for position in (0, 1, 2, 2)]
    return dict(zip(OPTIONS, paths, strict=True))


def stopped(path: Path, options: tuple[str, ...], sent: str, moment: float) -> Record:
    """Send signals to a fit so many seconds after it began; say how long it took to end.

    A fit that is done before is not counted (``answered`` is None).
    """
    command = [sys.executable, "-m", "galileomix", "fit", str(path), *options]
    with tempfile.TemporaryDirectory() as place:
        environment = os.environ | {"TMPDIR": place}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as fit:
            _wait_until_it_runs(fit.pid)
            time.sleep(moment)
            done = fit.poll() is not None
            for n, each in enumerate(SENT[sent]):
                time.sleep(APART * (n > 0))
                begun = time.perf_counter()
                fit.send_signal(each)
            _, messages = fit.communicate()
            seconds = time.perf_counter() - begun
        left = len(list(Path(place).iterdir()))
    code = fit.returncode if fit.returncode >= 0 else 128 - fit.returncode  # as a shell says it
    told = done or _told(sent, code, messages)
    answer = {"answered": None if done else round(seconds, 3), "told": told, "left": left}
    return {"signal": sent, "moment": round(moment, 2), "code": code} | answer


def _told(sent: str, code: int, messages: str) -> bool:
    """Return whether a fit ended as the signals ask, and said so."""
    if sent == "SIGINT" and code == 0:
        return KEPT in messages
    asked = CODES[SENT[sent][0]]
    return code == asked and messages.rstrip().endswith(MESSAGES[asked])


def _wait_until_it_runs(process: int) -> None:
    """Wait until the program has its handlers: until it is imported, signals are Python's own."""
    caught = 1 << (signal.SIGTERM - 1)
    while True:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        masks = dict(line.split(":\t") for line in status.splitlines() if line.startswith("Sig"))
        if "SigCgt" not in masks or int(masks["SigCgt"], 16) & caught:
            return
        time.sleep(0.02)


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    header = ["table", "sent", "times", "median seconds to the end", "longest"]
    header += ["wrong exit code or message", "temporary files left"]
    rows = []
    for (name, sent), group in grouped(records, "table", "signal"):
        times = [each["answered"] for each in group if each["answered"] is not None]
        wrong = sum(not each["told"] for each in group)
        spans = (f"{median(times):.2f}", f"{max(times):.2f}") if times else ("–", "–")
        rows.append([name, sent, len(times), *spans, wrong, sum(each["left"] for each in group)])
    return table(header, rows)
