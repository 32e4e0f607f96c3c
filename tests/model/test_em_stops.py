"""Where EM stops, and what it gives back."""

import math

import numpy as np
import pytest

from building import close, flat, random_mixture, table_of
from galileomix._kernels import cpu
from galileomix._model.criteria import criterion_of
from galileomix._model.em import Stop, em, one_step
from galileomix._model.params import Layout, Mixture
from galileomix._model.split import splits
from galileomix.datasets import make_rules


@pytest.fixture(scope="module")
def records():
    table = make_rules(200, n_rules=3, n_attributes=5, noise=0.1, random_state=0)
    return table_of(table.data.to_numpy()).records()


@pytest.fixture(scope="module")
def start(records):
    return random_mixture(records.layout, 3, seed=1)


def test_it_stops_when_a_step_gains_no_more_than_tol_of_the_objective(records, start):
    fit = em(records, start, stop=Stop(tol=1e-6), plain=True)
    assert fit.converged
    before, earlier = (
        em(records, start, stop=Stop(0.0, fit.n_iter - back), plain=True) for back in (1, 2)
    )
    allowed = 1e-6 * abs(fit.log_likelihood)
    assert 0 <= fit.log_likelihood - before.log_likelihood <= allowed
    assert before.log_likelihood - earlier.log_likelihood > allowed


def test_a_step_from_several_mixtures_is_a_step_from_each(records, start):
    starts = [random_mixture(records.layout, 2, seed=0), start]
    for fit, begun in zip(one_step(records, starts), starts, strict=True):
        alone = em(records, begun, stop=Stop(max_iter=2))
        assert np.array_equal(flat(fit.stats), flat(alone.stats))
        assert fit.objective == alone.objective


def test_it_stops_at_max_iter(records, start):
    fit = em(records, start, stop=Stop(max_iter=3))
    assert (fit.n_iter, fit.converged) == (3, False)


def test_it_never_takes_more_than_max_iter(records, start):
    for most in range(1, 25):
        assert em(records, start, stop=Stop(0.0, most)).n_iter <= most


def test_one_iteration_only_looks(records, start):
    fit = em(records, start, stop=Stop(max_iter=1))
    assert fit.mixture is start
    assert (fit.n_iter, fit.converged) == (1, False)


def test_a_fixed_point_converges_at_once(records):
    fit = em(records, em(records, records.everything).mixture)
    assert fit.converged


def test_the_statistics_are_those_of_the_mixture_to_the_bit(records, start):
    fit = em(records, start, s=1.0)
    again = records.expect(fit.mixture)
    assert fit.log_likelihood == again.log_likelihood
    assert np.array_equal(flat(fit.stats), flat(again))


def test_a_fit_keeps_none_of_the_tables_that_its_passes_took():
    records = table_of([[0, 0], [0, 1], [1, 1]] * 5).records(cpu)
    fit = em(records, random_mixture(records.layout, 2, seed=0), stop=Stop(max_iter=5))
    assert not fit.mixture.cache
    splits(records, fit, criterion_of("bic", 15.0))
    assert not fit.mixture.cache


def test_begun_with_statistics_it_takes_the_mixture_from_them(records, start):
    from_stats = em(records, records.expect(start), stop=Stop(max_iter=4), plain=True)
    from_mixture = em(records, start, stop=Stop(max_iter=5), plain=True)
    assert from_stats.log_likelihood == from_mixture.log_likelihood


def test_a_tighter_tolerance_goes_further(records, start):
    loose, tight = (em(records, start, stop=Stop(tol=tol)) for tol in (1e-4, 1e-12))
    assert math.isfinite(tight.log_likelihood)
    assert tight.n_iter > loose.n_iter
    assert tight.log_likelihood > loose.log_likelihood


def test_a_target_already_reached_changes_nothing(records, start):
    fit = em(records, start)
    aimed = em(records, start, target=records.expect(start).log_likelihood)
    assert (aimed.log_likelihood, aimed.n_iter) == (fit.log_likelihood, fit.n_iter)


def test_a_target_out_of_reach_is_given_up(records, start):
    fit = em(records, start)
    aimed = em(records, start, target=fit.log_likelihood + 1000)
    assert not aimed.converged
    assert aimed.n_iter < fit.n_iter


def test_a_component_without_records_is_dropped():
    table = table_of([[0, 0], [0, 1], [1, 1], [1, 0]], (3, 3))
    p = np.array([[0.5, 0.0], [0.5, 0.0], [0.0, 1.0]] * 2)
    fit = em(table.records(), Mixture(Layout((3, 3)), np.array([0.5, 0.5]), p))
    assert fit.k == 1
    close(fit.mixture.alpha, [1.0])
    close(fit.stats.weight, [4.0])
    assert fit.log_likelihood == pytest.approx(4 * math.log(1 / 4))


def test_every_component_of_a_fit_holds_records(records):
    fit = em(records, random_mixture(records.layout, 30, seed=3, impossible=0.7))
    assert 1 <= fit.k <= 30
    assert (fit.stats.weight > 0).all()
    close(fit.mixture.alpha.sum(), 1.0)
    close(records.layout.per_attribute(fit.mixture.p), np.ones((5, fit.k)))
