"""Compile the loops before they are needed, and say so where it takes long."""

from __future__ import annotations

import sys
import threading
from functools import cache

import numpy as np
from numba.core.dispatcher import Dispatcher

from galileomix._kernels import cpu, loops
from galileomix._kernels.gaussian import gaussian_loops
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.params import Layout, Mixture
from galileomix._table import Block

PATIENCE = 1.0
"""Seconds of compiling before the user is told."""


@cache
def ready(draft: bool = False, numbers: bool = False) -> None:
    """Load the loops that numba keeps on disk, or compile them, once in a process.

    Those of a draft, in single precision, and those over numbers only where they are needed.
    """
    telling = threading.Timer(PATIENCE, _tell)
    telling.daemon = True
    telling.start()
    try:
        _use_all(draft, int(numbers))
    finally:
        telling.cancel()


def _use_all(draft: bool, Q: int) -> None:
    """Call every loop once, on one row of one category and Q numbers."""
    block = Block(np.zeros((1, 1), np.uint8), np.zeros((1, Q)), np.ones(1))
    one = Mixture(
        Layout((2,), Q), np.ones(1), np.full((2, 1), 0.5), np.zeros((Q, 1)), np.ones((Q, Q, 1))
    )
    first = np.zeros(1, np.intp)
    cpu.expect(block, one)
    cpu.log_joint(block, one)
    cpu.count_cuts(block, one, Cuts(first, first, np.zeros(1)))
    cpu.expect_halves(block, one, Halves(first, one.keep([0, 0])))
    if draft:
        cpu.draft(block, one)


def _tell() -> None:
    names = (*vars(loops).values(), *vars(gaussian_loops).values())
    compiled = (loop for loop in names if isinstance(loop, Dispatcher))
    if any(loop.stats.cache_misses for loop in compiled):
        print("galileo: compiling for this machine, once; about ten seconds", file=sys.stderr)
