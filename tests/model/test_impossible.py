"""Records that no component allows: the limit of a vanishing prior."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from building import KERNELS, close, plain, random_mixture, seeds, shares, table_of, tables
from galileomix._model.em import em
from galileomix._model.params import LOG_ZERO, Layout, Mixture

kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__[-9:])


def two(first, second, alpha=(0.5, 0.5)):
    """Two components of binary attributes, by their probabilities of value 1."""
    one = np.array([first, second]).T
    p = np.stack([1 - one, one], axis=1).reshape(-1, 2)
    return Mixture(Layout((2,) * len(first)), np.array(alpha), p)


@kernel
def test_fewest_impossible_values_come_first(kernel):
    table = table_of([[1, 1, 1]], (2, 2, 2))
    # The first allows one value of the three for certain; the second two, each hardly ever.
    mixture = two([0.0, 0.0, 1.0], [0.0, 1e-9, 1e-9], alpha=(1 - 1e-9, 1e-9))
    stats = table.records(kernel).expect(mixture)
    assert stats.weight.tolist() == [0.0, 1.0]


@kernel
def test_among_equals_the_rest_decides(kernel):
    table = table_of([[1, 1]], (2, 2))
    stats = table.records(kernel).expect(two([0.0, 0.2], [0.3, 0.0], alpha=(0.5, 0.5)))
    close(stats.weight, [0.4, 0.6], rtol=1e-7)


@kernel
def test_what_is_impossible_costs_and_stays_finite(kernel):
    table = table_of([[1, 1]], (2, 2))
    value = table.records(kernel).expect(two([0.0, 0.5], [0.0, 0.0])).log_likelihood
    assert math.isfinite(value)
    assert value == pytest.approx(LOG_ZERO + 2 * math.log(0.5), abs=1e-6)


@kernel
def test_one_step_of_em_makes_every_record_possible(kernel):
    table = table_of([[0, 0], [1, 1], [1, 0]], (2, 2))
    fit = em(table.records(kernel), two([0.0, 0.0], [0.0, 0.0]))
    assert math.isfinite(fit.log_likelihood)
    assert fit.log_likelihood > LOG_ZERO


@settings(deadline=None)
@given(tables(missing=True), st.integers(1, 4), seeds, st.sampled_from(KERNELS))
def test_shares_equal_the_oracle_s(table, k, seed, kernel):
    mixture = random_mixture(table.layout, k, seed, impossible=0.6)
    stats = table.records(kernel).expect(mixture)
    # Beside a hundred million, which stands for log 0, seven digits after the point are left.
    close(stats.weight, [sum(shares(table, mixture, i)) for i in range(k)], rtol=2e-7)
    value = naive.log_likelihood(table.rows, *plain(mixture), table.weights)
    if math.isfinite(value):
        assert stats.log_likelihood == pytest.approx(value)
    else:
        assert stats.log_likelihood < LOG_ZERO / 4
