"""Memory that Dask's workers keep for the next block."""

import os
import subprocess
import sys

import pytest

from galileomix._passes.freed_memory import SET_BY_DASK

FAULTS = """
import resource
import numpy as np
from galileomix._passes.freed_memory import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        np.ones(200_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

told = faults()
keep_freed_memory()
print(told, faults())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="another allocator")
def test_pages_do_not_come_from_the_system_for_every_array():
    environ = os.environ | {SET_BY_DASK: "65536"}
    asked = [sys.executable, "-c", FAULTS]
    done = subprocess.run(asked, env=environ, capture_output=True, text=True, check=True)
    told, kept = map(int, done.stdout.split())
    assert kept < told / 10
