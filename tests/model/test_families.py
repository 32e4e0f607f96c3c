"""Reading a mixture: records drawn from it, and with no value impossible."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from building import close, random_mixture, seeds, tables
from galileomix._model.families import maximise, sample, smoothed
from galileomix._model.params import Layout, Mixture
from galileomix._model.stats import Background


def test_samples_follow_the_mixture():
    layout = Layout((2, 3), n_numeric=1)
    mixture = random_mixture(layout, 2, seed=0)
    n = 20_000
    codes, numbers, component = sample(mixture, n, np.random.default_rng(1))
    assert np.isfinite(numbers).all()
    assert chisquare(np.bincount(component), n * mixture.alpha).pvalue > 0.01
    for i in range(2):
        mine = component == i
        for m in range(2):
            p = mixture.p[layout.offsets[m] : layout.offsets[m + 1], i]
            found = np.bincount(codes[mine, m], minlength=len(p))
            assert chisquare(found, mine.sum() * p).pvalue > 0.01
        assert numbers[mine].mean() == pytest.approx(mixture.mu[0, i], abs=0.1)
        assert numbers[mine].var() == pytest.approx(mixture.var[0, i], rel=0.1)


def test_impossible_values_are_never_drawn():
    mixture = random_mixture(Layout((4, 4)), 2, seed=5, impossible=0.7)
    codes, _, component = sample(mixture, 2000, np.random.default_rng(2))
    for m in range(2):
        assert (mixture.p[4 * m + codes[:, m], component] > 0).all()


def test_the_same_seed_draws_the_same_records():
    mixture = random_mixture(Layout((4,), 1), 3, seed=6)
    one, two = (sample(mixture, 50, np.random.default_rng(3)) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@settings(deadline=None)
@given(tables(), st.integers(1, 3), seeds)
def test_smoothing_is_an_m_step_with_a_prior(table, k, seed):
    """Without missing values, (n + s G) / (N_i + s), whether counted or read from p."""
    records = table.records()
    stats = records.expect(random_mixture(table.layout, k, seed))
    mixture, N = maximise(stats, records.background), float(stats.weight.sum())
    found = smoothed(mixture, records.background, N, 2.0)
    totals = found.layout.per_attribute(found.p)
    close(totals, np.ones_like(totals))
    assert (found.p[records.background.G[:, 0] > 0] > 0).all()
    close(found.alpha, mixture.alpha)
    close(found.mu, mixture.mu)
    held = N * mixture.alpha
    expected = (held * mixture.Sigma + 2.0 * records.background.Sigma) / (held + 2.0)
    close(found.Sigma, expected)


def test_smoothing_where_one_side_knows_nothing():
    """The first attribute is always missing in the component, the second to the background."""
    layout = Layout((2, 2))
    mixture = Mixture(layout, np.ones(1), np.array([[0.0], [0.0], [1.0], [0.0]]))
    G = np.array([[0.25], [0.75], [0.0], [0.0]])
    background = Background(G, np.zeros((0, 1)), np.zeros((0, 0, 1)), np.zeros(0), 1.0)
    found = smoothed(mixture, background, 10.0)
    assert found.p[:, 0].tolist() == [0.25, 0.75, 1.0, 0.0]
