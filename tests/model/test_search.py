"""The whole search, published and robust."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest

import naive
from building import close, flat, plain, table_of
from galileomix import Galileo
from galileomix._kernels import cpu
from galileomix._model.criteria import best, criterion_of
from galileomix._model.em import DEFAULT_STOP, Stop, em
from galileomix._model.search import Settings, Stopped, annealing_search, robust_search
from galileomix._model.start import around
from galileomix.datasets import make_rules


@pytest.fixture(scope="module")
def table():
    made = make_rules(200, n_rules=4, n_attributes=6, n_values=8, values_per_rule=3, random_state=0)
    return table_of(made.data.to_numpy())


@pytest.fixture(scope="module")
def records(table):
    return table.records(cpu)


def start_of(records, k, seed=0):
    return around(records.draw(k, np.random.default_rng(seed)), records.layout, records.background)


def run(find, records, settings, notify, check, seed=0):
    """Return the fits of either search."""
    if find is annealing_search:
        return find(records, partial(start_of, records, seed=seed), settings, notify, check).fits
    return find(records, settings, np.random.default_rng(seed), notify, check).fits


def search(find, records, seed=0, k_max=None, strength=4.0, limit=100, stop=DEFAULT_STOP):
    """Return the fits, the one that BIC chooses, and what the search reported on its way."""
    criterion = criterion_of("bic", records.N)
    settings = Settings(criterion, k_max, limit, 1.0, "entropy", strength, stop)
    met = []
    fits = run(find, records, settings, met.append, lambda: None, seed)
    return fits, best(fits, criterion), met


@pytest.fixture(scope="module")
def robust(records):
    return search(robust_search, records)


def test_the_robust_search_finds_the_truth_from_any_seed(records, robust):
    chosen = [robust[1], *(search(robust_search, records, seed)[1] for seed in (1, 2))]
    assert [fit.k for fit in chosen] == [4] * 3
    values = [fit.log_likelihood for fit in chosen]
    assert np.isfinite(values).all()
    assert values == pytest.approx([values[0]] * 3, rel=1e-7)


def test_the_robust_search_gives_one_fit_a_size_and_no_worse_with_each(robust):
    fits, chosen, _ = robust
    assert [fit.k for fit in fits] == list(range(1, len(fits) + 1))
    values = [fit.log_likelihood for fit in fits]
    assert np.isfinite(values).all()
    assert (np.diff(values) >= -1e-6).all()
    assert chosen in fits


@pytest.mark.parametrize("find", [robust_search, annealing_search])
def test_what_is_reported_only_gets_better_and_ends_with_what_is_chosen(records, find):
    _, chosen, met = search(find, records, k_max=6)
    losses = [criterion_of("bic", records.N).loss(fit) for fit in (*met, chosen)]
    assert len(met) > 1
    assert np.isfinite(losses).all()
    assert all(after <= before for before, after in pairwise(losses))
    assert losses[-2] == pytest.approx(losses[-1], rel=1e-6)


def test_the_robust_search_is_no_worse_than_the_published_one(records):
    criterion = criterion_of("bic", records.N)
    robust, published = (
        search(find, records, seed=1, k_max=10)[1] for find in (robust_search, annealing_search)
    )
    assert criterion.loss(robust) <= criterion.loss(published) * (1 + 1e-9)


@pytest.mark.parametrize("find", [robust_search, annealing_search])
def test_the_same_seed_gives_the_same_bits(records, find):
    one, two = (search(find, records, seed=2, k_max=6)[0] for _ in range(2))
    assert [fit.log_likelihood for fit in one] == [fit.log_likelihood for fit in two]
    assert all(np.array_equal(flat(a.stats), flat(b.stats)) for a, b in zip(one, two, strict=True))


def test_annealing_without_a_prior_is_the_published_method(table, records):
    """Every size from k_max to one, and at each the log-likelihood that the oracle has."""
    few = Stop(1e-6, 10)
    fits, _, met = search(annealing_search, records, k_max=4, strength=0.0, stop=few)
    start = plain(start_of(records, 4))
    path = naive.anneal(table.rows, table.weights, *start, 1.0, few.tol, few.max_iter)
    assert [fit.k for fit in fits] == [k for k, _ in path[::-1]] == [1, 2, 3, 4]
    close([fit.log_likelihood for fit in fits], [value for _, value in path[::-1]])
    assert len(met) == 4


def test_an_overwhelming_prior_leaves_annealing_one_component_at_every_size(records):
    """All components are the global one then, and EM without a prior cannot tell them apart."""
    fits, _, _ = search(annealing_search, records, k_max=4, strength=1e9)
    one = em(records, records.everything).log_likelihood
    assert [fit.k for fit in fits] == [1, 2, 3, 4]
    close([fit.log_likelihood for fit in fits], [one] * 4, rtol=1e-6)


def test_annealing_with_a_prior_ends_where_em_without_one_rests(records):
    fits, _, _ = search(annealing_search, records, k_max=4, strength=4.0)
    for fit in fits:
        assert fit.converged
        again = em(records, fit.mixture, stop=Stop(0.0, 2), plain=True)
        gain = again.log_likelihood - fit.log_likelihood
        assert 0 <= gain <= 10 * DEFAULT_STOP.tol * abs(fit.log_likelihood)


def test_k_max_is_kept_and_costs_the_sizes_below_it_nothing(records, robust):
    fits, chosen, _ = search(robust_search, records, k_max=2)
    assert [fit.k for fit in fits] == [1, 2]
    assert chosen.k == 2
    unlimited = [fit.log_likelihood for fit in robust[0][:2]]
    close([fit.log_likelihood for fit in fits], unlimited, rtol=1e-6)


@pytest.mark.parametrize(("limit", "largest"), [(16, 16), (20, 20), (100, 32)])
def test_k_max_is_doubled_while_the_best_size_is_over_half_of_it(limit, largest):
    made = make_rules(
        600, n_rules=12, n_attributes=8, n_values=12, values_per_rule=2, random_state=0
    )
    records = table_of(made.data.to_numpy()).records(cpu)
    rough = Stop(1e-6, 50)
    fits, chosen, _ = search(annealing_search, records, strength=0.0, limit=limit, stop=rough)
    assert max(fit.k for fit in fits) == largest
    assert 2 * chosen.k <= largest or largest == limit


def stopped_after(find, records, n_passes):
    """Search until so many passes were made; return what was found, and whether it was stopped."""
    criterion, first, stops = criterion_of("bic", records.N), records.n_passes, []
    settings = Settings(criterion, None, 100, 1.0, "entropy", 4.0, DEFAULT_STOP)

    def check():
        if records.n_passes - first >= n_passes:
            stops.append(n_passes)
            raise Stopped

    return run(find, records, settings, lambda fit: None, check), stops == [n_passes]


@pytest.mark.parametrize("find", [robust_search, annealing_search])
@pytest.mark.parametrize("n_passes", [1, 7, 40, 150])
def test_a_search_that_is_stopped_keeps_the_best_so_far(records, find, n_passes):
    passes = records.n_passes
    fits, was_stopped = stopped_after(find, records, n_passes)
    assert was_stopped
    assert fits
    assert all(np.isfinite(fit.log_likelihood) for fit in fits)
    if find is robust_search:
        assert records.n_passes - passes < n_passes + 40
        assert (max(fit.k for fit in fits) > 1) == (n_passes >= 40)


def test_more_effort_never_ends_worse_and_costs_more():
    made = make_rules(
        400, n_rules=7, n_attributes=7, n_values=6, values_per_rule=2, noise=0.3, random_state=4
    )
    records = table_of(made.data.to_numpy()).records(cpu)
    criterion = criterion_of("aic", records.N)
    losses, passes = [], []
    for effort in (0.3, 1.0, 5.0):
        settings = Settings(criterion, None, 100, 1.0, "entropy", 2.0, DEFAULT_STOP, effort=effort)
        first = records.n_passes
        fits = run(robust_search, records, settings, lambda fit: None, lambda: None)
        losses.append(criterion.loss(best(fits, criterion)))
        passes.append(records.n_passes - first)
    assert losses == sorted(losses, reverse=True)
    assert passes[0] < passes[1] < passes[2]


@pytest.mark.parametrize("prior_strength", [0.0, 1e-3])
def test_without_a_prior_on_numbers_single_records_are_found_at_once(prior_strength):
    """Growth with a prior sees none of them, and moves by a few sizes would take long."""
    X = np.random.default_rng(0).standard_normal((20, 2)).round(3)
    model = Galileo(prior_strength=prior_strength, effort=0.05, random_state=0)
    model.fit(X, sample_weight=np.full(20, 7.0))
    assert model.n_components_ == 20
    assert model.n_passes_ < 3000
