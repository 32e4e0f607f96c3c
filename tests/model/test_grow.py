"""Growth comes near the truth in a few steps, and keeps to its limits."""

from itertools import pairwise

import pytest

from building import table_of
from galileomix._kernels import cpu
from galileomix._model.criteria import criterion_of
from galileomix._model.em import em
from galileomix._model.grow import Limits, grow
from galileomix.datasets import make_rules


@pytest.fixture(scope="module")
def records():
    made = make_rules(
        900, n_rules=9, n_attributes=8, n_values=6, values_per_rule=2, noise=0.1, random_state=0
    )
    return table_of(made.data.to_numpy()).records(cpu)


def grown(records, limits):
    start = em(records, records.everything)
    return list(grow(records, start, criterion_of("bic", records.N), limits, 2.0))


def test_the_true_number_in_a_few_steps(records):
    passes = records.n_passes
    found = grown(records, Limits(100))
    assert found[-1].k == 9
    assert records.n_passes - passes < 200


def test_each_model_is_better_than_the_one_before(records):
    losses = [criterion_of("bic", records.N).loss(fit) for fit in grown(records, Limits(100))]
    assert len(losses) > 1
    assert all(after < before for before, after in pairwise(losses))


def test_no_more_than_allowed(records):
    assert max(fit.k for fit in grown(records, Limits(4))) == 4


def test_as_many_as_are_wanted_whatever_they_cost(records):
    assert grown(records, Limits(100, wanted=14))[-1].k == 14


def test_one_component_has_nothing_to_split():
    records = table_of([[0, 0]] * 20).records(cpu)
    assert grown(records, Limits(100)) == []


class Creeping:
    """A criterion by which every model is better than the one before, by next to nothing."""

    def __init__(self, criterion):
        self.criterion, self.asked = criterion, 0

    def loss(self, fit):
        self.asked += 1
        return 1000.0 - 1e-6 * self.asked

    def __getattr__(self, name):
        return getattr(self.criterion, name)


def test_it_ends_where_models_only_creep_ahead(records):
    start = em(records, records.everything)
    creeping = Creeping(criterion_of("bic", records.N))
    assert list(grow(records, start, creeping, Limits(100), 2.0)) == []
