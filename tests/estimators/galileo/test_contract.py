"""The public contract, through the public door."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from galileomix import Galileo, ParameterError, TableError
from galileomix._estimators.model_methods import assignments
from galileomix._fitted.results import NumberTrait, Trait
from galileomix.datasets import load_votes, load_zoo, make_rules
from quick_fits import quick

TABLE = make_rules(600, n_rules=3, n_attributes=6, n_values=8, values_per_rule=2, random_state=3)


@pytest.fixture(scope="module")
def model():
    return Galileo(random_state=0).fit(TABLE.data)


def test_the_rules_are_found(model):
    assert model.n_components_ == 3
    assert adjusted_rand_score(TABLE.target, model.labels_) == 1.0


def test_components_come_largest_first(model):
    assert np.all(np.diff(model.weights_) <= 0)
    assert model.weights_.sum() == pytest.approx(1.0)
    assert model.densities_.shape == (3,)
    sizes = np.bincount(model.labels_)
    assert np.all(np.diff(sizes) <= 0)


def test_the_path_has_the_promised_columns(model):
    frame = model.path_.to_frame()
    assert list(frame.columns) == ["k", "n_iter", "log_likelihood", "aic", "bic", "density"]
    assert frame["k"].is_monotonic_increasing
    assert np.isfinite(frame).all().all()
    assert model.path_.chosen == model.n_components_
    assert model.path_.to_dict()["chosen"] == model.n_components_


def test_the_path_and_the_scores_agree(model):
    step = model.path_.to_frame().set_index("k").loc[3]
    assert model.score_samples(TABLE.data).sum() == pytest.approx(step["log_likelihood"])
    assert model.aic(TABLE.data) == pytest.approx(step["aic"])
    assert model.bic(TABLE.data) == pytest.approx(step["bic"])
    assert model.weights_ @ model.densities_ == pytest.approx(step["density"])


def test_labels_are_the_likeliest_components(model):
    probability = model.predict_proba(TABLE.data)
    assert np.allclose(probability.sum(axis=1), 1.0)
    assert np.array_equal(probability.argmax(axis=1), model.labels_)
    assert np.array_equal(model.predict(TABLE.data), model.labels_)
    assert np.array_equal(Galileo(random_state=0).fit_predict(TABLE.data), model.labels_)


def test_one_pass_gives_the_component_its_probability_and_the_density(model):
    found = assignments(model, TABLE.data)
    np.testing.assert_array_equal(found[:, 0], model.predict(TABLE.data))
    np.testing.assert_array_equal(found[:, 1], model.predict_proba(TABLE.data).max(axis=1))
    np.testing.assert_array_equal(found[:, 2], model.score_samples(TABLE.data))


def test_another_size_without_fitting_again(model):
    two = model.at(2)
    assert two.n_components_ == 2
    assert two.predict_proba(TABLE.data).shape == (600, 2)
    assert not hasattr(two, "labels_")
    assert model.n_components_ == 3
    assert two.at(3).n_components_ == 3


def test_a_size_that_is_not_on_the_path(model):
    with pytest.raises(ParameterError, match="no model of 99 components on the path; there are 1"):
        model.at(99)


def test_log_likelihood_never_falls_along_the_path():
    path = Galileo(random_state=0).fit(load_votes().data).path_.to_frame()
    assert len(path) > 4
    assert np.all(np.diff(path["log_likelihood"]) >= 0)


def test_samples_look_like_the_table(model):
    X, y = model.sample(2000)
    assert list(X.columns) == list(TABLE.data.columns)
    assert np.mean(model.predict(X) == y) > 0.99
    assert np.all(model.score_samples(X) > -np.inf)


def test_a_record_that_fits_no_component_has_next_to_no_density(model):
    impossible = TABLE.data.iloc[:1].copy()
    columns = TABLE.data.columns
    other = TABLE.data[TABLE.target != TABLE.target[0]]
    for column in columns[:3]:
        own = set(TABLE.data.loc[TABLE.target == TABLE.target[0], column])
        strange = [value for value in other[column] if value not in own]
        impossible[column] = strange[0] if strange else impossible[column]
    usual = model.score_samples(TABLE.data).min()
    assert model.score_samples(impossible)[0] < usual - 100.0
    assert np.isfinite(model.predict_proba(impossible)).all()


def test_the_profile_says_what_makes_each_component(model):
    profile = model.profile()
    assert profile["size"].sum() == pytest.approx(600)
    assert profile["name"].str.contains("=").all()
    assert profile.attrs["search"] == model.search_.in_words()


@pytest.mark.parametrize("parameter", ["refine", "prior_strength"])
def test_as_published_leaves_no_choice_of_the_method(parameter):
    with pytest.raises(ParameterError, match=parameter):
        Galileo.as_published(20, **{parameter: 1})


@pytest.mark.parametrize("seed", range(3))
def test_labels_are_consecutive(seed):
    model = Galileo.as_published(30, criterion="density", random_state=seed).fit(load_zoo().data)
    assert np.array_equal(np.unique(model.labels_), np.arange(model.labels_.max() + 1))
    assert np.array_equal(model.predict(load_zoo().data), model.labels_)
    assert len(model.path_) == len(set(model.path_.sizes))


def test_as_published_is_the_paper_to_the_letter():
    model = Galileo.as_published(20)
    assert (model.refine, model.prior_strength, model.centers) == (False, 0.0, "marginals")
    path = model.set_params(random_state=1).fit(load_zoo().data).path_
    assert path.sizes[0] == 1
    assert path.sizes[-1] > 10


def test_the_step_root_leaves_sizes_out():
    model = Galileo.as_published(20, step_root=1.5, random_state=0).fit(load_zoo().data)
    assert set(model.path_.sizes) <= {1, 2, 3, 5, 8, 13, 20} | set(range(1, 20))
    assert len(model.path_) <= 7


@pytest.mark.parametrize("criterion", ["aic", "bic", "density"])
def test_the_criterion_chooses(criterion):
    model = Galileo(8, criterion=criterion, random_state=0).fit(load_zoo().data)
    assert model.n_components_ == model.path_.best(criterion)


def test_auto_without_refinement_doubles_until_there_is_room():
    model = Galileo(refine=False, prior_strength=0.0, random_state=0).fit(TABLE.data)
    assert 2 * model.n_components_ <= max(model.path_.sizes)


def test_it_begins_with_no_more_than_there_are_rows_however_much_they_weigh():
    table = {"x": [0.0, 5.4, 41.4, None, 38.7, 1.3, 0.0, None]}
    table["y"] = [0.6, 1.1, 19.7, 0.4, 0.0, 0.0, 0.0, 0.0]
    weights = [1e12, 1e12, 1e12, 1e12, 0.0, 0.0, 1e-6, 1.0]
    model = Galileo(refine=False, random_state=0).fit(table, sample_weight=weights)
    assert max(model.path_.sizes) == sum(weight > 0.0 for weight in weights)


def test_same_seed_same_bits_on_any_number_of_threads():
    table = make_rules(20_000, random_state=1).data
    one, two = (quick(max_components=6, n_jobs=n).fit(table) for n in (1, 3))
    assert np.array_equal(one.weights_, two.weights_)
    assert one.path_ == two.path_


def test_a_weight_of_two_is_the_row_twice():
    zoo = load_zoo().data
    weights = 1 + np.arange(len(zoo)) % 3
    weighted = Galileo(random_state=0).fit(zoo, sample_weight=weights)
    repeated = Galileo(random_state=0).fit(zoo.loc[zoo.index.repeat(weights)])
    assert weighted.n_components_ == repeated.n_components_
    assert np.allclose(weighted.weights_, repeated.weights_, atol=1e-6)


def test_rows_without_weight_leave_no_trace():
    zoo = load_zoo().data
    strange = zoo.iloc[:1].assign(legs=77)
    weights = np.r_[np.ones(len(zoo)), 0.0]
    with_zero = Galileo(random_state=0).fit(pd.concat([zoo, strange]), sample_weight=weights)
    without = Galileo(random_state=0).fit(zoo)
    assert with_zero.schema_ == without.schema_
    assert with_zero.path_ == without.path_
    assert len(with_zero.labels_) == len(zoo) + 1


def test_missing_categories_are_a_value_or_left_out():
    table = pd.DataFrame({"a": ["x", None, "y", "y"] * 20, "b": ["u", "u", "v", None] * 20})
    category = Galileo(4, random_state=0).fit(table)
    ignored = Galileo(4, missing="ignore", random_state=0).fit(table)
    assert category.schema_.cardinalities == (3, 3)
    assert ignored.schema_.cardinalities == (2, 2)
    assert np.isfinite(ignored.score_samples(table)).all()


def test_numbers_and_categories_together():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 200)
    table = pd.DataFrame(
        {
            "kind": np.where(rng.random(400) < 0.95, truth, 1 - truth).astype(str),
            "width": rng.normal(100.0 + 50.0 * truth, 5.0),
        }
    )
    table.loc[3, "width"] = np.nan
    model = Galileo(random_state=0).fit(table)
    assert model.n_components_ == 2
    assert adjusted_rand_score(truth, model.labels_) > 0.95
    X, _ = model.sample(1000)
    assert abs(X["width"].mean() - table["width"].mean()) < 5.0


def test_a_far_outlier_is_strange_but_possible():
    model = Galileo(1, random_state=0).fit(np.random.default_rng(0).normal(size=(200, 1)))
    assert np.isfinite(model.score_samples([[1e3], [1e6]])).all()


@pytest.mark.parametrize("criterion", ["bic", "density"])
def test_every_component_holds_records(criterion):
    rng = np.random.default_rng(5)
    table = np.concatenate([rng.normal(mu, 0.3, (60, 2)) for mu in (-4.0, 0.0, 4.0)])
    model = Galileo(8, criterion=criterion, random_state=0).fit(table)
    for k in model.path_.sizes:
        assert model.at(k).weights_.min() * len(table) > 1e-6 * len(table)


def test_the_density_criterion_works_with_very_many_attributes():
    made = make_rules(150, n_rules=2, n_attributes=1000, n_values=4, values_per_rule=2)
    model = Galileo.as_published(4, criterion="density", random_state=0).fit(made.data)
    assert model.n_components_ >= 2


def test_numbers_are_named_to_the_digits_that_tell_components_apart():
    rng = np.random.default_rng(0)
    times = np.r_[rng.normal(1.7e9, 20.0, 100), rng.normal(1.7e9 + 500, 20.0, 100)]
    names = {each.name for each in Galileo(2, random_state=0).fit(times[:, None]).components()}
    assert len(names) == 2


def test_warnings_name_the_callers_line():
    with pytest.warns(UserWarning) as caught:
        model = Galileo(2, random_state=0).fit(pd.DataFrame({"a": ["x"] * 9, "b": list("uvw" * 3)}))
    with pytest.warns(UserWarning) as again:
        model.predict(pd.DataFrame({"a": ["z"], "b": ["u"]}))
    assert {each.filename for each in [*caught, *again]} == {__file__}


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_numbers_may_have_any_unit(unit):
    table = unit * np.random.default_rng(0).normal(size=(60, 40))
    model = Galileo(2, random_state=0).fit(table)
    assert np.isfinite(model.path_.to_frame()["bic"]).all()


def test_very_many_attributes_are_pruned_by_density_not_by_order():
    made = make_rules(200, n_rules=2, n_attributes=800, n_values=4, values_per_rule=2)
    model = Galileo(4, refine=False, random_state=0).fit(made.data)
    path = model.path_.to_frame().set_index("k")
    assert path["log_likelihood"][2] > path["log_likelihood"][1]


def test_progress_is_in_the_users_units():
    steps = []
    table = 100.0 * np.random.default_rng(0).normal(size=(100, 2))
    model = Galileo(2, random_state=0, progress=steps.append).fit(table)
    assert steps[-1].value == pytest.approx(model.path_.to_frame()["bic"].min())


def test_log_density_is_in_the_users_units():
    x = np.random.default_rng(0).normal(3.0, 40.0, (500, 1))
    model = Galileo(1, random_state=0).fit(x)
    expected = -0.5 * np.log(2 * np.pi * 40.0**2) - 0.5
    assert model.score(x) == pytest.approx(expected, abs=0.1)


def test_progress_is_told():
    steps = []
    Galileo(4, random_state=0, progress=steps.append).fit(load_zoo().data)
    assert steps[-1].k >= 1
    assert steps[-1].n_passes > 0


def test_clones_and_fits_again(model):
    again = clone(model).fit(TABLE.data)
    assert again.path_ == model.path_


def test_weights_count_in_the_scores():
    frame = load_zoo().data
    weights = np.where(np.arange(len(frame)) % 2, 3.0, 0.5)
    model = Galileo(random_state=0).fit(frame, sample_weight=weights)
    step = model.path_.to_frame().set_index("k").loc[model.n_components_]
    assert model.bic(frame, sample_weight=weights) == pytest.approx(step["bic"])
    assert model.aic(frame, sample_weight=weights) == pytest.approx(step["aic"])
    mean = np.average(model.score_samples(frame), weights=weights)
    assert model.score(frame, sample_weight=weights) == pytest.approx(mean)
    twice = pd.concat([frame, frame])
    assert model.bic(twice) == pytest.approx(model.bic(frame, sample_weight=2.0))
    with pytest.raises(TableError, match="sample_weight"):
        model.score(frame, sample_weight=[1.0])


def test_an_impossible_row_of_no_weight_does_not_count(monkeypatch):
    model = Galileo(1).fit(TABLE.data)
    monkeypatch.setattr(model, "score_samples", lambda X: np.array([-np.inf, -2.0]))
    assert model.score(TABLE.data[:2], sample_weight=[0.0, 1.0]) == -2.0
    assert model.score(TABLE.data[:2], sample_weight=[0.5, 1.0]) == -np.inf


def test_a_sample_of_intervals_can_be_predicted():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"u": rng.normal(size=300), "v": rng.choice(["a", "b"], 300)})
    table["u"] += np.where(table["v"] == "a", 8.0, 0.0)
    model = Galileo(discretize="quantile", random_state=0).fit(table)
    drawn, component = model.sample(200)
    assert np.mean(model.predict(drawn) == component) > 0.9
    assert np.isfinite(model.score(drawn))


@pytest.mark.parametrize(
    ("rule", "edges"),
    [({"u": "width"}, 4), ({"u": ("quantile", 3)}, 2), ({0: [1.0]}, 1), ({-1: [1.0]}, None)],
)
def test_rules_for_single_columns(rule, edges):
    table = pd.DataFrame({"u": np.linspace(0, 2, 90), "v": np.linspace(1, 5, 90) ** 2})
    model = Galileo(1, discretize=rule)
    if edges is None:
        with pytest.raises(ParameterError, match="discretize names -1"):
            model.fit(table)
        return
    model.fit(table)
    assert len(model.schema_.attributes[0].edges) == edges
    assert [each.name for each in model.schema_.numeric] == ["v"]


def test_traits_of_numbers_are_records_of_their_own():
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1], 200)
    table = pd.DataFrame({"v": rng.normal(size=400) * 1e-3 + 9.0 * kind, "c": kind.astype(str)})
    table.loc[kind == 0, "v"] -= table.loc[kind == 0, "v"].mean() + 1e-9
    traits = [t for each in Galileo(2, random_state=0).fit(table).components() for t in each.traits]
    numbers = [each for each in traits if isinstance(each, NumberTrait)]
    assert {each.attribute for each in numbers} == {"v"}
    assert numbers[0].mean_overall == pytest.approx(table["v"].mean(), rel=1e-3)
    assert "v 0 (all: 4.5)" in {str(each) for each in numbers}
    assert all(0 <= each.share <= 1 for each in traits if isinstance(each, Trait))
