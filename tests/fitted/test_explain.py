import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, TableError
from galileomix._fitted.explanation import Reason
from galileomix._model.families import smoothed
from galileomix.datasets import load_mushroom


def as_explained(model):
    """Return the model whose components hold one record more, as explain sees it."""
    k, fitted = model.n_components_, model._model
    shrunk = smoothed(fitted.mixture, fitted.background, fitted.N)
    other = model.at(k)
    other._model = replace(fitted, mixtures={k: shrunk})
    return other


def test_surprise_is_minus_the_log_of_the_conditional_probability(small, small_model):
    rows = small.iloc[:20]
    found = small_model.explain(rows)
    exact = as_explained(small_model)
    for a in range(len(rows)):
        for target in small:
            given = {name: rows[name].iloc[a] for name in small if name != target}
            every = exact.conditional(target, given)
            p = every[rows[target].iloc[a]]
            assert found.surprise[target].iloc[a] == pytest.approx(-np.log(p), rel=1e-9, abs=1e-12)
            assert every[found.expected[target].iloc[a]] == pytest.approx(every.iloc[0])
            assert found.probability[target].iloc[a] == pytest.approx(every.iloc[0])


def test_numbers_are_judged_by_how_far_out_they_are(mixed, mixed_model):
    rows = mixed.iloc[:30]
    found = mixed_model.explain(rows)
    exact = as_explained(mixed_model)
    for target in ("x0", "x1"):
        for a in np.flatnonzero(rows[target].notna()):
            given = {name: rows[name].iloc[a] for name in mixed if name != target}
            given = {name: value for name, value in given.items() if pd.notna(value)}
            every = exact.conditional(target, given)
            below = every.cdf(rows[target].iloc[a])
            tail = 2 * min(below, 1 - below)
            assert found.surprise[target].iloc[a] == pytest.approx(-np.log(tail), rel=1e-6)
            assert found.expected[target].iloc[a] == pytest.approx(every.mean)
            assert found.deviation[target].iloc[a] == pytest.approx(every.deviation)


def test_units_do_not_matter(mixed, mixed_model):
    other = Galileo(random_state=0, missing="ignore", predictive="chosen")
    other.fit(mixed.assign(x0=mixed["x0"] * 1024))
    one = mixed_model.explain(mixed[:50])
    two = other.explain(mixed.assign(x0=mixed["x0"] * 1024)[:50])
    np.testing.assert_allclose(one.surprise, two.surprise, rtol=1e-6)
    np.testing.assert_allclose(one.p_value, two.p_value, rtol=1e-6)


def test_p_values_of_what_the_model_draws_are_uniform(mixed_model):
    drawn = mixed_model.sample(6000)[0].dropna().reset_index(drop=True)
    holes = np.random.default_rng(1).random(drawn.shape) < 0.3
    for table in (drawn, drawn.mask(holes)):
        p = mixed_model.explain(table).p_value.to_numpy()
        assert np.isfinite(p).all() and p.min() > 0
        for share in (0.05, 0.25, 0.5, 0.75):
            assert (p <= share).mean() == pytest.approx(share, abs=0.03)


def test_what_is_unknown_is_not_surprising_and_still_expected(mixed, mixed_model):
    row = mixed.dropna().iloc[[0]].assign(c0=None, x0=np.nan)
    found = mixed_model.explain(row)
    assert found.surprise.loc[row.index[0], ["c0", "x0"]].isna().all()
    assert found.probability["c0"].iloc[0] > 0 and np.isfinite(found.expected["x0"].iloc[0])
    assert found.reasons(0)[-1].attribute in ("c0", "x0")


def test_a_value_never_seen_is_as_rare_as_one_record_in_n_plus_one(small, small_model):
    row = small.iloc[[0]].assign(u="new")
    found = small_model.explain(row)
    assert found.surprise["u"].iloc[0] == pytest.approx(np.log(len(small) + 1))
    assert found.value["u"].iloc[0] == "new"
    assert found.p_value.iloc[0] < small_model.explain(small.iloc[[0]]).p_value.iloc[0]
    strict = Galileo(random_state=0, unseen="error").fit(small)
    with pytest.raises(TableError, match="column 'u', row 0: 'new' was never seen"):
        strict.explain(row)


def test_the_index_of_a_frame_is_kept(small, small_model):
    rows = small.iloc[3:6].set_axis(["p", "q", "r"])
    found = small_model.explain(rows)
    assert found.p_value.index.tolist() == found.surprise.index.tolist() == ["p", "q", "r"]
    frame = found.to_frame(most=2)
    assert frame["row"].tolist() == ["p", "p", "q", "q", "r", "r"]
    assert list(frame)[:3] == ["row", "p_value", "attribute"]


def test_the_attribute_that_was_changed_is_to_blame():
    table = load_mushroom().data
    model = Galileo(random_state=0).fit(table)
    rows = table.iloc[:200].copy()
    free = rows.index[rows["odor"] == "none"]
    rows.loc[free, "odor"] = "foul"
    found = model.explain(rows.loc[free])
    assert (found.surprise.idxmax(axis=1) == "odor").mean() > 0.95
    assert str(found.reasons(0)[0]) == "odor=foul (expected none, 100%)"


def test_records_can_be_explained_in_any_pieces(small, small_model):
    whole = small_model.explain(small)
    part = small_model.explain(small.iloc[100:130])
    pd.testing.assert_frame_equal(whole.surprise.iloc[100:130], part.surprise)
    pd.testing.assert_series_equal(whole.p_value.iloc[100:130], part.p_value)


@pytest.mark.parametrize(
    ("value", "surprise", "expected", "deviation", "surprising"),
    [
        ("x", 0.8, "y", math.nan, True),
        ("x", 0.8, "x", math.nan, False),
        (None, 0.8, None, math.nan, False),
        (None, 2.0, "x", math.nan, True),
        (3.0, 2.9, 1.0, 0.5, False),
        (3.0, 3.1, 1.0, 0.5, True),
        (3.0, math.nan, 1.0, 0.5, False),
    ],
)
def test_what_is_surprising(value, surprise, expected, deviation, surprising):
    """Another category, or a number that one in twenty would exceed."""
    assert Reason("a", value, surprise, expected, 0.5, deviation).surprising is surprising


def test_an_interval_is_not_equal_to_a_value():
    assert (
        str(Reason("age", ">= 65", 3.0, "< 18", 0.9, math.nan)) == "age >= 65 (expected < 18, 90%)"
    )
