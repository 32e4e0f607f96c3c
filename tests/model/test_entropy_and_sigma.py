"""The paper's relations of standard deviation to entropy, by numeric integration."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from galileomix._model.density import log_volume
from galileomix._model.params import Layout, Mixture

SIGMAS = [0.2, 1.0, 3.5]


def entropy_and_sigma(f, low, high):
    """-int f log f, and the standard deviation, over [low, high] and around 0."""

    def integral(g):
        return sum(quad(g, *ends, epsabs=1e-12)[0] for ends in ((low, 0), (0, high)))

    assert integral(f) == pytest.approx(1)
    entropy = integral(lambda x: -f(x) * math.log(f(x)))
    mean = integral(lambda x: x * f(x))
    return entropy, math.sqrt(integral(lambda x: (x - mean) ** 2 * f(x)))


@pytest.mark.parametrize("sigma", SIGMAS)
def test_gaussian(sigma):
    def f(x):
        return math.exp(-(x**2) / (2 * sigma**2)) / math.sqrt(2 * math.pi * sigma**2)

    S, deviation = entropy_and_sigma(f, -15 * sigma, 15 * sigma)
    assert deviation == pytest.approx(sigma)
    assert deviation == pytest.approx((2 * math.pi * math.e) ** -0.5 * math.exp(S))
    one = Mixture(
        Layout((), 1), np.ones(1), np.zeros((0, 1)), np.zeros((1, 1)), np.full((1, 1, 1), sigma**2)
    )
    assert log_volume(one)[0] == pytest.approx(S - 0.5 * math.log(2 * math.pi * math.e))


@pytest.mark.parametrize("sigma", SIGMAS)
def test_exponential(sigma):
    S, deviation = entropy_and_sigma(lambda x: math.exp(-x / sigma) / sigma, 0, 60 * sigma)
    assert deviation == pytest.approx(sigma)
    assert deviation == pytest.approx(math.exp(S - 1))


@pytest.mark.parametrize("sigma", SIGMAS)
def test_laplace(sigma):
    b = sigma / math.sqrt(2)
    S, deviation = entropy_and_sigma(
        lambda x: math.exp(-abs(x) / b) / (2 * b), -60 * sigma, 60 * sigma
    )
    assert deviation == pytest.approx(sigma)
    assert deviation == pytest.approx(math.exp(S) / (math.sqrt(2) * math.e))
