import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix._model import information
from galileomix.errors import ConstantColumnWarning


def test_pairs_of_categories_equal_the_joint(small, small_model):
    found = small_model.dependence().set_index(["first", "second"])
    for (a, b), row in found.iterrows():
        p = np.array([small_model.conditional(b, {a: v}).sort_index() for v in "abc"])
        joint = p * small_model.conditional(a).sort_index().to_numpy()[:, None]
        apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
        exact = (joint * np.log(joint / apart)).sum()
        assert row["information"] == pytest.approx(exact, rel=1e-6, abs=1e-9)
        assert 0 <= row["share"] <= 1


def test_a_copy_says_all_and_noise_says_nothing():
    rng = np.random.default_rng(0)
    a = rng.choice(list("xyz"), 600)
    table = pd.DataFrame({"a": a, "copy": a, "noise": rng.choice(list("pq"), 600)})
    found = Galileo(random_state=0).fit(table).dependence()
    assert found.loc[0, ["first", "second"]].tolist() == ["a", "copy"]
    assert found.loc[0, "share"] == pytest.approx(1.0, abs=1e-6)
    assert (found["share"][1:] < 0.02).all()


def test_a_constant_column_shares_nothing(small):
    table = small.assign(only="x")
    with pytest.warns(ConstantColumnWarning):
        model = Galileo(n_components=25, random_state=0, effort=0.1).fit(table)
    for k in model.path_.sizes:  # at some the probability of "x" is one but for rounding
        found = model.at(k).dependence()
        constant = (found[["first", "second"]] == "only").any(axis=1)
        assert constant.sum() == 3 and (found["share"][constant] < 1e-9).all()


def test_two_numbers_of_one_gaussian_by_their_correlation():
    rng = np.random.default_rng(1)
    x = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], size=4000)
    model = Galileo(1, random_state=0).fit(x)
    r = np.corrcoef(x.T)[0, 1]
    row = model.dependence().iloc[0]
    assert row["information"] == pytest.approx(-0.5 * np.log(1 - r**2), rel=1e-2)
    assert row["share"] == pytest.approx(r**2, rel=1e-2)


def test_one_component_of_many_columns_takes_no_quadrature(monkeypatch):
    monkeypatch.setattr(information, "_normal_points", None)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(50, 8))).add_prefix("x")
    table[[f"c{m}" for m in range(150)]] = rng.choice(list("abc"), (50, 150))
    found = Galileo(1, effort=0.01).fit(table).dependence()
    numbers = found["first"].str.startswith("x") & found["second"].str.startswith("x")
    assert len(found) == 158 * 157 / 2
    assert (found.loc[~numbers, ["information", "share"]] == 0.0).all(axis=None)


def test_a_category_and_a_number_by_simulation(mixed_model):
    pairs = mixed_model.dependence().set_index(["first", "second"])
    drawn = mixed_model.sample(30_000)[0].dropna().reset_index(drop=True)
    blank = pd.DataFrame(None, index=drawn.index, columns=list(drawn), dtype=object)
    for category, number in (("c0", "x0"), ("c2", "x1")):

        def log_p(*names):
            table = blank.copy()
            for name in names:
                table[name] = drawn[name]
            table = table.astype({"x0": float, "x1": float})
            return mixed_model.score_samples(table)

        ratio = log_p(category, number) - log_p(category) - log_p(number)
        error = ratio.std() / np.sqrt(len(ratio))
        assert pairs.loc[(category, number), "information"] == pytest.approx(
            ratio.mean(), abs=4 * error + 0.005
        )


def test_two_numbers_of_a_mixture_by_simulation(mixed_model):
    pairs = mixed_model.dependence().set_index(["first", "second"])
    drawn = mixed_model.sample(30_000)[0].dropna().reset_index(drop=True)
    nothing = drawn.assign(c0=None, c1=None, c2=None)
    both = mixed_model.score_samples(nothing)
    one = mixed_model.score_samples(nothing.assign(x1=np.nan))
    other = mixed_model.score_samples(nothing.assign(x0=np.nan))
    ratio = both - one - other
    error = ratio.std() / np.sqrt(len(ratio))
    found = pairs.loc[("x0", "x1"), "information"]
    assert found == pytest.approx(ratio.mean(), abs=4 * error + 0.005)


def test_records_are_similar_if_they_share_a_component(small, small_model):
    some = small_model.similarity(small[:30], small[:20])
    shares = small_model.predict_proba(small[:30])
    np.testing.assert_allclose(some, shares @ shares[:20].T)
    assert small_model.similarity(small[:5]).shape == (5, 5)
    assert (some >= 0).all() and (some <= 1 + 1e-12).all()
