"""Compile the loops before they are needed, and say so where it takes long."""

from __future__ import annotations

import sys
import threading
from functools import cache
from typing import Any

import numpy as np

from galileomix.kernels import cpu, loops
from galileomix.model.cuts import Cuts, Halves
from galileomix.model.params import Layout, Mixture
from galileomix.table import Block

PATIENCE = 1.0
"""Seconds of compiling before the user is told."""


@cache
def ready(draft: bool = False) -> None:
    """Load the loops that numba keeps on disk, or compile them, once in a process.

    Parameters
    ----------
    draft : bool
        Whether those in single precision are needed too.
    """
    telling = threading.Timer(PATIENCE, _tell)
    telling.daemon = True
    telling.start()
    try:
        _use_all(draft)
    finally:
        telling.cancel()


def _use_all(draft: bool) -> None:
    """Call every loop once, on one row."""
    block = Block(np.zeros((1, 1), np.uint8), np.zeros((1, 0)), np.ones(1))
    mixture = Mixture(Layout((2,)), np.ones(1), np.full((2, 1), 0.5))
    pair = Mixture(Layout((2,)), np.full(2, 0.5), np.full((2, 2), 0.5))
    parent = np.zeros(1, np.intp)
    cpu.expect(block, mixture)
    cpu.log_joint(block, mixture)
    cpu.count_cuts(block, mixture, Cuts(parent, parent, np.zeros(1)))
    cpu.expect_halves(block, mixture, Halves(parent, pair))
    if draft:
        cpu.draft(block, mixture)


def _tell() -> None:
    compiled: tuple[Any, ...] = (loops.join, loops.expect, loops.count_cuts, loops.expect_halves)
    if any(each.stats.cache_misses for each in compiled):
        print("galileo: compiling for this machine, once; about ten seconds", file=sys.stderr)
