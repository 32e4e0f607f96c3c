"""What is told while it works."""

import os
from itertools import pairwise

import pytest

from galileomix import Galileo
from galileomix._passes.local import threads
from galileomix._table import Reading
from galileomix.datasets import load_zoo


def test_a_line_is_printed_when_something_changed(capsys):
    Galileo(random_state=0, progress=True).fit(load_zoo().data)
    lines = [line.split(" (")[0] for line in capsys.readouterr().err.splitlines()]
    best = [line for line in lines if line.startswith("best so far")]
    assert len(best) > 1
    assert all(one != other for one, other in pairwise(best))


@pytest.mark.parametrize(
    ("size", "words"), [(4000, "2 of 4 kB"), (90_000_000, "45 of 90 MB"), (0, "5 rows")]
)
def test_sizes_of_files_small_and_large(size, words):
    assert str(Reading("scan", 5, size // 2, size, 0.0)).endswith(words)
    assert str(Reading("scan", 1, 0, 0, 0.0)) == "reading: 1 row"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="not on this system")
def test_all_processors_are_those_this_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 5, 7})
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert (threads(-1), threads(-2), threads(-9)) == (3, 2, 1)
