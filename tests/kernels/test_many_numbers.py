"""Very many numbers, or patterns of missing ones: one component at a time, the same answers."""

import numpy as np
import pytest

from building import covariances
from galileomix._kernels import cpu, reference
from galileomix._kernels.gaussian import by_component, symmetric_loops
from galileomix._kernels.gaussian.by_component import ByComponent
from galileomix._kernels.gaussian.gaussian_numba import numbers_of
from galileomix._kernels.tile import padded
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.params import Layout, Mixture
from galileomix._table import Block


def block_of(n, Q, missing, rng, weighted=False):
    """Rows that lack about that share of their numbers; the first knows all, the second none."""
    numbers = rng.normal(size=(n, Q))
    numbers[rng.random((n, Q)) < missing] = np.nan
    numbers[0], numbers[1] = rng.normal(size=Q), np.nan
    weights = rng.integers(4, size=n) / 2.0 if weighted else np.ones(n)
    return Block(rng.integers(2, size=(n, 1)).astype(np.uint8), numbers, weights)


def mixture_of(Q, k, rng):
    p = rng.dirichlet(np.ones(2), size=k).T
    return Mixture(
        Layout((2,), Q),
        rng.dirichlet(np.ones(k)),
        p,
        rng.normal(size=(Q, k)),
        covariances(Q, k, rng) / Q,
    )


def assert_same(block, mixture, rng, rtol=1e-9):
    """Every sum and every answer is what the specification says."""
    k, Q = mixture.k, mixture.layout.n_numeric
    cuts = Cuts(np.arange(4) % k, np.array([0, 1, Q, 1]), np.array([1.0, 0.0, 0.3, -0.5]))
    parent = np.array([0, 0, k - 1])
    halves = Halves(parent, mixture_of(Q, 6, rng))
    pairs = [
        [f(block, mixture) for f in (each.log_joint, each.expect)] for each in (cpu, reference)
    ]
    np.testing.assert_allclose(pairs[0][0], pairs[1][0], rtol)
    found = [
        (
            pairs[i][1],
            kernel.count_cuts(block, mixture, cuts),
            kernel.expect_halves(block, mixture, halves).stats,
        )
        for i, kernel in enumerate((cpu, reference))
    ]
    for ours, theirs in zip(*found, strict=True):
        assert np.isfinite(ours.sums).all()
        np.testing.assert_allclose(ours.sums, theirs.sums, rtol, rtol * np.abs(theirs.sums).max())


@pytest.mark.parametrize("Q", [17, 40])
@pytest.mark.parametrize("missing", [0.1, 0.5, 0.9])
def test_agrees_with_the_reference(Q, missing):
    rng = np.random.default_rng(Q)
    block, mixture = block_of(60, Q, missing, rng, weighted=True), mixture_of(Q, 3, rng)
    assert isinstance(numbers_of(block, mixture, slice(3), 8), ByComponent)
    assert_same(block, mixture, rng)


def test_many_numbers_that_are_all_known():
    rng = np.random.default_rng(0)
    block, mixture = block_of(30, 140, 0.0, rng), mixture_of(140, 2, rng)
    assert isinstance(numbers_of(block, mixture, slice(2), 8), ByComponent)
    assert_same(block, mixture, rng)


def test_columns_that_repeat_others_lose_no_digits():
    rng = np.random.default_rng(0)
    half = covariances(20, 1, rng)[:, :, 0]
    Sigma = np.block([[half, half], [half, half]]) + 1e-6 * np.eye(40)
    mixture = Mixture(
        Layout((2,), 40), np.ones(1), np.full((2, 1), 0.5), np.zeros((40, 1)), Sigma[:, :, None]
    )
    drawn = rng.multivariate_normal(np.zeros(40), Sigma, 50)
    drawn[rng.random(drawn.shape) < 0.3] = np.nan
    block = Block(np.zeros((50, 1), np.uint8), drawn, np.ones(50))
    assert isinstance(numbers_of(block, mixture, slice(1), 8), ByComponent)
    ours, theirs = cpu.log_joint(block, mixture), reference.log_joint(block, mixture)
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-7)


def test_in_parts_as_in_one(monkeypatch):
    rng = np.random.default_rng(0)
    block, mixture = block_of(60, 20, 0.3, rng), mixture_of(20, 3, rng)
    whole = cpu.expect(block, mixture)
    monkeypatch.setattr(by_component, "MOST_WORK", 5000)
    parts = cpu.expect(block, mixture)
    assert parts.log_likelihood == pytest.approx(whole.log_likelihood, rel=1e-12)
    np.testing.assert_allclose(parts.sums, whole.sums, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9, 23, 64])
def test_factors_and_what_is_solved_with_them(n):
    rng, stride = np.random.default_rng(n), padded(n)
    A = covariances(n, 1, rng)[:, :, 0]
    U = np.zeros((n, stride))
    U[:, :n] = A
    flat = U.reshape(-1)
    assert symmetric_loops.factor(flat, n, stride) == pytest.approx(np.linalg.slogdet(A)[1])
    x = np.zeros(stride)
    b = x[:n] = rng.normal(size=n)
    b = b.copy()
    symmetric_loops.solve(flat, n, stride, x)
    np.testing.assert_allclose(A @ x[:n], b, rtol=1e-8, atol=1e-10)
    right = np.zeros((n, stride))
    right[:, :n] = np.eye(n)
    symmetric_loops.forward(flat, n, stride, right.reshape(-1), stride, True)
    np.testing.assert_allclose(right[:, :n].T @ right[:, :n], np.linalg.inv(A), rtol=1e-8)
    out = np.zeros((n, stride))
    symmetric_loops.less_gram(right.reshape(-1), n, stride, out.reshape(-1), n, True)
    np.testing.assert_allclose(-np.triu(out[:, :n]), np.triu(np.linalg.inv(A)), rtol=1e-8)
