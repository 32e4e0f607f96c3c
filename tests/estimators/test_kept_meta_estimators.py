"""Checkpoints of meta-estimators: those of their model, until all of their fit has ended."""

import os

import numpy as np
import pytest

from galileomix import Galileo, GalileoClassifier, GalileoDetector
from galileomix.datasets import load_zoo
from galileomix.errors import CheckpointError
from killed_fits import Killed, kept


@pytest.fixture(scope="module")
def zoo():
    return load_zoo()


def classifier(folder=None):
    return GalileoClassifier(Galileo(effort=0.1, random_state=0, checkpoint=folder))


def detector(folder=None):
    return GalileoDetector(Galileo(max_components=3, random_state=0, checkpoint=folder))


def test_a_classifier_goes_on_with_the_class_it_was_at(zoo, tmp_path):
    with kept(40) as written, pytest.raises(Killed):
        classifier(tmp_path).fit(zoo.data, zoo.target)
    assert max(written).search > 2
    with kept() as later:
        found = classifier(tmp_path).fit(zoo.data, zoo.target)
    assert min(later) > max(place for place in written if place.search == 1)
    assert max(later).search == 7
    expected = classifier().fit(zoo.data, zoo.target)
    proba = found.predict_proba(zoo.data), expected.predict_proba(zoo.data)
    assert np.array_equal(*proba) and found.model_.n_passes_ == expected.model_.n_passes_
    assert os.listdir(tmp_path) == []


def test_other_classes_are_refused(zoo, tmp_path):
    with kept(3), pytest.raises(Killed):
        classifier(tmp_path).fit(zoo.data, zoo.target)
    with pytest.raises(CheckpointError, match=r"of other classes \(y\), or of none"):
        classifier(tmp_path).fit(zoo.data, zoo.target[::-1])


def test_a_detector_that_is_killed_after_its_model_is_fitted_has_it(zoo, tmp_path, monkeypatch):
    def kill(*arguments):
        raise Killed

    with monkeypatch.context() as patched, kept(), pytest.raises(Killed):
        patched.setattr("galileomix._fitted.evidence.usual_of", kill)
        detector(tmp_path).fit(zoo.data)
    assert os.listdir(tmp_path)
    with kept() as written:
        found = detector(tmp_path).fit(zoo.data)
    assert not written and os.listdir(tmp_path) == []
    assert np.array_equal(found.scores_, detector().fit(zoo.data).scores_)
