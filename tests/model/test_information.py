"""Mutual information in closed form, where there is one component, is that of quadrature."""

import numpy as np
import pytest

from building import random_mixture
from galileomix._model import information
from galileomix._model.params import Layout, Mixture

LAYOUT = Layout((3, 2), 3)


def twice(mixture: Mixture) -> Mixture:
    """Return the same distribution as two components."""
    parts = (np.concatenate([x, x], axis=-1) for x in (mixture.p, mixture.mu, mixture.Sigma))
    return Mixture(LAYOUT, np.array([0.3, 0.7]), *parts)


@pytest.mark.parametrize("seed", range(5))
def test_one_component_is_as_two_that_are_the_same(seed: int) -> None:
    one = random_mixture(LAYOUT, 1, seed)
    two = twice(one)
    for q, r in ((0, 1), (2, 0)):
        found = information.between_numbers(one, q, r)
        assert 0.0 < found == pytest.approx(information.between_numbers(two, q, r), rel=1e-9)
    for m in (0, 1):
        assert information.with_number(one, m, 2) == 0.0
        assert information.with_number(two, m, 2) == pytest.approx(0.0, abs=1e-9)
    assert information.between_categories(one, 0, 1) == 0.0
    assert information.between_categories(two, 0, 1) == pytest.approx(0.0, abs=1e-9)
