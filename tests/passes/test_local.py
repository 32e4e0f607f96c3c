"""The engine in this process."""

import os

import numpy as np
import pytest

from galileomix._passes.fold import folded
from galileomix._passes.local import LocalEngine, threads
from galileomix._table import Block


class Written(str):
    """A sum that says how it was added up."""

    def __add__(self, other):
        return Written(f"({self}+{other})")


def block_of(number):
    return Block(np.zeros((1, 0), np.uint8), np.full((1, 1), number), np.ones(1))


@pytest.mark.parametrize("n_jobs", [None, 1, 3])
def test_blocks_are_added_in_runs_of_four_in_their_order(n_jobs):
    """Whatever the threads: the order of the sums is part of their bits."""
    engine = LocalEngine([block_of(float(i)) for i in range(10)], n_jobs)
    total = engine.sum(lambda block: Written(int(block.numbers[0, 0])))
    assert total == "(((((0+1)+2)+3)+(((4+5)+6)+7))+(8+9))"


def test_runs_are_added_in_groups_of_eight():
    """So that another engine can add up a group where its blocks are."""
    sums = [Written(i) for i in range(8 * 8 + 2)]
    group = "".join(["(" * 7, "0", *(f"+{i})" for i in range(1, 8))])
    assert folded(sums[:8], 8) == group
    assert folded(sums[:10], 10) == f"({group}+(8+9))"
    assert folded(iter(sums), len(sums)).endswith("+(64+65))")
    assert folded(sums[:1], 1) == "0"


def test_all_processors_are_those_this_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 5, 7})
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert (threads(-1), threads(-2), threads(-9)) == (3, 2, 1)


def test_no_threads_are_refused():
    with pytest.raises(ValueError, match="use 1, or -1 for all processors"):
        threads(0)
