import numpy as np
import pytest

import galileomix
from galileomix import Galileo, GalileoClassifier, ModelFileError
from galileomix.datasets import load_zoo


@pytest.fixture(scope="module")
def zoo():
    bunch = load_zoo()
    return bunch.data.drop(columns="type"), bunch.target


@pytest.fixture(scope="module")
def classifier(zoo):
    return GalileoClassifier(Galileo(random_state=0)).fit(*zoo)


def test_a_saved_classifier_answers_the_same(zoo, classifier, tmp_path):
    X, _ = zoo
    path = tmp_path / "classes.galileo"
    classifier.save(path)
    for other in (GalileoClassifier.load(path), galileomix.load(path)):
        assert isinstance(other, GalileoClassifier)
        np.testing.assert_array_equal(other.classes_, classifier.classes_)
        np.testing.assert_array_equal(other.predict_proba(X), classifier.predict_proba(X))
        np.testing.assert_array_equal(other.predict(X), classifier.predict(X))
    again = GalileoClassifier.from_dict(classifier.to_dict())
    np.testing.assert_array_equal(again.predict_proba(X), classifier.predict_proba(X))


@pytest.mark.parametrize("labels", [[1, 2], [True, False], [1.0, 2.0], ["a", "bcd"]])
def test_classes_of_any_type_come_back(labels, tmp_path):
    X = [["u", "x"], ["v", "y"]] * 20
    classifier = GalileoClassifier().fit(X, labels * 20)
    classifier.save(tmp_path / "c.galileo")
    other = GalileoClassifier.load(tmp_path / "c.galileo")
    assert other.classes_.dtype == classifier.classes_.dtype
    assert other.predict(X).tolist() == labels * 20


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("temperature_", 0.5, "temperature_ is 0.5, not a number of at least 1"),
        ("temperature_", "hot", "temperature_ is 'hot', not a number of at least 1"),
        ("classes_", ["a"], "not two or more different classes"),
        ("classes_", ["a"] * 7, "not two or more different classes"),
        ("classes_", 3, "classes_ are no texts, numbers or truth values"),
        ("classes_", [["a"], ["b"]], "classes_ are no texts, numbers or truth values"),
        ("classes_", ["a", "b", "c"], "class_probabilities_ is not an array .* of shape"),
        ("class_probabilities_", [[1.0]], "class_probabilities_ is not an array .* of shape"),
    ],
)
def test_a_damaged_file_is_refused(classifier, name, value, message):
    data = classifier.to_dict()
    data["extra"][name] = value
    data["arrays"]["extra"].pop(name, None)
    with pytest.raises(ModelFileError, match=message):
        GalileoClassifier.from_dict(data)


def test_probabilities_that_are_none_are_refused(classifier):
    data = classifier.to_dict()
    data["arrays"]["extra"]["class_probabilities_"][0][0] += 0.5
    with pytest.raises(ModelFileError, match="do not sum to one"):
        GalileoClassifier.from_dict(data)


def test_components_and_surprises(zoo, classifier):
    X, _ = zoo
    assert len(classifier.components()) == classifier.class_probabilities_.shape[1]
    found = classifier.explain(X.iloc[:3].assign(milk=~X["milk"].iloc[:3]))
    assert found.surprise.idxmax(axis=1).tolist() == ["milk"] * 3
