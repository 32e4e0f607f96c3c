"""Skewed numbers: which are transformed, and which number is a category of its own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix._table.infer.digest import Digest
from galileomix._table.infer.reshape import AS_IT_IS, Shape, best_shape

rng = np.random.default_rng(0)


def shape_of(x: np.ndarray) -> Shape:
    return best_shape(Digest.of(x, np.ones(len(x))))


def test_what_looks_normal_stays_as_it_is() -> None:
    assert shape_of(rng.normal(50.0, 10.0, 1000)) == AS_IT_IS
    assert shape_of(rng.uniform(0.0, 1.0, 1000)) == AS_IT_IS
    assert shape_of(np.array([1.0, 2.0, 900.0])) == AS_IT_IS  # too few to see a shape


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_amounts_are_taken_as_logarithms_in_any_unit(unit: float) -> None:
    assert shape_of(unit * np.exp(rng.normal(3.0, 1.0, 500))) == Shape("log")


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_skewed_numbers_of_either_sign_are_taken_as_powers(sign: float) -> None:
    shape = shape_of(sign * (np.exp(rng.normal(3.0, 1.0, 500)) - 5.0))
    assert shape.transform == "yeo-johnson"
    assert (shape.power < 1.0) == (sign > 0)


def test_a_mass_of_zeros_is_a_category_of_its_own() -> None:
    rain = np.where(rng.random(1000) < 0.5, 0.0, np.exp(rng.normal(1.0, 1.0, 1000)))
    assert shape_of(rain) == Shape("log", spike=0.0)
    hours = np.where(rng.random(1000) < 0.4, 40.0, np.round(rng.normal(38.0, 12.0, 1000)))
    assert shape_of(hours).spike == 40.0


def test_counts_have_no_spike_where_the_next_number_is_nearly_as_common() -> None:
    assert shape_of(rng.poisson(1.2, 2000).astype(float)).spike is None


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.randoms())
def test_the_shape_does_not_depend_on_the_order_of_rows(
    values: list[float], random: object
) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert shape_of(np.array(values)) == shape_of(np.array(shuffled))
