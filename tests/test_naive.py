"""The oracle itself, against numbers that the paper or a pencil gives."""

import math

import pytest

import naive


def test_the_paper_s_two_distributions():
    left = [3 / 8, 3 / 8, 1 / 8, 1 / 8]
    right = [1 / 4] * 4
    assert math.exp(naive.entropy(left)) == pytest.approx(3.51, abs=0.005)
    assert naive.density(8, [left]) == pytest.approx(2.28, abs=0.005)
    assert naive.density(8, [right]) == pytest.approx(2)


def test_schedule_walks_by_one_or_in_growing_steps():
    assert naive.schedule(5, 1) == [1, 2, 3, 4, 5]
    assert naive.schedule(20, 2) == [1, 2, 4, 8, 16]
    assert naive.schedule(1, 1.5) == [1]


def test_em_step_by_hand():
    alpha, p = naive.em_step([[0], [0], [1]], [1, 1, 2], [1.0], [[[0.5, 0.5]]])
    assert alpha == [1.0]
    assert p == [[[0.5, 0.5]]]
    assert naive.log_likelihood([[0], [1]], alpha, p) == pytest.approx(2 * math.log(0.5))


def test_em_never_lowers_the_likelihood():
    rows = [["x", 0], ["x", 1], ["y", 1], ["y", 1]]
    alpha = [0.4, 0.6]
    p = [[{"x": 0.7, "y": 0.3}, [0.5, 0.5]], [{"x": 0.2, "y": 0.8}, [0.4, 0.6]]]
    before = naive.log_likelihood(rows, alpha, p)
    for _ in range(10):
        alpha, p = naive.em_step(rows, [1] * 4, alpha, p)
        after = naive.log_likelihood(rows, alpha, p)
        assert math.isfinite(after)
        assert after >= before - 1e-12
        before = after


def test_a_record_impossible_everywhere_goes_where_least_is_impossible():
    p = [[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.1, 0.9]]]
    assert naive.log_likelihood([[1, 1]], [0.9, 0.1], p) == -math.inf
    assert naive.responsibilities([1, 1], [0.9, 0.1], p) == [0.0, 1.0]


def test_prior_keeps_unseen_values_possible():
    rows = [[0], [1]]
    p = [[[1.0, 0.0]], [[0.0, 1.0]]]
    alpha, p = naive.em_step(rows, [1, 1], [0.5, 0.5], p, strength=2.0)
    assert alpha == [0.5, 0.5]
    assert p[0][0] == pytest.approx([2 / 3, 1 / 3])


def test_criteria():
    nu = naive.degrees_of_freedom(2, [2, 3])
    assert nu == 1 + 2 * 3
    assert naive.aic(-10.0, nu) == 34.0
    assert naive.bic(-10.0, nu, math.e) == pytest.approx(27.0)


def test_a_missing_value_is_left_out():
    p = [[[0.5, 0.5], [0.9, 0.1]], [[0.5, 0.5], [0.1, 0.9]]]
    assert naive.responsibilities([0, None], [0.25, 0.75], p) == pytest.approx([0.25, 0.75])
    assert naive.log_likelihood([[0, None]], [0.25, 0.75], p) == pytest.approx(math.log(0.5))
    assert naive.global_distribution([[0], [None], [1], [1]], [1, 5, 1, 2]) == [{0: 0.25, 1: 0.75}]


def test_products_too_small_for_a_float_are_shared_all_the_same():
    p = [[[1e-200, 1.0]] * 2, [[3e-200, 1.0]] * 2]
    assert naive.responsibilities([0, 0], [0.5, 0.5], p) == pytest.approx([0.1, 0.9])


def test_the_start_is_every_record_and_the_centre_as_often_again():
    assert naive.start_component([[0], [0], [1], [2]], [1] * 4, [2]) == [
        {0: 0.25, 1: 0.125, 2: 0.625}
    ]


def test_own_log_likelihood_by_hand():
    value = naive.own_log_likelihood([[0], [0], [1]], [1, 1, 2], total=8)
    assert value == pytest.approx(4 * math.log(4 / 8) + 4 * math.log(0.5))


def test_annealing_ends_with_one_component_that_is_the_global_distribution():
    rows = [[0, 0], [0, 1], [1, 1], [1, 0], [1, 1]]
    p = [[[0.6, 0.4], [0.5, 0.5]], [[0.4, 0.6], [0.3, 0.7]], [[0.5, 0.5], [0.2, 0.8]]]
    path = naive.anneal(rows, [1] * 5, [0.4, 0.3, 0.3], p, 1, 1e-9, 50)
    assert [k for k, _ in path] == [3, 2, 1]
    alone = 2 * (2 * math.log(2 / 5) + 3 * math.log(3 / 5))
    assert path[-1][1] == pytest.approx(alone)


def test_one_component_of_numbers():
    mixture = [1.0], [[[0.5, 0.5]]], [[0.0]], [[[4.0]]]
    value = naive.mixed_log_likelihood([[0]], [[1.0]], [2], *mixture)
    assert value == pytest.approx(2 * (math.log(0.5) - 1 / 8 - math.log(math.sqrt(8 * math.pi))))


def test_a_missing_number_is_expected_from_the_known_one():
    y, product = naive.expected([2.0, None], [0.0, 1.0], [[4.0, 2.0], [2.0, 3.0]])
    assert y == [2.0, 2.0]
    assert product == [[4.0, 4.0], [4.0, 4.0 + 3.0 - 1.0]]
