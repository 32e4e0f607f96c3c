import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from galileomix._model.anneal import schedule


@pytest.mark.parametrize("beta", [1.0, 1.01, 1.1, 1.5, 2.0, 3.7])
@pytest.mark.parametrize("k_max", [1, 2, 3, 10, 40, 101, 1000])
def test_equals_the_oracle(k_max, beta):
    assert schedule(k_max, beta) == naive.schedule(k_max, beta)


@given(st.integers(1, 300))
def test_a_step_root_of_one_visits_every_size(k_max):
    assert schedule(k_max, 1.0) == list(range(1, k_max + 1))


@given(st.integers(1, 10**6), st.floats(1.02, 5))
def test_sizes_grow_from_one_within_the_bound(k_max, beta):
    sizes = schedule(k_max, beta)
    assert sizes[0] == 1
    assert sizes == sorted(set(sizes))
    assert sizes[-1] <= k_max


def test_doubling():
    assert schedule(20, 2.0) == [1, 2, 4, 8, 16]
