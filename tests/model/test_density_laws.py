"""What holds of the density for any records."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from building import close, plain, random_mixture, seeds, table_of, tables
from galileomix._model.categorical import entropies
from galileomix._model.density import (
    density,
    log_cartesian_density,
    mean_density,
)
from galileomix._model.families import maximise

sides = st.lists(st.integers(1, 4), min_size=1, max_size=4)
distinct = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=40, unique=True)


def as_one(rows):
    records = table_of(rows).records()
    return maximise(records.everything, records.background), records.N


@settings(deadline=None)
@given(sides)
def test_any_box_has_density_one(sides):
    mixture, N = as_one(list(itertools.product(*map(range, sides))))
    close(density(mixture, N), [1.0])
    close(np.exp(log_cartesian_density(mixture, N)), [1.0])


@settings(deadline=None)
@given(distinct)
def test_distinct_rows_have_at_most_density_one(rows):
    mixture, N = as_one(rows)
    [rho] = density(mixture, N)
    assert math.isfinite(rho)
    assert 0 < rho <= 1 + 1e-12


@settings(deadline=None)
@given(distinct, st.integers(1, 5))
def test_every_row_d_times_is_d_times_as_dense(rows, d):
    once, N = as_one(rows)
    often, dN = as_one(rows * d)
    close(density(often, dN), d * density(once, N))


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=1, max_size=20))
def test_cartesian_density_is_records_over_cells(rows):
    mixture, N = as_one(rows)
    cells = math.prod(len(set(column)) for column in zip(*rows, strict=True))
    close(np.exp(log_cartesian_density(mixture, N)), [len(rows) / cells])
    assert log_cartesian_density(mixture, N)[0] <= np.log(density(mixture, N)[0]) + 1e-12


def test_a_trace_of_a_value_is_no_cell():
    mixture, N = as_one([[0], [1], [1]])
    trace = mixture.p.copy()
    trace[:, 0] = [1e-9, 1 - 1e-9]
    rho = np.exp(log_cartesian_density(type(mixture)(mixture.layout, mixture.alpha, trace), N))
    close(rho, [3.0])


@settings(deadline=None)
@given(tables(), st.integers(1, 4), seeds)
def test_density_and_entropy_of_a_mixture_equal_the_oracle_s(table, k, seed):
    mixture = random_mixture(table.layout, k, seed, impossible=0.3)
    N = sum(table.weights)
    alpha, p = plain(mixture)
    S = [[naive.entropy(distribution) for distribution in component] for component in p]
    rho = [naive.density(alpha[i] * N, p[i]) for i in range(k)]
    close(entropies(mixture).T, S)
    close(density(mixture, N), rho)
    assert mean_density(mixture, N) == pytest.approx(sum(alpha[i] * rho[i] for i in range(k)))
