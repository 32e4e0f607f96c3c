"""The classifier through the public door."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict

from galileomix import Galileo, GalileoClassifier, GalileoWarning, ParameterError, TableError
from galileomix.datasets import load_votes, load_zoo, make_mixed
from galileomix.errors import TableTypeError

VOTES = load_votes()
SMALL = pd.DataFrame({"a": ["x", "y"] * 20, "b": ["u", "u", "v", "v"] * 10})
CLASSES = np.array(["no", "yes"] * 20)
QUICK = Galileo(effort=0.01, random_state=0)


@pytest.fixture(scope="module")
def votes():
    return GalileoClassifier().fit(VOTES.data, VOTES.target)


@pytest.fixture(scope="module")
def mixed():
    made = make_mixed(
        400,
        n_components=3,
        n_categorical=3,
        n_numeric=2,
        separation=2.0,
        missing=0.1,
        random_state=0,
    )
    return made.data, made.target


def test_classes_that_no_single_column_tells_apart():
    table = [["a", "x"], ["b", "y"], ["a", "y"], ["b", "x"]] * 25
    classes = ["same", "same", "other", "other"] * 25
    fitted = GalileoClassifier().fit(table, classes)
    assert fitted.predict([["a", "x"], ["a", "y"]]).tolist() == ["same", "other"]
    assert fitted.score(table, classes) == 1.0


def test_votes_are_predicted_far_better_than_by_the_shares_of_parties():
    found = cross_val_predict(
        GalileoClassifier(), VOTES.data, VOTES.target, cv=5, method="predict_proba"
    )
    assert np.isfinite(found).all()
    assert log_loss(VOTES.target, found) < 0.2  # by the shares alone 0.67
    assert (found.argmax(axis=1) == (VOTES.target == "republican")).mean() > 0.93


def test_probabilities(votes):
    found = votes.predict_proba(VOTES.data)
    assert found.shape == (435, 2)
    assert (found > 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(votes.predict_log_proba(VOTES.data), np.log(found))
    assert (votes.predict(VOTES.data) == votes.classes_[found.argmax(axis=1)]).all()


def test_a_prediction_is_that_of_the_components(votes):
    """P(class | x) = sum over components of their share, tempered, times P(class | component)."""
    assert votes.temperature_ >= 1.0
    np.testing.assert_allclose(votes.class_probabilities_.sum(axis=0), 1.0)
    shares = votes.model_.predict_proba(VOTES.data) ** (1 / votes.temperature_)
    shares /= shares.sum(axis=1, keepdims=True)
    found = shares @ votes.class_probabilities_.T
    np.testing.assert_allclose(votes.predict_proba(VOTES.data), found)


def test_the_model_answers_what_a_fitted_model_answers(votes, tmp_path):
    model = votes.model_
    assert isinstance(model, Galileo)
    assert model.n_components_ == votes.class_probabilities_.shape[1] == len(model.profile())
    assert np.isfinite(model.score_samples(VOTES.data)).all()
    assert model.weights_.sum() == pytest.approx(1.0)
    assert model.path_.sizes == (model.n_components_,)
    assert model.bic(VOTES.data) == pytest.approx(model.path_.to_frame()["bic"][0])
    model.save(tmp_path / "votes.galileo")
    again = Galileo.load(tmp_path / "votes.galileo")
    assert (again.predict(VOTES.data) == model.predict(VOTES.data)).all()


def test_the_settings_are_those_of_the_model_which_stays_unfitted():
    model = Galileo(2, criterion="aic", random_state=3)
    fitted = GalileoClassifier(model).fit(VOTES.data, VOTES.target)
    assert fitted.model is model
    assert fitted.model_.get_params() == model.get_params()
    assert fitted.class_probabilities_.shape[1] <= 2 * (2 + 1)
    with pytest.raises(NotFittedError):
        model.predict(VOTES.data)


def test_the_same_bits_again_and_on_any_number_of_threads():
    found = [
        GalileoClassifier(Galileo(random_state=0, n_jobs=n_jobs))
        .fit(VOTES.data, VOTES.target)
        .predict_proba(VOTES.data)
        for n_jobs in (None, None, 2)
    ]
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


def test_the_order_of_rows_does_not_matter(votes):
    order = np.random.default_rng(0).permutation(len(VOTES.data))
    other = GalileoClassifier().fit(VOTES.data.iloc[order], VOTES.target.iloc[order])
    expected = votes.predict_proba(VOTES.data)
    np.testing.assert_allclose(other.predict_proba(VOTES.data), expected, atol=1e-6)


@pytest.mark.parametrize("most", [16_384, 100])
def test_a_weight_of_two_is_the_row_twice_and_of_none_no_row(mixed, most, monkeypatch):
    """Also where only some of the records are judged."""
    monkeypatch.setattr("galileomix._estimators.class_mixtures.JUDGED", most)
    monkeypatch.setattr("galileomix._estimators.class_mixtures.FEWEST_JUDGED", 1)
    data, classes = mixed
    weights = np.random.default_rng(1).integers(0, 3, len(data))
    rows = np.repeat(np.arange(len(data)), weights)
    weighted = GalileoClassifier(QUICK).fit(data, classes, sample_weight=weights)
    repeated = GalileoClassifier(QUICK).fit(data.iloc[rows], classes[rows])
    assert weighted.temperature_ == pytest.approx(repeated.temperature_, rel=1e-6)
    np.testing.assert_allclose(
        weighted.predict_proba(data), repeated.predict_proba(data), atol=1e-6
    )


def test_numbers_and_holes(mixed):
    data, classes = mixed
    found = cross_val_predict(GalileoClassifier(QUICK), data, classes, cv=3, method="predict_proba")
    assert np.isfinite(found).all()
    assert (found.argmax(axis=1) == classes).mean() > 0.8
    nothing = data.iloc[:1].reindex(["no such row"])
    fitted = GalileoClassifier(Galileo(missing="ignore", random_state=0)).fit(data, classes)
    shares = np.bincount(classes) / len(classes)
    np.testing.assert_allclose(fitted.predict_proba(nothing)[0], shares, atol=0.1)


def test_a_number_that_is_the_same_in_one_class():
    rng = np.random.default_rng(0)
    number = np.r_[np.full(50, 2.0), rng.normal(2.0, 3.0, 50)]
    fitted = GalileoClassifier().fit(number[:, None], np.repeat([0, 1], 50))
    assert fitted.predict([[2.0], [4.0], [-1.0]]).tolist() == [0, 1, 1]


def test_a_column_that_one_class_never_knows():
    table = pd.DataFrame({"a": ["x", "y"] * 30, "b": [None] * 30 + ["u", "v", "v"] * 10})
    classes = np.repeat(["blank", "filled"], 30)
    fitted = GalileoClassifier(Galileo(missing="ignore", random_state=0)).fit(table, classes)
    found = fitted.predict_proba(pd.DataFrame({"a": ["x"], "b": ["v"]}))
    # Nothing is known of b in the first class, so b tells nothing but how rare v is.
    assert 0.2 < found[0, 0] < 0.8


def test_a_value_that_was_never_seen():
    fitted = GalileoClassifier(Galileo(missing="ignore", random_state=0)).fit(SMALL, CLASSES)
    row = pd.DataFrame({"a": ["x"], "b": ["never"]})
    with pytest.warns(GalileoWarning, match="'b': 1 cell with values never seen"):
        found = fitted.predict_proba(row)
    np.testing.assert_array_equal(found, fitted.predict_proba(row.assign(b=None)))
    assert fitted.classes_[found.argmax()] == "no"
    strict = GalileoClassifier(Galileo(unseen="error", random_state=0)).fit(SMALL, CLASSES)
    with pytest.raises(TableError, match="column 'b', row 0"):
        strict.predict(row)


def test_a_value_that_one_class_never_had_is_not_impossible():
    table = [["x", "u"]] * 30 + [["y", "v"]] * 30
    fitted = GalileoClassifier().fit(table, np.repeat([0, 1], 30))
    assert (fitted.predict_proba([["x", "v"]]) > 0.05).all()


@pytest.mark.parametrize(
    "labels",
    [
        CLASSES,
        CLASSES.astype(object),
        CLASSES == "yes",
        np.where(CLASSES == "yes", 7, -3),
        np.where(CLASSES == "yes", 1.0, 2.0),
        pd.Series(CLASSES),
        pd.Series(CLASSES, dtype="category"),
        pd.Series(CLASSES == "yes", dtype=object),
        CLASSES.tolist(),
    ],
    ids=repr,
)
def test_labels_of_any_type(labels):
    fitted = GalileoClassifier().fit(SMALL, labels)
    assert fitted.classes_.tolist() == sorted(set(labels))
    found = fitted.predict(SMALL)
    assert found.tolist() == list(labels)
    assert type(found[0].item()) is type(fitted.classes_[0].item())


def test_a_class_of_one_record():
    classes = CLASSES.copy().astype(object)
    classes[0] = "once"
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        found = GalileoClassifier(Galileo(30, random_state=0)).fit(SMALL, classes)
    proba = found.predict_proba(SMALL)
    assert np.isfinite(proba).all()
    assert (proba > 0).all()


def test_every_record_a_class_of_its_own():
    fitted = GalileoClassifier().fit([["x"], ["y"], ["z"]], ["a", "b", "c"])
    assert fitted.predict([["y"]]).tolist() == ["b"]


def test_no_warning_when_a_class_has_fewer_records_than_components():
    with warnings.catch_warnings():
        warnings.simplefilter("error", GalileoWarning)
        GalileoClassifier(Galileo(30, random_state=0)).fit(SMALL, CLASSES)


def test_a_table_in_a_file(tmp_path):
    SMALL.to_csv(tmp_path / "small.csv", index=False)
    fitted = GalileoClassifier().fit(tmp_path / "small.csv", CLASSES)
    assert fitted.feature_names_in_.tolist() == ["a", "b"]
    expected = GalileoClassifier().fit(SMALL, CLASSES).predict_proba(SMALL)
    np.testing.assert_array_equal(fitted.predict_proba(tmp_path / "small.csv"), expected)


def test_blocks_on_disk_change_nothing():
    model = Galileo(random_state=0, memory_limit=1000)
    fitted = GalileoClassifier(model).fit(SMALL, CLASSES)
    expected = GalileoClassifier().fit(SMALL, CLASSES).predict_proba(SMALL)
    np.testing.assert_array_equal(fitted.predict_proba(SMALL), expected)


def test_names_of_columns_go_with_the_table():
    fitted = GalileoClassifier().fit(SMALL, CLASSES)
    assert fitted.n_features_in_ == 2
    fitted.fit(SMALL.to_numpy(), CLASSES)
    assert not hasattr(fitted, "feature_names_in_")


def test_cloned_pickled_and_set():
    zoo = load_zoo()
    classifier = GalileoClassifier(Galileo(random_state=0)).set_params(model__max_components=3)
    fitted = clone(classifier).fit(zoo.data.drop(columns="type"), zoo.target)
    assert fitted.model.max_components == 3
    again = pickle.loads(pickle.dumps(fitted))
    data = zoo.data.drop(columns="type")
    assert again.predict_proba(data).tobytes() == fitted.predict_proba(data).tobytes()


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (None, "requires y"),
        ([*CLASSES[:39], None], "row 39: no class: Input y contains NaN"),
        (np.r_[np.nan, np.ones(39)], "row 0: no class"),
        (CLASSES[:7], "y has 7 labels, but the table has 40 rows"),
        (["yes"] * 40, "the one class 'yes'"),
        (np.linspace(0.0, 1.0, 40), "Unknown label type: continuous"),
        ([b"yes", b"no"] * 20, "y holds bytes: turn them into text"),
        (["yes\0", "yes"] * 20, "row 0: no class: Input y contains a NUL character"),
        (["yes", 1] * 20, "different types: int, str"),
        (np.ones((40, 2)), "y"),
        ([], "no class"),
    ],
)
def test_classes_that_make_no_sense(labels, words):
    with pytest.raises(TableError, match=words):
        GalileoClassifier().fit(SMALL, labels)


def test_weights_that_leave_one_class():
    with pytest.raises(TableError, match="the one class 'no'"):
        GalileoClassifier().fit(SMALL, CLASSES, sample_weight=CLASSES == "no")


@pytest.mark.parametrize(
    ("model", "words"), [("bic", "must be a Galileo"), (Galileo(criterion="icl"), "criterion")]
)
def test_a_model_that_makes_no_sense(model, words):
    with pytest.raises(ParameterError, match=words):
        GalileoClassifier(model).fit(SMALL, CLASSES)


def test_columns_that_were_not_there():
    fitted = GalileoClassifier().fit(SMALL, CLASSES)
    with pytest.raises(TableError, match="now missing:\\n- b"):
        fitted.predict(SMALL.rename(columns={"b": "c"}))
    with pytest.raises(NotFittedError):
        GalileoClassifier().predict(SMALL)


def test_tables_of_dask_are_refused_by_name():
    frames = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    table = pd.DataFrame({"a": ["x", "y"] * 50})
    classifier = GalileoClassifier(Galileo(max_components=1)).fit(table, ["p", "q"] * 50)
    lazy = frames.from_pandas(table, 2)
    for ask in (classifier.predict, classifier.predict_proba):
        with pytest.raises(TableTypeError, match="answers no tables of Dask or Spark: give it a"):
            ask(lazy)
    found = lazy.map_partitions(classifier.predict, meta=(None, object)).compute()
    assert np.concatenate([found]).tolist() == ["p", "q"] * 50
