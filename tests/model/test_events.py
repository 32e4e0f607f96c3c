"""What tells the records of one component from those of all others."""

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from building import close, random_mixture, seeds
from galileomix._model import events
from galileomix._model.params import Layout, Mixture
from galileomix._model.stats import Background

LAWS = settings(deadline=None, max_examples=50)


def probabilities(L, k, seed):
    """Draw the probabilities of L values in k components, some of them zero, and weights."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(L, 0.5), size=k).T
    p[p < 0.05] = 0.0
    return p / p.sum(axis=0), rng.dirichlet(np.ones(k))


def mutual_information(joint):
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    return sum(x * np.log(x / y) for x, y in zip(joint.ravel(), apart.ravel(), strict=True) if x)


def with_the_rest(p, alpha, i):
    """Return the joint of values and membership, (L, 2)."""
    others = np.arange(len(alpha)) != i
    return np.stack([alpha[i] * p[:, i], p[:, others] @ alpha[others]], axis=1)


sizes = {"L": st.integers(2, 6), "k": st.integers(2, 4), "seed": seeds}


@LAWS
@given(**sizes)
def test_what_an_attribute_tells_is_its_mutual_information_with_membership(L, k, seed):
    p, alpha = probabilities(L, k, seed)
    found = events.information(p, alpha)
    close(found, [mutual_information(with_the_rest(p, alpha, i)) for i in range(k)], atol=1e-12)


@LAWS
@given(**sizes)
def test_what_an_event_tells_is_that_of_yes_or_no(L, k, seed):
    p, alpha = probabilities(L, k, seed)
    chosen = np.random.default_rng(seed).random(L) < 0.5
    for i in range(k):
        joint = with_the_rest(p, alpha, i)
        either = np.stack([joint[chosen].sum(axis=0), joint[~chosen].sum(axis=0)])
        share, rest = p[chosen, i].sum(), events.rest_of(p, alpha)[chosen, i].sum()
        close(events.told(share, rest, alpha[i]), mutual_information(either), atol=1e-12)


@LAWS
@given(**sizes)
def test_no_set_of_values_tells_more_than_one_of_the_greatest_ratios(L, k, seed):
    """So that only L sets have to be looked at; and no event tells more than its attribute."""
    p, alpha = probabilities(L, k, seed)
    rest = events.rest_of(p, alpha)
    values = range(L)
    subsets = [list(s) for n in values for s in combinations(values, n + 1)]
    for i in range(k):
        order = sorted(values, key=lambda v: -p[v, i] / max(p[v, i] + rest[v, i], 1e-300))

        def best(sets, i=i):
            return max(events.told(p[s, i].sum(), rest[s, i].sum(), alpha[i]) for s in sets)

        assert best(subsets) <= best([order[: n + 1] for n in values]) + 1e-12
        assert best(subsets) <= events.information(p, alpha)[i] + 1e-12


@LAWS
@given(**sizes)
def test_what_is_said_holds_here_and_not_as_a_rule_elsewhere(L, k, seed):
    p, alpha = probabilities(L, k, seed)
    for found in (events.of_values(p, alpha), events.of_ranks(p, alpha)):
        rest = events.rest_of(found.p, alpha)
        for i in np.flatnonzero(found.named):
            close(found.p[i], p[found.values[:, i]].sum(axis=0), atol=1e-12)
            assert found.p[i, i] >= events.COMMON
            assert rest[i, i] < events.USUAL and rest[i, i] <= found.p[i, i] + 1e-12
        for i in np.flatnonzero(~found.named):
            assert found.values[np.argmax(p[:, i]), i]
            assert found.p[i, i] >= events.USUAL or found.values[:, i].sum() == events.MOST_VALUES


def test_few_values_or_one_that_is_absent():
    alpha = np.array([0.5, 0.5])
    p = np.array([[0.2, 0.0], [0.2, 0.0], [0.2, 0.05], [0.2, 0.05], [0.2, 0.0], [0.0, 0.9]])
    found = events.of_values(p, alpha)
    assert np.flatnonzero(~found.values[:, 0]).tolist() == [5]  # all but the last
    assert np.flatnonzero(found.values[:, 1]).tolist() == [5]


def test_a_missing_value_joins_no_other():
    """It is rare in the first component, which would be told a little better with it."""
    alpha = np.array([0.5, 0.5])
    p = np.array([[0.9, 0.1], [0.0, 0.9], [0.1, 0.0]])
    for events_of in (events.of_values, events.of_ranks):
        assert events_of(p, alpha, missing=True).values[:, 0].tolist() == [True, False, False]
        absent = events_of(p[:, ::-1][[0, 2, 1]], alpha, missing=True)
        assert absent.values[:, 0].tolist() == [False, False, True]
        assert absent.values[:, 1].tolist() in ([True, False, False], [True, True, False])


def test_ranks_come_in_runs():
    alpha = np.array([0.5, 0.5])
    p = np.array([[0.0, 0.4], [0.0, 0.5], [0.1, 0.0], [0.4, 0.1], [0.5, 0.0]])
    found = events.of_ranks(p, alpha)
    assert found.values.T.astype(int).tolist() == [[0, 0, 1, 1, 1], [1, 1, 0, 0, 0]]


def test_intervals_are_those_of_the_gaussians():
    mixture = random_mixture(Layout((), n_numeric=2), 3, seed=1)
    p = events.intervals(mixture, 1)
    close(p.sum(axis=0), np.ones(3))
    mean, deviation = mixture.mu[1], np.sqrt(mixture.var[1])
    edges = np.sort((mean + deviation * np.array([-2, -1, 0, 1, 2])[:, None]).ravel())
    close(np.cumsum(p, axis=0)[:-1], norm.cdf((edges[:, None] - mean) / deviation), atol=1e-12)


def test_a_number_that_lies_like_that_of_all_records_is_not_said():
    layout = Layout((), n_numeric=1)
    Sigma = np.array([[[1.0, 1.0]]])
    everything = Background(np.zeros((0, 1)), np.zeros((1, 1)), np.ones((1, 1, 1)), np.ones(1), 1.0)
    for shift, said in ((3.0, True), (0.1, False)):
        mixture = Mixture(
            layout, np.array([0.5, 0.5]), np.zeros((0, 2)), np.array([[-shift, shift]]), Sigma
        )
        found = events.of_number(mixture, everything, 0, np.ones(2))
        assert found.named.tolist() == [said, said]


def test_two_events_that_tell_next_to_nothing_alone_may_tell_all_together():
    """Components are (yes, yes), (yes, no) and (no, yes), the first as large as both others."""
    p = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.9, 0.5, 0.4]])
    alpha = np.array([0.4, 0.3, 0.3])
    assert sorted(events.conjunction(p, 0, alpha, most=3, least=0.03)) == [0, 1]
    assert events.conjunction(p, 0, alpha, most=1, least=0.03) in ([0], [1])


def test_one_event_is_enough_where_it_tells_all():
    p = np.array([[0.5, 0.2, 0.1], [1.0, 0.0, 0.0], [1.0, 0.1, 0.0]])
    assert events.conjunction(p, 0, np.full(3, 1 / 3), most=4, least=0.03) == [1]


@pytest.mark.parametrize("i", range(3))
def test_events_join_as_long_as_they_tell_more(i):
    rng = np.random.default_rng(i)
    p, alpha = rng.random((12, 3)), rng.dirichlet(np.ones(3))
    chosen = events.conjunction(p, i, alpha, most=5, least=0.0)
    told = [events.telling(p[chosen[: n + 1]].prod(axis=0)[None], i, alpha)[0] for n in range(5)]
    assert len(set(chosen)) == len(chosen) <= 5
    assert told[len(chosen) - 1] == max(chain(told[: len(chosen)], [0.0]))
