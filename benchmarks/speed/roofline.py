"""The limit of this processor for an EM pass: roofline.c, or a compiled loop where gcc is not."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from benchmarks.speed import clock
from benchmarks.speed.adapter import Precision, Shape, random_codes

SOURCE = Path(__file__).with_name("roofline.c")
# Under -ffast-math alone gcc cancels the rounding in exp, which then does less work and is wrong.
FLAGS = ("-O3", "-march=native", "-ffast-math", "-fno-associative-math", "-w")
WIDTHS = (32, 64)
BYTES: dict[Precision, int] = {"single": 4, "double": 8}
TOLERANCE: dict[Precision, float] = {"single": 1e-5, "double": 1e-12}


def rooflines(shape: Shape, folder: Path) -> dict[tuple[Precision, int], Callable[[], float]]:
    """Return by precision and vector width what measures the seconds of one pass."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return {(each, 0): _without_exp(shape, each) for each in BYTES}
    return {
        (precision, width): _program(gcc, shape, precision, width, folder)
        for precision in BYTES
        for width in WIDTHS
    }


def has_gcc() -> bool:
    """Return whether the C program can be built."""
    return shutil.which("gcc") is not None


def _program(
    gcc: str, shape: Shape, precision: Precision, width: int, folder: Path
) -> Callable[[], float]:
    """Build the C program; return what runs it and reads its best time."""
    lanes = width // BYTES[precision]
    fixed = {
        "K": -(-shape.k // lanes) * lanes,
        "REAL": shape.k,
        "M": shape.n_attributes,
        "L": shape.n_values,
        "BYTES": width,
    }
    defined = [f"-D{name}={value}" for name, value in fixed.items()]
    defined += ["-DDOUBLE"] if precision == "double" else []
    program = folder / f"{precision}_{width}"
    subprocess.run([gcc, *FLAGS, *defined, SOURCE, "-o", program, "-lm"], check=True)

    def measure() -> float:
        command = [program, str(shape.n_rows), "3"]
        told = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        taken, wrong = map(float, told.split()[:2])
        if not wrong < TOLERANCE[precision]:
            raise ValueError(f"the roofline in {precision} precision is wrong by {wrong}")
        return taken

    return measure


def _without_exp(shape: Shape, precision: Precision) -> Callable[[], float]:
    """Return what measures the same loads and adds, without exp, compiled by numba."""
    real = np.float32 if precision == "single" else np.float64
    offsets = np.arange(shape.n_attributes, dtype=np.uint16) * shape.n_values
    codes = random_codes(shape) + offsets
    table = np.ones((shape.n_attributes * shape.n_values, -(-shape.k // 16) * 16), real)
    counts, share = np.zeros_like(table), np.zeros(table.shape[1], real)
    _loads_and_adds(codes[:1], table, counts, share)
    return lambda: clock.seconds(lambda: _loads_and_adds(codes, table, counts, share))


@njit(nogil=True, fastmath=True)
def _loads_and_adds(codes: Any, table: Any, counts: Any, share: Any) -> None:
    for a in range(len(codes)):
        share[:] = 0
        for m in range(codes.shape[1]):
            row = table[codes[a, m]]
            for i in range(len(share)):
                share[i] += row[i]
        for m in range(codes.shape[1]):
            count = counts[codes[a, m]]
            for i in range(len(share)):
                count[i] += share[i]
