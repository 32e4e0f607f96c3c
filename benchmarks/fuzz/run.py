"""Cases one after the other, and what became of them."""

from __future__ import annotations

import sys
import time
from collections import Counter

from benchmarks.common import Record
from benchmarks.fuzz.cases import drawn
from benchmarks.fuzz.csv_files import verdict_of_file
from benchmarks.fuzz.forged import verdict_of_model
from benchmarks.fuzz.laws import verdict
from benchmarks.fuzz.watched import Worker

EVERY = 100
"""How many cases there are between two notes of how far it is."""


def fuzz(kind: str, seed: int, first: int, count: int, seconds: float) -> Record:
    """Run cases of one kind, say what breaks a law, and return what became of them."""
    outcomes, longest, begun = Counter[str](), 0.0, time.perf_counter()
    worker = Worker(one, seconds)
    for number in range(first, first + count):
        answer, problem, took = worker(kind, seed, number)
        outcome, wrong = answer or ("stopped", [problem])
        longest = max(longest, took)
        outcomes["broken" if wrong else outcome] += 1
        for line in wrong:
            print(f"{kind} {number} of seed {seed}: {line}".encode("ascii", "replace").decode())
        sys.stdout.flush()
        if (number - first) % EVERY == EVERY - 1:
            print(f"{number - first + 1} of {count}, {kind}", file=sys.stderr, flush=True)
    worker.end()
    shown = ", ".join(f"{n} {outcome}" for outcome, n in sorted(outcomes.items()))
    print(f"{count} cases ({kind}), seed {seed}: {shown}; the longest took {longest:.0f} s")
    minutes = (time.perf_counter() - begun) / 60
    cases = {"kind": kind, "seed": seed, "first": first, "cases": count}
    measured = {"longest": round(longest, 1), "minutes": round(minutes, 1)}
    return cases | {"outcomes": dict(outcomes)} | measured


def one(kind: str, seed: int, number: int) -> tuple[str, list[str]]:
    """Return what becomes of one case, and the laws that it breaks."""
    if kind == "csv":
        return verdict_of_file(seed, number)
    if kind == "model":
        return verdict_of_model(seed, number)
    return verdict(drawn(seed, number))
