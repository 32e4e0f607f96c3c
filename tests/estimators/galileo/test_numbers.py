"""Numbers in a table: kinds are found whatever else stands beside them."""

import warnings

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix.errors import ConstantColumnWarning
from quick_fits import quick


@pytest.fixture(scope="module")
def three():
    """Return 600 records of three kinds, two numbers each, and the kinds."""
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1, 2], 200)
    centre = np.array([[0.0, 0.0], [4.0, -3.0], [-3.0, 5.0]])
    return centre[kind] + rng.normal(size=(600, 2)), kind


def fitted(X, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantColumnWarning)
        return Galileo(random_state=0, **parameters).fit(X)


def found(model, kind):
    """Whether the components are the kinds, but for a few records."""
    table = pd.crosstab(model.labels_, kind).to_numpy()
    return table.shape == (3, 3) and table.max(axis=1).sum() > 0.98 * len(kind)


@pytest.mark.parametrize(
    "beside",
    [
        lambda u, v: [],
        lambda u, v: [u],
        lambda u, v: [100 * u],
        lambda u, v: [u + v],
        lambda u, v: [np.round(u, 2)],
        lambda u, v: [np.full(600, 7.5)] * 3,
        lambda u, v: [np.full(600, np.nan)] * 2,
    ],
    ids=["alone", "twice", "scaled", "sum", "rounded", "constant", "unknown"],
)
def test_columns_that_add_nothing_change_nothing(three, beside):
    X, kind = three
    model = fitted(np.column_stack([X, *beside(*X.T)]))
    assert found(model, kind)


@pytest.mark.parametrize("weight", [1e-3, 1e5, 1e10])
def test_any_weights_will_do(three, weight):
    X, _ = three
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = quick(max_components=3).fit(X, sample_weight=np.full(600, weight))
    assert np.isfinite(model.score_samples(X)).all()


@pytest.mark.parametrize(
    ("n", "Q", "criterion"),
    [(30, 3, "bic"), (100, 6, "bic"), (400, 3, "bic"), (30, 3, "aic"), (400, 3, "aic")],
)
def test_one_gaussian_is_one_kind(n, Q, criterion):
    X = np.random.default_rng(1).normal(size=(n, Q))
    assert fitted(X, criterion=criterion).n_components_ == 1


def test_without_a_prior_narrow_kinds_are_as_narrow_as_they_are():
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(0, 0.01, 100), rng.normal(1, 0.01, 100)][:, None]
    free, leaning = fitted(X, prior_strength=0.0), fitted(X)
    assert free.n_components_ == leaning.n_components_ == 2
    spread = np.sqrt(free._model.mixture.var[0]) * free.schema_.numeric[0].scale
    np.testing.assert_allclose(spread, 0.01, rtol=0.2)


def test_many_patterns_of_holes_hide_nothing(three):
    X, kind = three
    rng = np.random.default_rng(3)
    wide = np.column_stack([X, rng.normal(size=(600, 6))])
    wide[:, 2:][rng.random((600, 6)) < 0.3] = np.nan
    model = fitted(wide, covariance="diagonal")
    assert found(model, kind)


def test_an_impossible_category_outweighs_a_distant_number():
    table = pd.DataFrame(
        {"c": ["a"] * 100 + ["b"] * 100, "x": [0.0, 1e-3] * 50 + [5.0, 5.001] * 50}
    )
    model = fitted(table, max_components=2)
    assert model.n_components_ == 2
    far = pd.DataFrame({"c": ["a"], "x": [5.0]})
    assert model.predict(far)[0] == model.predict(table[:1])[0]


@pytest.mark.parametrize("seed", range(3))
def test_a_component_may_be_a_million_times_as_wide_as_all_records(seed):
    """Where one row weighs 1e12, all rows together are as narrow as rounding."""
    numbers = np.random.default_rng(seed).normal(size=(5, 6))
    usual = {"prior_strength": 0.0, "effort": 0.05, "transform_numbers": "none"}
    model = Galileo(random_state=0, **usual).fit(numbers, sample_weight=[1e12, 1, 0, 1, 1e-6])
    assert np.isfinite(model.score_samples(numbers)).all()
