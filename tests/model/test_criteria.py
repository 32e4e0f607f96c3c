"""AIC, BIC, density and the choice among sizes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from building import plain, random_mixture, seeds, tables
from galileomix._model.criteria import best, criterion_of
from galileomix._model.em import Fit, Stop, em
from galileomix._model.params import Layout, Mixture
from galileomix._model.stats import Stats


@given(st.integers(1, 50), st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_degrees_of_freedom_equal_the_oracle_s(k, cardinalities):
    assert Layout(tuple(cardinalities)).degrees_of_freedom(k) == naive.degrees_of_freedom(
        k, cardinalities
    )


def test_numbers_add_their_means_and_covariances_to_each_component():
    categories = 3 + 4 * (1 + 2)
    assert Layout((2, 3), n_numeric=3).degrees_of_freedom(4) == categories + 4 * (3 + 6)
    assert Layout((2, 3), 3, diagonal=True).degrees_of_freedom(4) == categories + 4 * (3 + 3)


@settings(deadline=None)
@given(tables(), st.integers(1, 4), seeds)
def test_criteria_equal_the_oracle_s(table, k, seed):
    records = table.records()
    fit = em(records, random_mixture(table.layout, k, seed), stop=Stop(max_iter=3))
    alpha, p = plain(fit.mixture)
    value = naive.log_likelihood(table.rows, alpha, p, table.weights)
    nu = naive.degrees_of_freedom(fit.k, table.cardinalities)
    N = sum(table.weights)
    rho = sum(a * naive.density(a * N, component) for a, component in zip(alpha, p, strict=True))
    expected = {
        "aic": naive.aic(value, nu),
        "bic": naive.bic(value, nu, max(N, 1.0)),
        "density": -math.log(rho),
    }
    for name, loss in expected.items():
        criterion = criterion_of(name, records.N)
        assert math.isfinite(criterion.loss(fit))
        assert criterion.loss(fit) == pytest.approx(loss, abs=1e-9)
        merit = math.log(rho) if name == "density" else value
        assert criterion.merit(fit) == pytest.approx(merit, abs=1e-9)


def fit_of(k, loss):
    """A fit of k components with this AIC: one attribute of one value, so nu = k - 1."""
    layout = Layout((1,))
    mixture = Mixture(layout, np.full(k, 1 / k), np.ones((1, k)))
    zero = Stats.zero(layout, k)
    stats = Stats(layout, zero.sums, (k - 1) - loss / 2)
    return Fit(mixture, stats, stats.log_likelihood, n_iter=1, converged=True)


AIC = criterion_of("aic", 100.0)


@given(st.permutations([(1, 30.0), (2, 20.0), (3, 10.0), (4, 15.0)]))
def test_the_best_has_the_least_loss_in_any_order(given):
    assert best([fit_of(*pair) for pair in given], AIC).k == 3


@given(st.permutations([(2, 1e6), (3, 1e6), (5, 1e6 - 1e-4), (7, 1e6 + 1e-4)]))
def test_among_equals_the_smallest_is_best(given):
    assert best([fit_of(*pair) for pair in given], AIC).k == 2


def test_a_difference_of_more_than_a_billionth_counts():
    assert best([fit_of(2, 1e6), fit_of(5, 1e6 - 1e-2)], AIC).k == 5


def test_losses_below_zero_are_compared_by_size_too():
    assert best([fit_of(2, -1e6), fit_of(5, -1e6 - 1e-4)], AIC).k == 2
    assert best([fit_of(2, -1e6), fit_of(5, -1e6 - 1e-2)], AIC).k == 5


def test_the_best_density_is_the_greatest():
    layout = Layout((4,))
    even, uneven = (
        Fit(
            Mixture(layout, np.ones(1), np.array(p)[:, None] / 8),
            Stats.zero(layout, 1),
            0.0,
            1,
            True,
        )
        for p in ([2, 2, 2, 2], [3, 3, 1, 1])
    )
    assert best([even, uneven], criterion_of("density", 8.0)) is uneven
