"""Rows so far out that a density passes for an impossible value, and rows with such values."""

from dataclasses import replace

import numpy as np
import pytest

from galileomix import Galileo
from galileomix._fitted import rowwise
from galileomix._model.params import Layout, Mixture
from galileomix._table import Block, Categorical, Numeric, Schema

SCHEMA = Schema((Categorical("g", ("a", "b")), Numeric("x", 0.0, 1.0)))
VARIANCES = np.array([1.0, 4.0])
MIXTURE = Mixture(
    Layout((2,), 1),
    np.array([0.5, 0.5]),
    np.array([[1.0, 0.0], [0.0, 1.0]]),
    np.zeros((1, 2)),
    VARIANCES[None, None, :],
)


def block(codes, numbers):
    n = len(codes)
    rows = np.array(codes, np.uint8)[:, None], np.array(numbers, float)[:, None], np.ones(n)
    return Block(*rows)


@pytest.mark.parametrize("x", [1.0, 1e4, 1e5, 1e9, 1e80])
def test_a_value_decides_however_far_out_the_number_is(x):
    rows = block([0, 1], [x, x])
    assert rowwise.responsibilities(rows, MIXTURE).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert rowwise.label(rows, MIXTURE).tolist() == [0, 1]
    expected = -0.5 * (x**2 / VARIANCES + np.log(2 * np.pi * VARIANCES)) + np.log(0.5)
    scores = rowwise.log_density(rows, MIXTURE, SCHEMA)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(scores, expected, rtol=1e-7)


@pytest.mark.parametrize("x", [0.0, 1e9, 1e80])
def test_probabilities_sum_to_one_where_nothing_tells_components_apart(x):
    alike = replace(MIXTURE, p=np.full((2, 2), 0.5), Sigma=np.ones((1, 1, 2)))
    shares = rowwise.responsibilities(block([0], [x]), alike)
    np.testing.assert_allclose(shares, [[0.5, 0.5]])


def test_a_row_that_is_impossible_everywhere():
    never = replace(MIXTURE, p=np.array([[0.0, 0.0], [1.0, 1.0]]))
    rows = block([0], [1.0])
    assert rowwise.log_density(rows, never, SCHEMA).tolist() == [-np.inf]
    assert rowwise.responsibilities(rows, never).sum() == pytest.approx(1.0)


def test_a_number_whose_square_is_beyond_any_float():
    numbers = np.random.default_rng(0).normal(size=40) * 1e-200
    model = Galileo(n_components=2, effort=0.1, random_state=0).fit({"x": numbers})
    row = {"x": [1.0, -1e80]}
    assert np.isfinite(model.score_samples(row)).all()
    np.testing.assert_allclose(model.predict_proba(row).sum(axis=1), 1.0)
    assert np.isfinite(model.explain(row).surprise.to_numpy()).all()
