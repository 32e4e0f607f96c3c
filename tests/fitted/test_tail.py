"""How low a score is: by rank among many, by an exponential tail beyond them."""

import numpy as np
import pytest

from galileomix._fitted.tail import Tail

RNG = np.random.default_rng(0)


def test_within_the_scores_it_is_the_share_below():
    scores = RNG.normal(size=20_000)
    usual = Tail.of(scores)
    for at in (-1.5, 0.0, 1.0):
        assert usual.below(np.array([at]))[0] == pytest.approx((scores <= at).mean(), abs=0.01)


def test_beyond_the_scores_it_goes_on_as_they_end():
    usual = Tail.of(-RNG.exponential(size=20_000))
    far = np.array([-8.0, -12.0, -20.0])
    np.testing.assert_allclose(np.log(usual.below(far)), far, atol=0.15 * np.abs(far).max())


def test_lower_is_never_more_probable_nor_impossible():
    for scores in (RNG.normal(size=300), RNG.integers(0, 3, 500).astype(float), np.zeros(50)):
        usual = Tail.of(scores)
        p = usual.below(np.linspace(-1e6, 5.0, 2_000))
        assert (np.diff(p) >= -1e-12).all() and (p > 0).all() and p[-1] == pytest.approx(1.0)


def test_at_is_the_inverse_in_the_tail():
    usual = Tail.of(RNG.normal(size=20_000))
    p = np.array([1e-3, 1e-6, 1e-12])
    np.testing.assert_allclose(usual.below(usual.at(p)), p, rtol=0.2)


def test_what_is_nearly_as_often_drawn_is_not_improbable():
    """Categories have few scores, each very often; a fitted record may be a little lower."""
    atoms = Tail.of(np.zeros(10_000))
    assert atoms.below(np.array([-0.01, 0.0]))[0] == 1.0
    rare = Tail.of(np.repeat([-7.0, 0.0], [10, 9_990]))
    assert rare.below(np.array([-7.0]))[0] == pytest.approx(0.001)
    assert rare.at(np.array(1e-4)) < -7.0
    assert Tail.of(np.array([1.0])).below(np.array([1.0]))[0] == 1.0
