"""Memory that a worker has freed, kept for the next block.

Dask tells the allocator of its workers to give freed memory back at once (it sets
``MALLOC_TRIM_THRESHOLD_`` for them). A pass asks for the same arrays again for every block, and
takes twice as long where their pages have to come from the system each time.
"""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache

SET_BY_DASK = "MALLOC_TRIM_THRESHOLD_"
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Names of glibc for what is kept at the end of the heap, and for arrays that are on it."""
KEPT, LARGEST = 64 * 2**20, 32 * 2**20
"""Bytes: what the allocator comes to by itself where nobody tells it anything."""


@cache
def keep_freed_memory() -> None:
    """Let this process keep some freed memory, where it was told to keep none."""
    if SET_BY_DASK in os.environ and sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # of glibc alone
        if mallopt is not None:
            mallopt(MMAP_THRESHOLD, LARGEST)
            mallopt(TRIM_THRESHOLD, KEPT)
