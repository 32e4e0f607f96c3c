"""The annealing as published, against the oracle's of the whole figure."""

import math

import numpy as np
import pytest

import naive
from building import close, plain, table_of
from galileomix._kernels import cpu, reference
from galileomix._model.anneal import anneal, densest, schedule
from galileomix._model.density import density, log_cartesian_density
from galileomix._model.em import Stop, em
from galileomix._model.params import Layout, Mixture
from galileomix._model.start import around, draw_marginals
from galileomix.datasets import make_rules


def small_table(seed):
    made = make_rules(
        30,
        n_rules=3,
        n_attributes=4,
        n_values=5,
        values_per_rule=2,
        min_disjoint=1,
        noise=0.1,
        random_state=seed,
    )
    weights = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], 30)
    return table_of(made.data.to_numpy(), (5,) * 4, weights=weights)


def start_of(table, k, seed, draw="marginals"):
    records = table.records()
    rng = np.random.default_rng(seed)
    centers = (
        draw_marginals(table.layout, records.background, k, rng)
        if draw == "marginals"
        else records.draw(k, rng)
    )
    return around(centers, table.layout, records.background)


def published(records, start, beta, stop):
    def fit(mixture):
        return em(records, mixture, stop=stop, plain=True)

    return list(anneal(records, start, schedule(start.k, beta), fit))


def assert_path(kernel, beta, draw, stop):
    for seed in range(3):
        table = small_table(seed)
        start = start_of(table, 8, seed, draw)
        fits = published(table.records(kernel), start, beta, stop)
        path = naive.anneal(table.rows, table.weights, *plain(start), beta, stop.tol, stop.max_iter)
        assert [fit.k for fit in fits] == [k for k, _ in path]
        close([fit.log_likelihood for fit in fits], [value for _, value in path], rtol=1e-9)


betas = pytest.mark.parametrize("beta", [1.0, 1.5])
draws = pytest.mark.parametrize("draw", ["marginals", "records"])


@betas
@draws
def test_the_path_is_the_oracle_s(beta, draw):
    assert_path(reference, beta, draw, Stop(1e-7, 60))


@betas
@draws
def test_the_compiled_path_is_the_oracle_s(beta, draw):
    """Ten steps a size: with more, shares come to be too small for any float.

    Pruning makes even the smallest share count: what was left of a record in the other components
    decides where it goes. So a kernel may not drop small shares while a float can hold them.
    """
    assert_path(cpu, beta, draw, Stop(1e-7, 10))


def test_one_step_to_every_size_of_the_schedule():
    table = small_table(0)
    sizes = schedule(9, 1.5)
    records = table.records()
    few = Stop(max_iter=3)  # so few that no component empties
    steps = list(anneal(records, start_of(table, 9, 0), sizes, lambda g: em(records, g, 1.0, few)))
    assert [step.k for step in steps] == sizes[::-1]
    assert all(math.isfinite(step.log_likelihood) for step in steps)


def test_a_start_above_the_schedule_is_pruned_first():
    table = small_table(1)
    records = table.records()
    steps = anneal(records, start_of(table, 7, 1), [1, 2, 4], lambda g: em(records, g, 1.0))
    assert next(steps).k == 4


def test_the_same_start_gives_the_same_bits():
    table = small_table(2)
    one, two = (
        [
            fit.log_likelihood
            for fit in published(table.records(), start_of(table, 6, 2), 1.0, Stop())
        ]
        for _ in range(2)
    )
    assert one == two


def test_the_densest_are_kept_in_their_order():
    layout = Layout((4,))
    p = np.array([[1, 1, 1, 1], [4, 0, 0, 0], [2, 2, 0, 0], [3, 1, 0, 0]]).T / 4
    mixture = Mixture(layout, np.array([0.4, 0.2, 0.3, 0.1]), p)
    rho = density(mixture, 100.0)
    assert rho.tolist() == pytest.approx([10, 20, 15, 10 / math.exp(naive.entropy([0.75, 0.25]))])
    kept = densest(mixture, 100.0, 2, "entropy")
    close(kept.alpha, [0.4, 0.6])
    close(kept.p, p[:, [1, 2]])


def test_ties_go_to_the_earlier():
    layout = Layout((3,))
    p = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    kept = densest(Mixture(layout, np.full(3, 1 / 3), p), 9.0, 2, "entropy")
    close(kept.p, p[:, :2])


def test_the_two_prunings_can_differ():
    layout = Layout((4,))
    p = np.array([[0.97, 0.01, 0.01, 0.01], [0.5, 0.5, 0, 0]]).T
    mixture = Mixture(layout, np.array([0.5, 0.5]), p)
    assert density(mixture, 1000.0).argmax() == 0
    assert log_cartesian_density(mixture, 1000.0).argmax() == 1
    close(densest(mixture, 1000.0, 1, "entropy").p, p[:, :1])
    close(densest(mixture, 1000.0, 1, "cartesian").p, p[:, 1:])
