"""Transformations of numbers: there and back, and what they do to a density."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from galileomix._table import Numeric
from galileomix._table.transform import Transform

TRANSFORMS = [
    Transform(),
    Transform("log"),
    *(Transform("yeo-johnson", power, stretch) for power in (-1.0, 0.0, 0.5, 1.0, 2.0, 2.5)
      for stretch in (0.5, 8.0)),
]  # fmt: skip
POSITIVE = np.array([1e-3, 0.1, 0.5, 1.0, 2.0, 7.5, 40.0])
EITHER = np.concatenate([-POSITIVE, [0.0], POSITIVE])


def points(transform: Transform) -> Any:
    return POSITIVE if transform.name == "log" else EITHER


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_there_and_back(transform: Transform) -> None:
    x = points(transform)
    np.testing.assert_allclose(transform.backward(transform.forward(x)), x, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_the_slope_is_the_derivative(transform: Transform) -> None:
    x = points(transform)
    step = 1e-6 * np.maximum(np.abs(x), 1e-3)
    rise = (transform.forward(x + step) - transform.forward(x - step)) / (2 * step)
    np.testing.assert_allclose(np.exp(transform.log_slope(x)), rise, rtol=1e-4)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_it_keeps_the_order(transform: Transform) -> None:
    assert (np.diff(transform.forward(np.sort(points(transform)))) > 0).all()


@pytest.mark.parametrize("power", [-0.5, 0.0, 0.5, 1.5, 2.0, 2.5])
def test_it_is_that_of_yeo_and_johnson(power: float) -> None:
    expected = stats.yeojohnson(EITHER, power)
    np.testing.assert_allclose(Transform("yeo-johnson", power).forward(EITHER), expected)


def test_missing_stays_missing() -> None:
    for transform in TRANSFORMS:
        x = np.array([np.nan, 0.5])
        assert np.isnan(transform.forward(x)).tolist() == [True, False]
        assert np.isnan(transform.backward(x)).tolist() == [True, False]


def test_what_the_power_cannot_reach_is_still_a_number() -> None:
    far = np.array([-1e6, -50.0, 50.0, 1e6])
    for power in (-1.0, 0.5, 3.0):
        assert not np.isnan(Transform("yeo-johnson", power).backward(far)).any()


@given(st.sampled_from([0.25, 1.0, 4.0]), st.floats(-3, 3), st.floats(0.1, 2))
def test_the_density_of_a_log_normal(scale: float, mean: float, deviation: float) -> None:
    """A normal distribution of standardised logarithms is a log-normal one of the numbers."""
    attribute = Numeric("pay", mean, scale, transform="log")
    x = np.array([0.05, 0.7, 1.0, 3.0, 20.0])
    z = attribute.standardised(x)
    found = stats.norm.logpdf(z, 0.0, deviation / scale) + attribute.log_slope(z)
    expected = stats.lognorm.logpdf(x, deviation, scale=math.exp(mean))
    np.testing.assert_allclose(found, expected, rtol=1e-9)
