"""Several models are kicked, each by itself, and the one that leads farthest is gone on with."""

import numpy as np
import pytest

from building import table_of
from galileomix._kernels import cpu
from galileomix._model.champions import Champions
from galileomix._model.criteria import criterion_of
from galileomix._model.em import DEFAULT_STOP, em
from galileomix._model.explore import Exploration
from galileomix._model.grow import Limits
from galileomix._model.start import around
from galileomix.datasets import make_rules

TRUE_K = 6


@pytest.fixture(scope="module")
def records():
    made = make_rules(
        600, n_rules=TRUE_K, n_attributes=8, n_values=6, values_per_rule=2, random_state=1
    )
    return table_of(made.data.to_numpy()).records(cpu)


@pytest.fixture
def champions(records):
    champions = Champions(criterion_of("bic", records.N))
    champions.offer(em(records, records.everything))
    return champions


def model_of(records, k, seed):
    centers = records.draw(k, np.random.default_rng(seed))
    return em(records, around(centers, records.layout, records.background))


def explored(records, champions, models, patience=25):
    exploration = Exploration(records, champions, models, patience)
    rng, n_kicks = np.random.default_rng(0), 0
    while exploration.kick(Limits(50), DEFAULT_STOP, rng):
        n_kicks += 1
    return exploration.farthest(), n_kicks


def test_the_best_model_of_all_is_gone_on_with(records, champions):
    models = [model_of(records, k, seed=3) for k in (2, 5)]
    kicks, _ = explored(records, champions, models)
    loss = champions.criterion.loss
    assert loss(kicks.champions.best()) <= min(map(loss, models))
    assert kicks.champions.best().k == TRUE_K
    assert champions.best() is kicks.champions.best()


def test_every_model_is_kicked_until_patience_is_spent(records, champions):
    models = [model_of(records, 4, seed) for seed in (1, 2)]
    _, once = explored(records, champions, models[:1])
    kicks, both = explored(records, champions, models)
    assert both > once
    assert kicks.tally.in_vain >= 25


def test_it_says_where_it_is(records, champions):
    models = [model_of(records, 4, seed) for seed in (1, 2)]
    exploration = Exploration(records, champions, models, 25)
    rng, n_kicks = np.random.default_rng(0), 0
    while exploration.kick(Limits(50), DEFAULT_STOP, rng):
        n_kicks += 1
        assert exploration.n_others + exploration.now.tally.kicks == n_kicks
        assert exploration.n_ahead == (0 if exploration.n_others else 25)
    assert n_kicks > exploration.n_others >= 25


def test_the_other_sizes_of_all_are_kept(records, champions):
    champions.offer(model_of(records, 3, seed=3))
    kicks, _ = explored(records, champions, [model_of(records, k, seed=3) for k in (2, 5)])
    assert {1, 3} <= set(kicks.champions.by_size)
    assert all(
        kicks.champions.by_size[fit.k].log_likelihood >= fit.log_likelihood
        for fit in champions.fits()
    )
