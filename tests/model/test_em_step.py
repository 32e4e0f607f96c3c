"""One E-step and one M-step against the oracle."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from building import (
    KERNELS,
    close,
    counted,
    plain,
    plain_gaussians,
    random_mixture,
    seeds,
    table_of,
    tables,
)
from galileomix._model.families import maximise

strengths = st.sampled_from([0.0, 0.5, 4.0])
kernels = st.sampled_from(KERNELS)


def assert_equal(mixture, expected):
    alpha, p = plain(mixture)
    close(alpha, expected[0])
    for component, wanted in zip(p, expected[1], strict=True):
        for distribution, other in zip(component, wanted, strict=True):
            close(distribution, other)


@settings(deadline=None)
@given(tables(missing=True), st.integers(1, 4), seeds, strengths, kernels)
def test_a_step_equals_the_oracle_s(table, k, seed, s, kernel):
    records = table.records(kernel)
    mixture = random_mixture(table.layout, k, seed)
    after = maximise(records.expect(mixture), records.background, s)
    assert_equal(after, naive.em_step(table.rows, table.weights, *plain(mixture), s))


@settings(deadline=None)
@given(tables(missing=True, max_numeric=2), st.integers(1, 4), seeds, kernels)
def test_the_log_likelihood_equals_the_oracle_s(table, k, seed, kernel):
    mixture = random_mixture(table.layout, k, seed)
    value = table.records(kernel).expect(mixture).log_likelihood
    expected = naive.mixed_log_likelihood(
        table.rows,
        table.numbers,
        table.weights,
        *plain(mixture),
        *plain_gaussians(mixture),
    )
    assert math.isfinite(value)
    assert value == pytest.approx(expected)


@settings(deadline=None)
@given(tables(missing=True, max_numeric=3), st.integers(1, 10), seeds, kernels)
def test_the_moments_equal_the_oracle_s(table, k, seed, kernel):
    mixture = random_mixture(table.layout, k, seed)
    stats = table.records(kernel).expect(mixture)
    for i in range(k if table.layout.n_numeric else 0):
        total, product = naive.mixed_moments(
            table.rows,
            table.numbers,
            table.weights,
            i,
            *plain(mixture),
            *plain_gaussians(mixture),
        )
        close(stats.total[:, i], total)
        close(stats.product[:, :, i], product)


@settings(deadline=None)
@given(tables(), st.integers(1, 4), seeds)
def test_without_numbers_the_two_oracles_agree(table, k, seed):
    alpha, p = plain(random_mixture(table.layout, k, seed))
    mixed = naive.mixed_log_likelihood(table.rows, table.numbers, table.weights, alpha, p, [], [])
    assert mixed == pytest.approx(naive.log_likelihood(table.rows, alpha, p, table.weights))


def test_means_and_variances_of_one_component():
    numbers = [[1.0], [2.0], [None], [6.0]]
    table = table_of([[0]] * 4, numbers=numbers, weights=[1, 1, 5, 2])
    records = table.records()
    mixture = maximise(records.everything, records.background)
    mean = (1 + 2 + 2 * 6) / 4
    variance = (1 + 4 + 2 * 36) / 4 - mean**2
    close(mixture.mu, [[mean]])
    # Its own variance and the global one are the same here, so the prior leaves it alone.
    close(mixture.var, [[variance]])


def test_a_variance_is_drawn_toward_the_global_one():
    table = table_of([[0], [1], [0], [1]], numbers=[[-1.0], [1.0], [-1.0], [1.0]])
    records = table.records()
    shares = [[1.0, 0.0], [0.0, 1.0]] * 2
    by_sign = counted(table.block(), table.layout, shares)
    # No spread of its own, two records, and one record's worth (or s) of the global variance 1.
    close(maximise(by_sign, records.background).var, [[1 / 3, 1 / 3]])
    close(maximise(by_sign, records.background, 4.0).var, [[4 / 6, 4 / 6]])
    close(maximise(by_sign, records.background).mu, [[-1, 1]])


def test_an_attribute_that_a_component_knows_nothing_of_is_global():
    table = table_of([[0, None], [0, None], [1, 0], [1, 1], [1, 1]], (2, 2))
    shares = [[1.0, 0.0]] * 2 + [[0.0, 1.0]] * 3
    stats = counted(table.block(), table.layout, shares)
    p = maximise(stats, table.records().background).p
    close(p[2:], [[1 / 3, 1 / 3], [2 / 3, 2 / 3]])
