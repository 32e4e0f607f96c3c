"""The robust search on generated tables whose truth is known."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from building import flat, table_of
from galileomix._kernels import cpu, reference
from galileomix._model.champions import Champions
from galileomix._model.criteria import criterion_of
from galileomix._model.em import Stop, em
from galileomix._model.fill import Fill
from galileomix._model.refine import Effort, Refinement
from galileomix._model.snap import snap
from galileomix.datasets import make_rules

STOP = Stop(1e-9, 500)


def made(n_rules, seed, noise=0.0):
    return make_rules(
        240,
        n_rules=n_rules,
        n_attributes=6,
        n_values=8,
        values_per_rule=3,
        noise=noise,
        random_state=seed,
    )


def refined(records, name="bic", k_max=12):
    champions = Champions(criterion_of(name, records.N))
    champions.offer(em(records, records.everything, stop=STOP))
    Refinement(records, champions, Effort(3, k_max, STOP)).run()
    Fill(records, champions, k_max, STOP).raise_all()
    return champions


@pytest.mark.parametrize("n_rules", [1, 2, 4, 5])
def test_it_finds_the_truth(n_rules):
    truth = made(n_rules, seed=n_rules)
    table = table_of(truth.data.to_numpy())
    best = refined(table.records(cpu)).best()
    assert best.k == n_rules
    labels = reference.log_joint(table.block(), best.mixture).argmax(axis=1)
    assert adjusted_rand_score(truth.target, labels) == 1.0


def test_it_finds_the_truth_through_noise():
    truth = made(3, seed=7, noise=0.1)
    table = table_of(truth.data.to_numpy())
    best = refined(table.records(cpu)).best()
    assert best.k == 3
    labels = reference.log_joint(table.block(), best.mixture).argmax(axis=1)
    assert adjusted_rand_score(truth.target, labels) > 0.95


def test_it_finds_the_truth_by_numbers_too():
    rng = np.random.default_rng(0)
    cluster = np.repeat([0, 1, 2], 60)
    numbers = np.array([-1.2, 0.0, 1.2])[cluster] + rng.normal(scale=0.15, size=180)
    table = table_of(rng.integers(0, 3, (180, 2)), numbers=numbers[:, None])
    best = refined(table.records(cpu)).best()
    assert best.k == 3
    assert sorted(best.stats.weight.round().tolist()) == [60, 60, 60]


@pytest.fixture(scope="module")
def noisy():
    """Champions of every size on a table that no mixture fits well."""
    return refined(table_of(made(4, seed=3, noise=0.3).data.to_numpy()).records(cpu))


def test_the_champions_never_fall_as_k_grows(noisy):
    sizes = sorted(noisy.by_size)
    assert sizes == list(range(1, len(sizes) + 1))
    values = [noisy.by_size[k].log_likelihood for k in sizes]
    assert np.isfinite(values).all()
    assert all(after >= before for before, after in pairwise(values))


def test_every_champion_has_its_size_and_its_records(noisy):
    for k, fit in noisy.by_size.items():
        assert fit.k == k
        assert (fit.stats.weight > 0).all()
        assert fit.stats.weight.sum() == pytest.approx(240)


def test_running_twice_gives_the_same_bits(noisy):
    again = refined(table_of(made(4, seed=3, noise=0.3).data.to_numpy()).records(cpu))
    assert again.by_size.keys() == noisy.by_size.keys()
    for k, fit in again.by_size.items():
        assert fit.log_likelihood == noisy.by_size[k].log_likelihood
        assert np.array_equal(flat(fit.stats), flat(noisy.by_size[k].stats))


def test_relabelled_values_and_another_order_of_rows_give_the_same_model(noisy):
    rng = np.random.default_rng(1)
    rows = made(4, seed=3, noise=0.3).data.to_numpy(dtype=int)
    rows = np.stack([rng.permutation(8)[column] for column in rows.T], axis=1)
    other = refined(table_of(rng.permutation(rows)).records(cpu)).best()
    assert other.k == noisy.best().k
    assert other.log_likelihood == pytest.approx(noisy.best().log_likelihood, rel=1e-6)


def test_it_stays_within_k_max():
    table = table_of(made(5, seed=5).data.to_numpy())
    champions = refined(table.records(cpu), k_max=3)
    assert max(champions.by_size) == 3


def test_by_density_full_boxes_are_found():
    rows = [[a, b, 0] for a in range(3) for b in range(4)] + [
        [a, b, c] for a in (3, 4) for b in (4, 5) for c in (1, 2, 3)
    ]
    best = refined(table_of(rows).records(cpu), "density").best()
    assert best.k == 2
    assert sorted(best.stats.weight.round(6).tolist()) == [12, 12]


def test_running_again_finds_nothing_more(noisy):
    records = table_of(made(4, seed=3, noise=0.3).data.to_numpy()).records(cpu)
    champions = Champions(noisy.criterion)
    champions.offer(em(records, records.everything, stop=STOP))
    refinement = Refinement(records, champions, Effort(3, 12, STOP))
    refinement.run()
    before, passes = dict(champions.generation), records.n_passes
    refinement.run()
    assert champions.generation == before
    assert records.n_passes == passes


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_snap_never_lowers_the_log_likelihood(noisy, k):
    records = table_of(made(4, seed=3, noise=0.3).data.to_numpy()).records(cpu)
    fit = noisy.by_size[k]
    snapped = snap(records, fit, Stop(1e-8, 200))
    assert np.isfinite(snapped.log_likelihood)
    assert snapped.k == fit.k
    assert snapped.log_likelihood >= fit.log_likelihood
