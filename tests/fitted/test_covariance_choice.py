"""Whether numbers may be correlated within a component, chosen automatically."""

import warnings

import numpy as np
import pytest

from galileomix import Galileo, GalileoClassifier, GalileoWarning

N, Q = 60, 15
"""120 parameters of a covariance, which are more than the records."""


def apart(seed=0):
    """Two clusters of independent numbers, and which record is of which."""
    rng = np.random.default_rng(seed)
    label = np.arange(N) % 2
    return rng.normal(size=(N, Q)) + 4.0 * label[:, None], label


def together(seed=0):
    """Numbers that all follow one."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, 1)) + 0.01 * rng.normal(size=(N, Q))


def test_numbers_may_be_correlated_where_records_are_many():
    table = np.random.default_rng(0).normal(size=(N, 9))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Galileo(1, random_state=0).fit(table).covariance_ == "full"


def test_few_records_are_told_that_numbers_are_independent():
    table, label = apart()
    with pytest.warns(GalileoWarning, match=r"15 numbers .* independent .*covariance='full'"):
        model = Galileo(random_state=0).fit(table)
    assert model.covariance_ == "diagonal"
    assert model.n_components_ == 2
    assert len(set(zip(model.labels_, label, strict=True))) == 2
    alone = Galileo(random_state=0, covariance="diagonal").fit(table)
    assert model.bic(table) == alone.bic(table)
    assert model.n_passes_ > alone.n_passes_


def test_what_is_correlated_stays_so():
    table = together()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Galileo(random_state=0).fit(table)
    assert model.covariance_ == "full"
    assert model.bic(table) < Galileo(random_state=0, covariance="diagonal").fit(table).bic(table)


def test_what_is_given_is_not_chosen():
    for covariance in ("full", "diagonal"):
        model = Galileo(2, random_state=0, covariance=covariance).fit(apart()[0])
        assert model.covariance_ == covariance


@pytest.mark.filterwarnings("ignore::galileomix.GalileoWarning")
def test_the_number_of_components_that_is_given_is_found():
    model = Galileo(n_components=3, random_state=0).fit(apart()[0])
    assert (model.n_components_, model.covariance_) == (3, "diagonal")


@pytest.mark.filterwarnings("ignore::galileomix.GalileoWarning")
def test_classes_have_one_form_of_covariance(tmp_path):
    label = np.arange(N) % 2
    table = np.random.default_rng(0).normal(size=(N, Q))
    table[:, 0] += 9.0 * label
    model = GalileoClassifier().fit(table, label)
    assert model.model_.covariance_ == "diagonal"
    assert (model.predict(table) == label).all()
    model.save(tmp_path / "m.galileo")
    loaded = GalileoClassifier.load(tmp_path / "m.galileo")
    assert np.array_equal(loaded.predict_proba(table), model.predict_proba(table))
    assert GalileoClassifier().fit(together(), label).model_.covariance_ == "full"
