"""How sure is it: components that are there are found again in resampled rows."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from galileomix import Galileo, GalileoError, ParameterError, TableError
from galileomix._fitted.resample import drawn, overlaps
from galileomix.datasets import make_mixed, make_rules
from quick_fits import quick

SHARES = [0.6, 0.4]
NOISE, VALUES = 0.2, 3


def two_rules(seed, n_rows=150):
    return make_rules(
        n_rows,
        n_rules=2,
        n_attributes=4,
        n_values=VALUES,
        values_per_rule=1,
        min_disjoint=3,
        weights=SHARES,
        noise=NOISE,
        random_state=seed,
    )


@pytest.fixture(scope="module")
def rules():
    return two_rules(0)


def fitted(table, **parameters):
    return quick(**{"max_components": 3, **parameters}).fit(table)


@pytest.fixture(scope="module")
def model(rules):
    return fitted(rules.data)


@pytest.fixture(scope="module")
def result(model, rules):
    return model.stability(rules.data, 10)


def assert_same(one, other):
    assert one.n_resamples == other.n_resamples
    pd.testing.assert_series_equal(one.sizes, other.sizes)
    for name in ("components", "probabilities", "means"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name), check_exact=True)


def test_what_is_there_is_found_every_time(result, model):
    assert result.n_resamples == 10
    assert result.sizes.to_dict() == {2: 10}
    assert result.components["recovered"].tolist() == [1.0, 1.0]
    assert (result.components["jaccard"] > 0.8).all()
    assert result.components["weight"].tolist() == model.weights_.tolist()
    assert result.components["name"].tolist() == model.profile()["name"].tolist()
    assert len(result.probabilities) == 2 * 4 * VALUES
    assert result.means.empty


def coverage(seed):
    """Whether each interval covers the truth: those of the weights, those of probabilities."""
    made = two_rules(seed)
    result = fitted(made.data).stability(made.data)
    low, high = result.components["weight_low"], result.components["weight_high"]
    weights = [low[i] <= share <= high[i] for i, share in enumerate(SHARES)]
    shown = result.probabilities
    rule = made.rules[shown["label"], shown["attribute"].str[1:].astype(int), 0]
    truth = NOISE / VALUES + (1 - NOISE) * (shown["value"] == rule)
    return weights, ((shown["low"] <= truth) & (truth <= shown["high"])).tolist()


def test_intervals_cover_the_truth():
    """Of twenty resamples they cover less than 95 %: here all weights, 83 % of values."""
    found = [coverage(seed) for seed in range(1, 5)]
    assert np.mean([each for weights, _ in found for each in weights]) >= 0.75
    assert np.mean([each for _, values in found for each in values]) >= 0.8


def test_what_is_not_there_is_found_less_often(model, rules):
    size = max(model.path_.sizes)
    assert size > 2
    more = model.at(size).stability(rules.data, 10).components
    assert more["recovered"].min() < 0.5
    assert more["recovered"].max() > 0.9
    never = more[more["recovered"] == 0]
    assert never[["weight_low", "weight_high"]].isna().all(axis=None)


def test_means_of_numbers():
    made = make_mixed(
        150, n_components=2, n_categorical=2, n_numeric=2, separation=5.0, random_state=3
    )
    model = fitted(made.data)
    result = model.stability(made.data, 6)
    assert result.components["recovered"].tolist() == [1.0, 1.0]
    assert result.means["attribute"].tolist() == ["x0", "x1"] * 2
    assert (result.means["low"] < result.means["mean"]).all()
    assert (result.means["mean"] < result.means["high"]).all()
    by_kind = made.data.groupby(model.labels_)[["x0", "x1"]].mean().to_numpy().ravel()
    np.testing.assert_allclose(result.means["mean"], by_kind, atol=0.2)


def test_a_weight_counts_as_so_many_records(rules, result):
    """Ten of every record: the same shares, and about a third of the uncertainty."""
    two = fitted(rules.data, max_components=2)
    many = two.stability(rules.data, 20, np.full(len(rules.data), 10.0)).components
    few = result.components
    assert many["recovered"].tolist() == [1.0, 1.0]
    width = [(each["weight_high"] - each["weight_low"]).mean() for each in (few, many)]
    assert 2 < width[0] / width[1] < 5


def test_rows_of_no_weight_have_no_say(model, rules, result):
    others = pd.concat([rules.data, rules.data[::-1].assign(a0=0, a1=1)])
    weights = np.repeat([1.0, 0.0], len(rules.data))
    assert_same(model.stability(others, 10, weights), result)


def test_the_same_again_on_any_number_of_threads(model, rules, result):
    threads = fitted(rules.data, n_jobs=2)
    assert_same(threads.stability(rules.data, 10), result)
    assert_same(model.stability(rules.data, 10), result)
    other = fitted(rules.data, random_state=1).stability(rules.data, 10)
    assert not other.components.equals(result.components)


def test_the_model_stays_what_it_was(rules):
    model = fitted(rules.data)
    before = model.to_json(), model.labels_.tolist()
    model.stability(rules.data, 2)
    assert (model.to_json(), model.labels_.tolist()) == before


def test_any_form_of_the_table(model, rules, result, tmp_path):
    """Also other columns besides, in another order; and what can be read only once."""
    file = tmp_path / "rules.csv"
    rules.data.to_csv(file, index=False)
    batches = iter([rules.data[:100], rules.data[100:]])
    moved = rules.data.assign(note="x")[["a3", "note", "a1", "a0", "a2"]]
    for table in (file, batches, moved, rules.data.to_numpy()):
        assert_same(model.stability(table, 10), result)


def test_on_disk_where_memory_is_short(rules, result):
    model = fitted(rules.data, memory_limit=1000)
    assert_same(model.stability(rules.data, 10), result)


def test_intervals_and_missing_values_stay_those_of_the_model():
    rng = np.random.default_rng(0)
    kind = np.arange(120) % 2
    table = pd.DataFrame(
        {
            "hole": np.where(kind, "x", None),
            "age": 40.0 + 30 * kind + rng.normal(size=120),
            "rare": ["once"] + ["often"] * 119,
        }
    )
    model = Galileo(discretize=("quantile", 2), random_state=0).fit(table)
    shown = model.stability(table, 10).probabilities
    expected = [value for each in model.schema_.categorical for value in each.values]
    assert shown["value"].tolist() == expected * model.n_components_
    assert None in shown["value"].tolist()
    assert shown[["probability", "low", "high"]].notna().all(axis=None)
    assert np.isclose(shown.groupby(["label", "attribute"])["probability"].sum(), 1.0).all()


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_very_few_rows(n_rows):
    table = pd.DataFrame({"a": ["x", "y", "x"], "b": [1.0, 2.0, 4.0]})[:n_rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = Galileo(random_state=0).fit(table).stability(table, 5)
    assert result.sizes.sum() == 5
    assert np.isfinite(result.components["recovered"]).all()


def test_refits_warn_once(rules):
    table = rules.data.astype(str)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = Galileo(max_components=2, max_iter=1, random_state=0).fit(table)
        fit_warnings = len(caught)
        model.stability(table, 5)
    [said] = caught[fit_warnings:]
    assert "of 5 resamples led to warnings, the first: EM stopped" in str(said.message)
    assert said.filename == __file__


def test_refits_are_told_as_parts_of_one(rules, capsys):
    steps = []
    model = fitted(rules.data).set_params(progress=steps.append)
    model.stability(rules.data, 2)
    assert {step.part for step in steps} == {"resample 1 of 2", "resample 2 of 2"}
    assert capsys.readouterr() == ("", "")


def test_as_text_and_as_plain_data(result):
    first, *lines = str(result).splitlines()
    assert first == "10 resamples: 2 components in 10"
    assert [line.split(":")[0] for line in lines] == ["component 0", "component 1"]
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data["sizes"] == [{"k": 2, "resamples": 10}]
    assert data["components"][0]["recovered"] == 1.0
    assert len(data["probabilities"]) == len(result.probabilities)
    pd.testing.assert_frame_equal(result.to_frame(), result.components)


def test_what_cannot_be_asked(model, rules):
    with pytest.raises(NotFittedError):
        Galileo().stability(rules.data)
    for n_resamples in (0, 1, 2.0, True, "20", None):
        with pytest.raises(ParameterError, match="n_resamples="):
            model.stability(rules.data, n_resamples)
    with pytest.raises(TableError, match="feature names"):
        model.stability(rules.data.drop(columns="a1"))
    with pytest.raises(TableError, match="expecting 4 features"):
        model.stability(rules.data.to_numpy()[:, :3])
    with pytest.raises(TableError, match="sample_weight"):
        model.stability(rules.data, sample_weight=[1.0])
    with pytest.raises(GalileoError):
        model.stability(rules.data[:0])


def test_draws_keep_the_sum_of_the_weights():
    rng = np.random.default_rng(0)
    for weights in ([1.0] * 7, [0.1, 0.2], [0.0, 3.0, 4.5], [1e30, 2e30]):
        counts = drawn(np.array(weights), rng)
        assert counts.sum() == pytest.approx(sum(weights))
        assert (counts[np.array(weights) == 0] == 0).all()


def test_no_component_has_two_matches():
    rng = np.random.default_rng(0)
    for _ in range(50):
        ours, theirs = rng.integers(4, size=(2, 30))
        theirs = np.where(rng.random(30) < 0.8, ours, theirs)
        shared = overlaps(ours, theirs, rng.random(30), (4, 5))
        assert (shared >= 0).all() and (shared <= 1 + 1e-12).all()
        assert ((shared > 0.5).sum(axis=0) <= 1).all()
        assert ((shared > 0.5).sum(axis=1) <= 1).all()
