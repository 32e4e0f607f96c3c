"""The whole search, published and robust."""

import numpy as np
import pytest

from building import flat, table_of
from galileomix._kernels import cpu
from galileomix._model.criteria import best, criterion_of
from galileomix._model.em import Stop
from galileomix._model.search import Settings, annealing_search, robust_search
from galileomix._model.start import around
from galileomix.datasets import make_rules


@pytest.fixture(scope="module")
def records():
    table = make_rules(
        200, n_rules=4, n_attributes=6, n_values=8, values_per_rule=3, random_state=0
    )
    return table_of(table.data.to_numpy()).records(cpu)


def search(find, records, seed=0, k_max=None, criterion="bic", strength=4.0):
    def start(k):
        centers = records.draw(k, np.random.default_rng(seed))
        return around(centers, records.layout, records.background)

    settings = Settings(
        criterion_of(criterion, records.N), k_max, 100, 1.0, "entropy", strength, Stop()
    )
    met = []
    fits = find(records, start, settings, met.append)
    return fits, best(fits, settings.criterion), met


def test_the_robust_search_finds_the_truth_from_any_seed(records):
    chosen = [search(robust_search, records, seed)[1] for seed in range(4)]
    assert [fit.k for fit in chosen] == [4] * 4
    values = [fit.log_likelihood for fit in chosen]
    assert np.isfinite(values).all()
    assert values == pytest.approx([values[0]] * 4, rel=1e-7)


def test_the_robust_search_gives_one_fit_a_size_and_no_worse_with_each(records):
    fits, chosen, _ = search(robust_search, records)
    assert [fit.k for fit in fits] == list(range(1, len(fits) + 1))
    values = [fit.log_likelihood for fit in fits]
    assert np.isfinite(values).all()
    assert (np.diff(values) >= -1e-6).all()
    assert chosen in fits


def test_the_robust_search_is_no_worse_than_the_published_one(records):
    criterion = criterion_of("bic", records.N)
    robust, published = (
        search(find, records, seed=1, k_max=10)[1] for find in (robust_search, annealing_search)
    )
    assert criterion.loss(robust) <= criterion.loss(published) * (1 + 1e-9)


@pytest.mark.parametrize("find", [robust_search, annealing_search])
def test_the_same_seed_gives_the_same_bits(records, find):
    one, two = (search(find, records, seed=2, k_max=8)[0] for _ in range(2))
    assert [fit.log_likelihood for fit in one] == [fit.log_likelihood for fit in two]
    assert all(np.array_equal(flat(a.stats), flat(b.stats)) for a, b in zip(one, two, strict=True))


def test_the_annealing_search_walks_from_k_max_to_one(records):
    fits, _, met = search(annealing_search, records, k_max=6, strength=0.0)
    assert len(fits) == len(met) == 6
    assert [fit.k for fit in fits] == [1, 2, 3, 4, 5, 6]


def test_the_prior_takes_part_in_annealing(records):
    plain, drawn = (
        search(annealing_search, records, k_max=6, strength=s)[0][-1] for s in (0.0, 50.0)
    )
    assert plain.log_likelihood != drawn.log_likelihood


def test_k_max_is_kept(records):
    fits, chosen, _ = search(robust_search, records, k_max=2)
    assert max(fit.k for fit in fits) == 2
    assert chosen.k == 2


def test_k_max_found_by_itself_is_at_least_twice_the_best():
    table = make_rules(
        400, n_rules=12, n_attributes=8, n_values=12, values_per_rule=2, random_state=1
    )
    records = table_of(table.data.to_numpy()).records(cpu)
    fits, chosen, _ = search(annealing_search, records, strength=0.0)
    assert len(fits) >= 2 * chosen.k
