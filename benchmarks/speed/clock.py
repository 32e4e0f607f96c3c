"""Time taken, on a machine that others use too: the best of several."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any


def seconds(work: Callable[[], Any], times: int = 1) -> float:
    """Return how long the work takes, on average over so many times in a row."""
    begun = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begun) / times


def best(work: Callable[[], Any], repeats: int, times: int = 1) -> float:
    """Return the least of so many timings."""
    return min(seconds(work, times) for _ in range(repeats))


def alternating(works: Mapping[Any, Callable[[], float]], rounds: int) -> dict[Any, float]:
    """Let each in turn measure itself, round after round; return the least of each.

    >>> alternating({"ours": lambda: 1.0, "theirs": lambda: 2.0}, rounds=3)
    {'ours': 1.0, 'theirs': 2.0}
    """
    taken = [{name: work() for name, work in works.items()} for _ in range(rounds)]
    return {name: min(each[name] for each in taken) for name in works}
