"""Laws of the model: what must not matter to it."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from building import KERNELS, close, flat, random_mixture, seeds, table_of, tables
from galileomix._model.em import Stop, em
from galileomix._model.params import Mixture

kernels = st.sampled_from(KERNELS)
FEW = Stop(1e-12, 12)


@settings(deadline=None)
@given(tables(missing=True, max_numeric=1), st.integers(1, 3), seeds, kernels, st.data())
def test_a_weight_of_two_is_the_row_twice(table, k, seed, kernel, data):
    n = len(table.rows)
    times = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    weighted = table_of(table.rows, table.cardinalities, table.numbers, times)
    often = np.repeat(range(n), times)
    repeated = table_of(
        [table.rows[a] for a in often], table.cardinalities, [table.numbers[a] for a in often]
    )
    mixture = random_mixture(table.layout, k, seed)
    one, two = (table.records(kernel).expect(mixture) for table in (weighted, repeated))
    close(flat(one), flat(two))
    close(one.log_likelihood, two.log_likelihood)


@settings(deadline=None)
@given(tables(missing=True), st.integers(1, 3), seeds, kernels, st.data())
def test_relabelled_values_give_the_same_model(table, k, seed, kernel, data):
    names = [data.draw(st.permutations(range(L))) for L in table.cardinalities]
    rows = [[None if v is None else names[m][v] for m, v in enumerate(row)] for row in table.rows]
    relabelled = table_of(rows, table.cardinalities, table.numbers, table.weights)
    new_place = np.concatenate(
        [table.layout.offsets[m] + np.array(name) for m, name in enumerate(names)]
    )
    start = random_mixture(table.layout, k, seed)
    p = np.empty_like(start.p)
    p[new_place] = start.p
    one = em(table.records(kernel), start, 0.5, FEW)
    two = em(relabelled.records(kernel), Mixture(table.layout, start.alpha, p), 0.5, FEW)
    close(two.log_likelihood, one.log_likelihood)
    close(two.mixture.alpha, one.mixture.alpha)
    close(two.mixture.p[new_place], one.mixture.p)


@settings(deadline=None)
@given(tables(missing=True), seeds, st.permutations(range(3)))
def test_the_order_of_components_does_not_matter(table, seed, order):
    start = random_mixture(table.layout, 3, seed)
    one = table.records().expect(start)
    two = table.records().expect(start.keep(order))
    close(flat(two), flat(one.take(order)))
    close(two.log_likelihood, one.log_likelihood)


@settings(deadline=None, max_examples=50)
@given(tables(missing=True, max_numeric=1), seeds, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(table, seed, random):
    order = random.sample(range(len(table.rows)), len(table.rows))
    shuffled = table_of(
        [table.rows[a] for a in order],
        table.cardinalities,
        [table.numbers[a] for a in order],
        [table.weights[a] for a in order],
    )
    start = random_mixture(table.layout, 3, seed)
    one, two = (em(rows.records(), start, stop=FEW) for rows in (table, shuffled))
    close(one.log_likelihood, two.log_likelihood)


@settings(deadline=None)
@given(tables(missing=True), seeds)
def test_an_attribute_of_one_value_changes_nothing(table, seed):
    wider = table_of(
        [[*row, 0] for row in table.rows], (*table.cardinalities, 1), None, table.weights
    )
    start = random_mixture(table.layout, 2, seed)
    wide = Mixture(wider.layout, start.alpha, np.vstack([start.p, np.ones((1, 2))]))
    one, two = table.records().expect(start), wider.records().expect(wide)
    close(two.weight, one.weight)
    close(two.log_likelihood, one.log_likelihood)
