"""The start: half the global distribution, half a centre."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import naive
from building import close, plain, seeds, table_of, tables
from galileomix._model.start import around, draw_marginals


def plain_centers(centers, cardinalities):
    """The codes of each centre as a row of the oracle."""
    return [
        [None if v == L else int(v) for v, L in zip(row, cardinalities, strict=True)]
        for row in centers[0]
    ]


def assert_start(table, records, centers):
    mixture = around(centers, table.layout, records.background)
    alpha, p = plain(mixture)
    close(alpha, [1 / mixture.k] * mixture.k)
    for i, center in enumerate(plain_centers(centers, table.cardinalities)):
        expected = naive.start_component(table.rows, table.weights, center)
        for distribution, wanted in zip(p[i], expected, strict=True):
            close(distribution, [wanted.get(v, 0.0) for v in range(len(distribution))])


@settings(deadline=None)
@given(tables(), st.integers(1, 5), seeds)
def test_centres_from_marginals_are_all_records_and_n_times_the_centre(table, k, seed):
    records = table.records()
    rng = np.random.default_rng(seed)
    assert_start(table, records, draw_marginals(table.layout, records.background, k, rng))


@settings(deadline=None)
@given(tables(), st.integers(1, 5), seeds)
def test_centres_from_records_are_all_records_and_n_times_the_centre(table, k, seed):
    records = table.records()
    centers = records.draw(k, np.random.default_rng(seed))
    assert_start(table, records, centers)
    for center in plain_centers(centers, table.cardinalities):
        assert center in table.rows


def test_where_the_centre_is_unknown_the_global_distribution_stays():
    table = table_of([[0, 0], [1, 0], [1, 1], [1, 1]])
    records = table.records()
    centers = np.array([[2, 1]]), np.zeros((1, 0))
    mixture = around(centers, table.layout, records.background)
    close(mixture.p[:, 0], [0.25, 0.75, 0.25, 0.75])


def test_numbers_have_the_mean_and_variance_of_all_records_and_n_times_the_centre():
    numbers = [0.0, 1.0, 1.5, 4.0]
    table = table_of([[0]] * 4, numbers=[[y] for y in numbers])
    records = table.records()
    centers = np.zeros((2, 1), dtype=int), np.array([[3.0], [np.nan]])
    mixture = around(centers, table.layout, records.background)
    close(mixture.mu, [[np.mean(numbers + [3.0] * 4), np.mean(numbers)]])
    close(mixture.var, [[np.var(numbers + [3.0] * 4), np.var(numbers)]])


def test_marginals_follow_the_global_distribution():
    rows = [[0, 2], [1, 2], [1, 0], [3, 2], [3, 2], [3, 0]]
    table = table_of(rows, weights=[1, 2, 1, 1, 4, 1])
    records = table.records()
    k = 20_000
    codes, _ = draw_marginals(table.layout, records.background, k, np.random.default_rng(5))
    G = records.background.G[:, 0]
    for m, (first, L) in enumerate(
        zip(table.layout.offsets[:-1], table.cardinalities, strict=True)
    ):
        found = np.bincount(codes[:, m], minlength=L)
        expected = k * G[first : first + L]
        assert (found[expected == 0] == 0).all()
        occurs = expected > 0
        assert chisquare(found[occurs], expected[occurs]).pvalue > 0.01


def test_marginals_are_drawn_independently():
    table = table_of([[0, 0], [1, 1]])
    records = table.records()
    codes, _ = draw_marginals(table.layout, records.background, 4000, np.random.default_rng(6))
    found = np.bincount(2 * codes[:, 0] + codes[:, 1], minlength=4)
    assert chisquare(found).pvalue > 0.01


def test_marginals_of_numbers_have_the_global_mean_and_variance():
    table = table_of([[0]] * 3, numbers=[[-1.0], [0.5], [2.0]])
    records = table.records()
    _, numbers = draw_marginals(table.layout, records.background, 20_000, np.random.default_rng(7))
    assert math.isfinite(numbers.sum())
    assert numbers.mean() == pytest.approx(0.5, abs=0.05)
    assert numbers.std() == pytest.approx(np.std([-1.0, 0.5, 2.0]), abs=0.05)


def test_an_attribute_never_known_gives_unknown_centres():
    table = table_of([[0, None], [1, None]], (2, 1))
    records = table.records()
    codes, _ = draw_marginals(table.layout, records.background, 9, np.random.default_rng(0))
    assert (codes[:, 1] == 1).all()


def test_the_same_seed_draws_the_same_centres():
    table = table_of([[0, 0], [1, 1], [2, 0]], numbers=[[0.0], [1.0], [5.0]])
    records = table.records()
    for draw in (
        records.draw,
        lambda k, rng: draw_marginals(table.layout, records.background, k, rng),
    ):
        one, two = (draw(6, np.random.default_rng(3)) for _ in range(2))
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
