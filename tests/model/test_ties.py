"""Rounding decides nothing: of values that are equal but for it, the first counts."""

import numpy as np
import pytest

from galileomix._model.ties import least, most_probable


def test_the_least_loss_is_the_first_of_equals():
    assert least([5.0, 2.0 + 1e-12, 2.0]) == 1
    assert least([5.0, 2.0, 1.9]) == 2


@pytest.mark.parametrize("size", [1.0, 40.0, 3e4])
def test_components_that_are_as_probable_but_for_rounding(size):
    rng = np.random.default_rng(0)
    terms = rng.normal(-size, 1.0, (50, 6, 4))
    terms[:, 3:] = terms[:, :3]  # three components twice
    forwards, backwards = terms.sum(axis=2), terms[:, :, ::-1].sum(axis=2)
    assert not np.array_equal(forwards, backwards)
    found = most_probable(forwards)
    assert np.array_equal(found, most_probable(backwards))
    assert np.array_equal(found, forwards[:, :3].argmax(axis=1))


def test_rows_that_are_impossible_under_all_components():
    assert most_probable(np.array([[-np.inf, -np.inf], [-np.inf, -5.0]])).tolist() == [0, 1]
