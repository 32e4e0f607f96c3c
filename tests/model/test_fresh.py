"""A fresh start ends at about as many components as pay, within what is allowed."""

import numpy as np
import pytest

from building import table_of
from galileomix._kernels import cpu
from galileomix._model.criteria import criterion_of
from galileomix._model.fresh import fresh_start
from galileomix._model.grow import Limits
from galileomix.datasets import make_rules

TRUE_K = 5


@pytest.fixture(scope="module")
def records():
    made = make_rules(
        500, n_rules=TRUE_K, n_attributes=8, n_values=6, values_per_rule=2, random_state=2
    )
    return table_of(made.data.to_numpy()).records(cpu)


def begun(records, limits, k=TRUE_K, seed=0):
    criterion = criterion_of("bic", records.N)
    return fresh_start(records, k, criterion, limits, np.random.default_rng(seed))


def test_most_of_them_find_the_truth(records):
    found = [begun(records, Limits(50), seed=seed) for seed in range(6)]
    assert sum(fit.k == TRUE_K for fit in found) >= 4


def test_the_number_of_clusters_need_not_be_known(records):
    assert begun(records, Limits(50), k=2 * TRUE_K).k == TRUE_K


def test_no_more_than_allowed(records):
    assert begun(records, Limits(3)).k == 3


def test_as_many_as_are_wanted(records):
    assert begun(records, Limits(50, wanted=4)).k == 4


def test_a_start_is_decided_by_the_draws_alone(records):
    first, again = (begun(records, Limits(50)) for _ in range(2))
    assert np.array_equal(first.stats.sums, again.stats.sums)


def test_one_component_is_left_where_there_is_no_structure():
    rows = np.random.default_rng(0).integers(3, size=(200, 4))
    assert begun(table_of(rows).records(cpu), Limits(50)).k == 1
