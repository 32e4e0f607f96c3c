"""Galileo and its rivals on one table."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

from galileomix import Galileo, baselines
from galileomix._table import read
from galileomix.baselines import Rival, _comparison, rivals
from galileomix.datasets import load_zoo, make_mixed
from galileomix.errors import ParameterError, TableError
from galileomix.metrics import category_utility, mean_density

FAST = ("galileo as published", "rock", "coolcat", "hdbscan hamming", "gaussian mixture")


@pytest.fixture(scope="module")
def zoo():
    bunch = load_zoo()
    return bunch.data.drop(columns="type"), bunch.target.to_numpy()


@pytest.fixture(scope="module")
def found(zoo):
    return _comparison.compare(read(zoo[0]), truth=zoo[1], only=FAST)


def named(found, name):
    return next(result for result in found.methods if result.method == name)


def test_galileo_is_measured_as_by_hand(zoo, found):
    data, truth = zoo
    model = Galileo(random_state=0).fit(data)
    ours = named(found, "galileo")
    assert ours.k == model.n_components_ and ours.outliers == 0
    assert ours.bic == pytest.approx(model.bic(data))
    assert ours.ari == pytest.approx(adjusted_rand_score(truth, model.labels_))
    assert ours.category_utility == pytest.approx(category_utility(data, model.labels_))
    assert ours.density == pytest.approx(mean_density(data, model.labels_))


def test_rivals_get_the_number_of_classes(zoo, found):
    assert (found.n_clusters, found.n_clusters_from) == (7, "the classes")
    labels = rivals()["coolcat"](zoo[0], 7)
    theirs = named(found, "coolcat")
    assert theirs.k == 7 and theirs.bic is None
    assert theirs.ari == pytest.approx(adjusted_rand_score(zoo[1], labels))


def test_the_best_come_first(found):
    assert {result.method for result in found.methods} == {"galileo", *FAST}
    ari = [result.ari for result in found.methods]
    assert all(map(np.isfinite, ari)) and ari == sorted(ari, reverse=True)


def test_stepmix_has_a_bic_on_the_same_scale():
    pytest.importorskip("stepmix")
    table = read([["a", "x"], ["a", "y"], ["b", "y"], ["b", "x"]] * 10)
    found = _comparison.compare(table, n_clusters=1, only=["stepmix"])
    ours, theirs = named(found, "galileo"), named(found, "stepmix")
    assert (ours.k, found.n_clusters_from) == (1, "you")
    assert theirs.bic == pytest.approx(ours.bic)


def test_without_classes_the_number_is_that_of_galileo(zoo):
    found = _comparison.compare(read(zoo[0]), only=["k-modes"])
    assert (found.n_clusters, found.n_clusters_from) == (named(found, "galileo").k, "Galileo")
    assert all(result.ari is None for result in found.methods)


def test_rows_of_no_known_class_do_not_count(zoo):
    data, truth = zoo
    some = pd.Series(truth).astype(object).where(np.arange(len(truth)) % 3 > 0, None).to_numpy()
    found = _comparison.compare(read(data), truth=some, only=["k-modes"])
    known = np.arange(len(truth)) % 3 > 0
    labels = Galileo(random_state=0).fit(data).labels_
    exact = adjusted_rand_score(truth[known], labels[known])
    assert named(found, "galileo").ari == pytest.approx(exact)


def test_numbers_are_cut_into_intervals_or_refused():
    made = make_mixed(60, random_state=0)
    only = ["k-modes", "dbscan hamming", "agglomerative gower"]
    found = _comparison.compare(read(made.data), n_clusters=2, only=only)
    assert named(found, "k-modes").note == "numbers cut into intervals"
    assert named(found, "k-modes").density is None
    assert not named(found, "dbscan hamming").ran
    assert "categories only" in named(found, "dbscan hamming").note
    assert named(found, "agglomerative gower").ran
    assert found.methods[-1].method == "dbscan hamming"


def broken(table, k):
    raise ZeroDivisionError("nothing\nto divide")


def test_one_that_fails_does_not_stop_the_others(zoo, monkeypatch):
    few = Rival(lambda table, k: np.zeros(table.n_rows, dtype=int), needs_k=False, most_rows=60)
    few_rivals = {"broken": Rival(broken, True), "few": few, "coolcat": rivals()["coolcat"]}
    monkeypatch.setattr(_comparison, "rivals", lambda seed=0: few_rivals)
    only = ["broken", "few", "coolcat", "stepmix"]
    found = _comparison.compare(read(zoo[0]), n_clusters=2, only=only)
    assert named(found, "coolcat").ran
    assert named(found, "broken").note == "ZeroDivisionError: nothing to divide"
    assert named(found, "few").note == "the table has 101 rows; this method takes at most 60"
    assert named(found, "stepmix").note == "not installed: pip install stepmix"


def test_nothing_is_told_of_the_few_rows_that_come_first(zoo):
    steps, alone = [], []
    table = read(zoo[0])
    _comparison.compare(table, n_clusters=2, only=["k-modes"], report=steps.append)
    Galileo(random_state=0, progress=alone.append).fit(zoo[0])
    values = [step.value for step in steps if step.value is not None]
    assert (values[0], values[-1]) == (alone[0].value, alone[-1].value)


def test_every_rival_is_a_method():
    assert set(baselines.rivals()) <= set(_comparison.methods())
    assert set(baselines.PACKAGES) <= set(_comparison.methods())


def test_bad_input_is_refused(zoo):
    table = read(zoo[0])
    with pytest.raises(ParameterError, match="no method is called 'kmode'; there are galileo"):
        _comparison.compare(table, only=["kmode"])
    with pytest.raises(ParameterError, match="n_clusters=0"):
        _comparison.compare(table, n_clusters=0)
    with pytest.raises(TableError, match="2 classes are given for 101 rows"):
        _comparison.compare(table, truth=np.array([0, 1]))
    with pytest.raises(TableError, match="the class of no row is known"):
        _comparison.compare(table, truth=np.full(101, None))
