"""Kicks get out of an optimum that growth ends in, and only ever improve."""

from itertools import pairwise

import numpy as np
import pytest

from building import flat, table_of
from galileomix._kernels import cpu
from galileomix._model.champions import Champions
from galileomix._model.criteria import criterion_of
from galileomix._model.em import DEFAULT_STOP, Stop, em
from galileomix._model.grow import Limits
from galileomix._model.kicks import IN_TURN, MOVES, Kicks
from galileomix._model.start import around
from galileomix.datasets import make_rules

TRUE_K = 6


@pytest.fixture(scope="module")
def records():
    made = make_rules(
        600, n_rules=TRUE_K, n_attributes=8, n_values=6, values_per_rule=2, random_state=1
    )
    return table_of(made.data.to_numpy()).records(cpu)


def poor_champions(records, k, criterion="bic"):
    """One model of k components from a random start, and one component."""
    champions = Champions(criterion_of(criterion, records.N))
    champions.offer(em(records, records.everything))
    centers = records.draw(k, np.random.default_rng(3))
    champions.offer(em(records, around(centers, records.layout, records.background)))
    return champions


def kicked(records, limits, n_kicks=200, k=4, seed=0):
    champions = poor_champions(records, k)
    before = champions.criterion.loss(champions.best())
    kicks = Kicks(records, champions, limits, DEFAULT_STOP, np.random.default_rng(seed))
    for _ in range(n_kicks):
        kicks.kick()
    return champions, kicks.tally, before


def test_they_find_the_truth_from_a_poor_start(records):
    champions, tally, before = kicked(records, Limits(50))
    assert champions.best().k == TRUE_K
    assert sorted(champions.best().stats.weight.round()) == pytest.approx([100] * 6, abs=40)
    assert champions.criterion.loss(champions.best()) < before
    assert tally.last_gain > 0
    assert 0 < tally.last_success <= tally.kicks


def test_at_the_best_model_they_return_to_it(records):
    _, tally, _ = kicked(records, Limits(50), n_kicks=300)
    assert tally.in_vain > 50
    assert tally.returned > 5


@pytest.fixture(scope="module")
def noisy():
    """Records of six clusters, half of whose cells are noise: many models are nearly as good."""
    rng = np.random.default_rng(0)
    rows = rng.integers(3, size=(6, 10))[rng.integers(6, size=300)]
    cells = np.where(rng.random(rows.shape) < 0.5, rng.integers(3, size=rows.shape), rows)
    return table_of(cells).records(cpu)


def kicks_of(records, criterion="aic"):
    champions = poor_champions(records, 3, criterion)
    return Kicks(records, champions, Limits(50), DEFAULT_STOP, np.random.default_rng(0))


def test_what_ends_nearly_as_well_is_counted_and_kicked_too(noisy):
    kicks = kicks_of(noisy)
    champions = kicks.champions
    bases = []
    usual = kicks._kicked
    kicks._kicked = lambda base: bases.append((champions.best(), base)) or usual(base)
    for _ in range(10 * IN_TURN):
        kicks.kick()
    assert kicks.tally.elsewhere > 0
    assert kicks.tally.successes > 0
    others = [(best, base) for best, base in bases if base is not best]
    assert others
    loss = champions.criterion.loss
    assert all(loss(base) >= loss(best) for best, base in others)


def test_moves_that_counts_suggest_come_first(records):
    champions = poor_champions(records, 4)
    kicks = Kicks(records, champions, Limits(50), DEFAULT_STOP, np.random.default_rng(0))
    read, at_random = [], []
    usual_read, usual_kicked = kicks._read, kicks._kicked
    kicks._read = lambda best: read.append(best) or usual_read(best)
    kicks._kicked = lambda base: at_random.append(base) or usual_kicked(base)
    for _ in range(10 * MOVES):
        kicks.kick()
    assert all(one is not other for one, other in pairwise(read))
    assert kicks.tally.kicks == 10 * MOVES
    assert 0 < len(at_random) <= 9 * MOVES


def test_what_stays_behind_is_not_fitted_to_the_end(noisy):
    """The last steps of EM are for models that may become the champion of their size."""
    kicks, ends = kicks_of(noisy), []
    usual = kicks._followed
    kicks._followed = lambda *given: ends.append(usual(*given)) or ends[-1]
    for _ in range(100):
        kicks.kick()
    behind = [fit for fit in ends if fit is not None and fit.given_up]
    assert behind
    assert all(fit.log_likelihood < kicks.champions.target(fit.k) for fit in behind)


def test_limits_hold(records):
    champions, _, _ = kicked(records, Limits(5))
    assert max(champions.by_size) <= 5
    champions, _, _ = kicked(records, Limits(50, wanted=4))
    assert max(champions.by_size) <= 4


def test_the_same_seed_gives_the_same_bits(records):
    one, two = (kicked(records, Limits(50), n_kicks=60)[0].best() for _ in range(2))
    assert np.array_equal(flat(one.stats), flat(two.stats))


def test_one_component_can_be_kicked(records):
    champions = Champions(criterion_of("bic", records.N))
    champions.offer(em(records, records.everything))
    kicks = Kicks(records, champions, Limits(50), DEFAULT_STOP, np.random.default_rng(0))
    for _ in range(2 * MOVES):
        kicks.kick()
    assert champions.best().k > 1


def test_what_else_finds_a_better_model_makes_kicks_count_anew(records):
    champions = poor_champions(records, 4)
    kicks = Kicks(records, champions, Limits(50), DEFAULT_STOP, np.random.default_rng(0))
    kicks.tally.kicks, kicks.tally.returned, kicks.tally.elsewhere = 50, 9, 9
    better, _, _ = kicked(records, Limits(50))
    champions.offer(better.best())
    assert kicks._note_better()
    assert (kicks.tally.in_vain, kicks.tally.returned, kicks.tally.elsewhere) == (0, 0, 0)
    assert kicks.tally.successes == 0


def test_em_that_goes_on_where_it_was_cut_short_is_no_success(records):
    """Where EM creeps, every kick that returned was a better model, and there was no end to it."""
    short, champions = Stop(1e-12, 2), Champions(criterion_of("bic", records.N), wanted=2)
    centers = records.draw(2, np.random.default_rng(3))
    start = around(centers, records.layout, records.background)
    champions.offer(em(records, start, stop=short))
    before = champions.criterion.loss(champions.best())
    kicks = Kicks(records, champions, Limits(2, 2), short, np.random.default_rng(0))
    for _ in range(60):
        kicks.kick()
    assert champions.criterion.loss(champions.best()) < before - 1.0
    assert kicks.tally.successes == 0
    assert kicks.tally.in_vain == kicks.tally.kicks
