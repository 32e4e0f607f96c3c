"""Compile the loops before they are needed, and say so where it takes long."""

from __future__ import annotations

import sys
import threading
from functools import cache

import numpy as np
from numba.core.dispatcher import Dispatcher

from galileomix._kernels import cpu, loops
from galileomix._kernels.gaussian import (
    gaussian_loops,
    independent_loops,
    pattern_loops,
    symmetric_loops,
)
from galileomix._kernels.gaussian.by_component import ByComponent
from galileomix._kernels.gaussian.gaussian_loops import Patterns
from galileomix._kernels.gaussian.gaussian_numba import PATTERN_COST
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.gaussian import by_pattern
from galileomix._model.params import Layout, Mixture
from galileomix._table import Block

PATIENCE = 1.0
"""Seconds of compiling before the user is told."""


def ready(draft: bool, layout: Layout) -> None:
    """Load the loops that numba keeps on disk, or compile them, once in a process.

    Those of a draft, in single precision, and those over numbers only where they are needed.
    """
    numbers = layout.n_numeric > 0
    many = not layout.diagonal and layout.n_numeric**3 > PATTERN_COST
    _ready(draft, numbers, layout.diagonal, many)


@cache
def _ready(draft: bool, numbers: bool, diagonal: bool, many: bool) -> None:
    done = threading.Event()
    threading.Thread(target=_tell, args=(done,), daemon=True).start()
    try:
        _use_all(draft, int(numbers), diagonal)
        if many:
            _use_patterns()
    finally:
        done.set()


def _use_all(draft: bool, Q: int, diagonal: bool) -> None:
    """Call every loop once, on one row of one category and Q numbers."""
    block = Block(np.zeros((1, 1), np.uint8), np.zeros((1, Q)), np.ones(1))
    one = _one_component(Layout((2,), Q, diagonal))
    first = np.zeros(1, np.intp)
    cpu.expect(block, one)
    cpu.log_joint(block, one)
    cpu.count_cuts(block, one, Cuts(first, first, np.zeros(1)))
    cpu.expect_halves(block, one, Halves(first, one.keep([0, 0])))
    if draft:
        cpu.draft(block, one)


def _use_patterns() -> None:
    """Call the loops over patterns of missing numbers once."""
    block = Block(np.zeros((1, 1), np.uint8), np.array([[0.0, np.nan]]), np.ones(1))
    patterns = Patterns(*by_pattern(~np.isnan(block.numbers)))
    one = _one_component(Layout((2,), 2))
    ByComponent(block, patterns, one, slice(1), 1).moments(np.ones(1))


def _one_component(layout: Layout) -> Mixture:
    Q = layout.n_numeric
    p = np.full((layout.n_values, 1), 0.5)
    return Mixture(layout, np.ones(1), p, np.zeros((Q, 1)), np.eye(Q)[:, :, None])


def _tell(done: threading.Event) -> None:
    """Say that loops are compiled, as soon as one was and patience is over, until all are done."""
    while not done.wait(PATIENCE):
        if _compiled_any():
            print("galileo: compiling for this machine, once; about ten seconds", file=sys.stderr)
            return


def _compiled_any() -> bool:
    modules = (loops, gaussian_loops, independent_loops, symmetric_loops, pattern_loops)
    names = (name for module in modules for name in vars(module).values())
    compiled = (loop for loop in names if isinstance(loop, Dispatcher))
    return any(loop.stats.cache_misses for loop in compiled)
