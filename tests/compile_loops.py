"""Compile all loops for this machine: `make test` does so once, beside the linters."""

from itertools import product

from galileomix._kernels.gaussian.gaussian_numba import PATTERN_COST
from galileomix._kernels.ready import ready
from galileomix._model.params import Layout
from galileomix.baselines._comparison import compare

if __name__ == "__main__":
    for draft, n_numeric, diagonal in product((False, True), (0, 1, PATTERN_COST), (False, True)):
        ready(draft, Layout((2,), n_numeric, diagonal))
    compare([["a", "x"], ["b", "y"]] * 20)
