"""The density against the numbers that the paper prints."""

import math
from collections import Counter

import numpy as np
import pytest

from building import table_of
from galileomix._model.categorical import entropies
from galileomix._model.density import density, log_cartesian_density, log_volume
from galileomix._model.families import maximise
from galileomix._model.params import Layout, Mixture


def density_of(rows):
    """The density of all rows as one component."""
    records = table_of(rows).records()
    [rho] = density(maximise(records.everything, records.background), records.N)
    assert math.isfinite(rho)
    return rho


def test_the_left_distribution_of_the_figure_is_denser():
    rows = [[v] for v, count in enumerate([3, 3, 1, 1]) for _ in range(count)]
    records = table_of(rows).records()
    mixture = maximise(records.everything, records.background)
    assert np.exp(entropies(mixture))[0, 0] == pytest.approx(3.51, abs=0.005)
    assert density_of(rows) == pytest.approx(2.28, abs=0.005)


def test_the_right_distribution_of_the_figure_is_uniform():
    rows = [[v] for v in range(4) for _ in range(2)]
    records = table_of(rows).records()
    mixture = maximise(records.everything, records.background)
    assert np.exp(entropies(mixture))[0, 0] == pytest.approx(4)
    assert density_of(rows) == pytest.approx(2)


def test_the_cartesian_density_cannot_tell_the_two_apart():
    layout = Layout((4,))
    p = np.array([[3, 3, 1, 1], [2, 2, 2, 2]]).T / 8
    rho = np.exp(log_cartesian_density(Mixture(layout, np.array([0.5, 0.5]), p), 16))
    assert rho == pytest.approx([2, 2])


# The paper's figure of 2-D distributions is not in the source, only its caption: densities 1, 0.84,
# 1.3 and 1. These four are ours. They are the smallest that fit the caption; the figure may well
# show others.
FIGURE = {
    "a square": ([(0, 0), (0, 1), (1, 0), (1, 1)], "1.00"),
    "a corner": ([(0, 0), (0, 1), (1, 0)], "0.84"),
    "repeated points": ([(0, 0), (0, 0), (0, 0), (1, 1)], "1.30"),
    "a rectangle": ([(x, y) for x in range(2) for y in range(3)], "1.00"),
}


@pytest.mark.parametrize("name", FIGURE)
def test_two_dimensional_densities_of_the_caption(name):
    points, expected = FIGURE[name]
    assert f"{density_of(points):.2f}" == expected


def test_only_repeated_points_are_denser_than_one():
    for points, expected in FIGURE.values():
        assert (float(expected) > 1) == (max(Counter(points).values()) > 1)


def test_a_number_counts_by_its_standard_deviation():
    """Along a numeric axis the paper's entropy is log sigma: a Gaussian's, less a constant."""
    layout = Layout((2,), n_numeric=1)
    mixture = Mixture(
        layout, np.ones(1), np.array([[0.5], [0.5]]), np.zeros((1, 1)), np.array([[[0.09]]])
    )
    assert log_volume(mixture)[0] == pytest.approx(math.log(2) + math.log(0.3))
    assert density(mixture, 12)[0] == pytest.approx(12 / (2 * 0.3))


def test_numbers_count_together_by_their_principal_axes():
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    Sigma = turn @ np.diag([0.25, 4.0]) @ turn.T
    mixture = Mixture(
        Layout((), 2), np.ones(1), np.zeros((0, 1)), np.zeros((2, 1)), Sigma[:, :, None]
    )
    assert log_volume(mixture)[0] == pytest.approx(math.log(0.5) + math.log(2.0))
