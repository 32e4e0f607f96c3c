"""Leaving a record out by its counts is fitting again without it."""

import numpy as np
import pytest

from galileomix._fitted.left_out import LeftOut, Shrinkage
from galileomix._model import class_calibration
from galileomix._model.families import smoothed
from galileomix._model.params import Layout, Mixture
from galileomix._model.stats import Background
from galileomix._table import Block

S_ALL, S_CLASS = 1.0, 2.0


def shares(codes, size):
    return np.bincount(codes, minlength=size)[:, None] / len(codes)


def leaning(codes, G):
    """Return the one component of a class, as it leans, and what it leans on."""
    layout, N = Layout((len(G),)), float(len(codes))
    empty = np.zeros((0, 1)), np.zeros((0, 0, 1)), np.zeros(0), 1.0
    one = Mixture(layout, np.ones(1), shares(codes, len(G)))
    middle = smoothed(one, Background(G, *empty), N, S_ALL)
    mixture = smoothed(one, Background(middle.p, *empty), N, S_CLASS)
    return mixture, Shrinkage(N, middle.p, G, S_ALL, S_CLASS)


def test_of_a_single_component_it_is_exact():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 12)
    G = shares(np.r_[codes, rng.integers(0, 4, 20)], 4)
    block = Block(codes[:, None].astype(np.uint8), np.zeros((12, 0)), np.ones(12))
    found = LeftOut(block, *leaning(codes, G)).log_joint()
    for a in range(12):
        mixture, shrinkage = leaning(np.delete(codes, a), G)
        expected = np.log(shrinkage.N) + np.log(mixture.p[codes[a], 0])
        assert found[a, 0] == pytest.approx(expected, rel=1e-12)


def test_an_unknown_value_counts_for_nothing():
    mixture, shrinkage = leaning(np.array([0, 0, 1]), np.array([[0.5], [0.5]]))
    block = Block(np.array([[2]], np.uint8), np.zeros((1, 0)), np.ones(1))
    assert LeftOut(block, mixture, shrinkage).log_joint()[0, 0] == pytest.approx(np.log(2.0))


def test_numbers_without_a_prior_are_exact():
    """Mean and covariance of the others, by the formula and by counting."""
    x = np.random.default_rng(1).normal(size=(9, 2))
    layout = Layout((), 2)
    block = Block(np.zeros((9, 0), np.uint8), x, np.ones(9))

    def gaussian(rows):
        Sigma = np.cov(rows.T, bias=True)[:, :, None]
        return Mixture(layout, np.ones(1), np.zeros((0, 1)), rows.mean(axis=0)[:, None], Sigma)

    nothing = np.zeros((0, 1))
    shrinkage = Shrinkage(9.0, nothing, nothing, S_ALL, 0.0)
    found = LeftOut(block, gaussian(x), shrinkage).log_joint()
    for a in range(9):
        others = gaussian(np.delete(x, a, axis=0))
        d = x[a] - others.mu[:, 0]
        squares = d @ np.linalg.solve(others.Sigma[:, :, 0], d)
        expected = -0.5 * (squares + np.linalg.slogdet(2 * np.pi * others.Sigma[:, :, 0])[1])
        assert found[a, 0] == pytest.approx(np.log(8.0) + expected, rel=1e-9)


def test_a_component_of_one_record_is_left_with_nothing():
    layout = Layout((), 1)
    Sigma = np.ones((1, 1, 2))
    mixture = Mixture(layout, np.array([0.1, 0.9]), np.zeros((0, 2)), np.array([[5.0, 0.0]]), Sigma)
    nothing = np.zeros((0, 1))
    block = Block(np.zeros((1, 0), np.uint8), np.array([[5.0]]), np.ones(1))
    found = LeftOut(block, mixture, Shrinkage(10.0, nothing, nothing, 1.0, 2.0)).log_joint()
    assert np.isfinite(found).all()
    assert found[0, 0] < found[0, 1]


def test_the_temperature_is_that_which_made_the_classes_and_never_below_one():
    rng = np.random.default_rng(2)
    logit = rng.normal(size=20_000) * 2.0
    drawn = rng.random(20_000) < 1 / (1 + np.exp(-logit))
    logit, classes = np.r_[logit[~drawn], logit[drawn]], np.sort(drawn.astype(np.intp))
    weights, own = np.ones(20_000), np.eye(2)
    for factor, expected in ((3.0, 3.0), (0.5, 1.0)):
        joint = np.c_[np.zeros(20_000), factor * logit]
        found = class_calibration.temperature(joint, own, classes, weights)
        assert found == pytest.approx(expected, rel=0.1)


def test_class_probabilities_are_where_the_likelihood_has_its_maximum():
    rng = np.random.default_rng(3)
    truth = np.array([[0.8, 0.3, 0.1], [0.2, 0.7, 0.9]])
    shares = rng.dirichlet([0.2] * 3, 30_000)
    drawn = (rng.random(30_000) < shares @ truth[1]).astype(np.intp)
    order = np.argsort(drawn, kind="stable")
    own = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    overall = np.bincount(drawn) / len(drawn)
    found = class_calibration.class_probabilities(
        shares[order], own, overall, drawn[order], np.ones(len(drawn))
    )
    np.testing.assert_allclose(found, truth, atol=0.03)
    np.testing.assert_allclose(found.sum(axis=0), 1.0)


def test_nothing_to_judge_by_leaves_the_classes_of_the_components():
    own, overall = np.eye(2), np.array([0.5, 0.5])
    none = np.zeros((0, 2)), np.zeros(0, np.intp), np.zeros(0)
    assert class_calibration.temperature(none[0], own, *none[1:]) == 1.0
    found = class_calibration.class_probabilities(none[0], own, overall, *none[1:])
    assert (found.argmax(axis=0) == [0, 1]).all()
    assert (found > 0).all()
