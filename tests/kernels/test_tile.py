"""Eight numbers at a time: right to the last digits, in either precision."""

import numpy as np
import pytest
from numba import njit

from galileomix._kernels import tile


@njit
def exps(x):
    for at in range(0, len(x), tile.LANES):
        tile.store(x, at, tile.exp(tile.load(x, at)))


@njit
def log1ps(x):
    for at in range(0, len(x), tile.LANES):
        tile.store(x, at, tile.log1p(tile.load(x, at)))


@njit
def folded(x):
    eight = tile.load(x, 0)
    return tile.total(eight), tile.top(eight)


@pytest.mark.parametrize(("dtype", "ulps"), [(np.float64, 2), (np.float32, 2)])
def test_exp_is_right_to_the_last_digits(dtype, ulps):
    least = -700.0 if dtype is np.float64 else -86.0
    x = np.linspace(least, 0.0, 80_000).astype(dtype)
    exact = np.exp(x.astype(np.longdouble)).astype(np.float64)
    exps(x)
    assert np.isfinite(x).all()
    assert np.abs(x / exact - 1.0).max() <= ulps * np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_exp_of_what_is_negligible_is_zero(dtype):
    x = np.array([0.0, -1e3, -1e7, -np.inf, -800.0, -1e30, 0.0, -1e4], dtype)
    exps(x)
    assert x.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]


def test_log1p_is_right_to_the_last_digits():
    x = np.concatenate([np.linspace(0.0, 1.0, 8000), np.logspace(-300, 0, 8000)])
    exact = np.log1p(x.astype(np.longdouble)).astype(np.float64)
    log1ps(x)
    np.testing.assert_allclose(x, exact, rtol=5e-16, atol=0)


def test_folding():
    assert folded(np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0])) == (19.0, 9.0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_aligned_zeros(dtype):
    for size in (1, 1000):
        made = tile.aligned(size, dtype)
        assert made.dtype == dtype
        assert made.tolist() == [0.0] * size
        assert made.ctypes.data % tile.LINE == 0
