import math
from dataclasses import replace

import numpy as np

from galileomix._model.champions import Champions
from galileomix._model.criteria import criterion_of
from galileomix._model.em import Fit
from galileomix._model.params import Layout, Mixture
from galileomix._model.recall import Others
from galileomix._model.stats import Stats


def fit_of(k, log_likelihood):
    layout = Layout((2,))
    zero = Stats.zero(layout, k)
    stats = Stats(layout, zero.sums, log_likelihood)
    mixture = Mixture(layout, np.full(k, 1 / k), np.full((2, k), 0.5))
    return Fit(mixture, stats, stats.log_likelihood, n_iter=1, converged=True)


def champions(*fits):
    result = Champions(criterion_of("bic", 100.0))
    for fit in fits:
        result.offer(fit)
    return result


def test_the_best_of_each_size_is_kept():
    held = champions(fit_of(1, -90.0), fit_of(2, -80.0), fit_of(1, -95.0), fit_of(2, -70.0))
    assert {k: fit.log_likelihood for k, fit in held.by_size.items()} == {1: -90.0, 2: -70.0}
    assert held.generation == {1: 1, 2: 2}


def test_an_equal_one_is_no_new_champion():
    first = fit_of(1, -90.0)
    held = champions(first, fit_of(1, -90.0 + 1e-9))
    assert held.by_size[1] is first
    assert held.generation == {1: 1}


def test_the_target_is_to_be_beaten():
    held = champions(fit_of(1, -90.0))
    assert held.target(1) == -90.0
    assert held.target(2) == -math.inf


def weighted(fit, *weight):
    """A fit whose components hold so many records."""
    sums = np.zeros_like(fit.stats.sums)
    sums[fit.stats.layout.n_values] = weight
    return replace(fit, stats=replace(fit.stats, sums=sums))


def test_a_model_with_the_weights_of_a_champion_is_it():
    held = champions(weighted(fit_of(2, -90.0), 60.0, 40.0))
    assert held.nearly_has(weighted(fit_of(2, -90.3), 40.001, 59.999))  # EM has a few steps left
    assert not held.nearly_has(weighted(fit_of(2, -90.3), 41.0, 59.0))
    assert not held.nearly_has(weighted(fit_of(2, -91.0), 60.0, 40.0))
    assert not held.nearly_has(weighted(fit_of(2, -89.8), 60.0, 40.0))  # it is better
    assert not held.nearly_has(weighted(fit_of(1, -90.0), 100.0))
    by_density = Champions(criterion_of("density", 100.0))
    by_density.offer(fit_of(1, -90.0))
    assert not by_density.nearly_has(fit_of(1, -90.0))


def test_density_has_no_target():
    held = Champions(criterion_of("density", 100.0))
    held.offer(fit_of(1, -90.0))
    assert held.target(1) == -math.inf


def test_the_best_size_is_by_the_criterion():
    held = champions(fit_of(1, -200.0), fit_of(2, -100.0), fit_of(3, -99.0))
    assert held.best().k == 2


def test_a_size_that_is_no_likelier_than_a_smaller_one_is_left_out():
    falls = (
        fit_of(1, -90.0),
        fit_of(2, -80.0),
        fit_of(3, -85.0),
        fit_of(4, -82.0),
        fit_of(5, -70.0),
    )
    held = champions(*falls)
    assert [fit.k for fit in held.fits()] == [1, 2, 3, 4, 5]
    assert [fit.k for fit in held.rising()] == [1, 2, 5]
    held.wanted = 4
    assert [fit.k for fit in held.rising()] == [1, 2, 4, 5]
    held.criterion = criterion_of("density", 100.0)
    assert held.rising() == held.fits()


def test_others_that_em_was_not_through_with_count_once():
    others = Others()
    assert others.is_new(weighted(fit_of(2, -90.0), 60.0, 40.0))
    assert not others.is_new(weighted(fit_of(2, -90.4), 39.5, 60.5))
    assert others.is_new(weighted(fit_of(2, -90.4), 38.0, 62.0))
    assert others.is_new(weighted(fit_of(2, -91.0), 60.0, 40.0))
    assert others.is_new(weighted(fit_of(3, -90.0), 59.9, 40.0, 0.1))
