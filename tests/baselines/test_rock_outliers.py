"""Which records ROCK sets aside as outliers, and when."""

import numpy as np
import pytest

from galileomix import GalileoWarning
from galileomix.baselines import Rock

ALIKE = [["a", "x", "p"], ["a", "x", "q"], ["a", "x", "r"]]
PAIR = [["b", "y", "s"], ["b", "y", "t"]]
ALONE = [["c", "z", "u"]]


def test_a_record_without_neighbours_is_an_outlier():
    assert Rock(1).fit(ALIKE + ALONE).labels_.tolist() == [0, 0, 0, -1]


def test_a_record_with_few_neighbours_is_an_outlier_too_if_asked():
    assert Rock(1, min_neighbors=2).fit(ALIKE + PAIR).labels_.tolist() == [0, 0, 0, -1, -1]


def test_none_is_set_aside_where_no_neighbours_are_asked_for():
    with pytest.warns(GalileoWarning, match="4 clusters are left, not 1"):
        model = Rock(1, min_neighbors=0).fit(ALIKE + PAIR + ALONE)
    assert model.labels_.tolist() == [0, 0, 0, 1, 2, 3]


def test_small_clusters_are_dropped_late():
    model = Rock(1, min_cluster_size=2, weed_at=3).fit(ALIKE + PAIR + ALONE)
    assert model.labels_.tolist() == [0, 0, 0, -1, -1, -1]


def test_all_may_be_outliers():
    with pytest.warns(GalileoWarning, match=r"all records are outliers: theta=0\.9"):
        model = Rock(1, theta=0.9).fit(ALIKE + PAIR)
    assert (model.labels_ == -1).all()
    assert model.n_clusters_ == 0
    assert len(model.merges_) == 0


def test_a_sample_labels_the_rest():
    table = (ALIKE + [["b", "y", v] for v in "stu"]) * 20 + ALONE
    model = Rock(2, sample_size=30, random_state=0).fit(table)
    whole = Rock(2).fit(table)
    assert np.array_equal(model.labels_, whole.labels_)
    assert model.labels_[-1] == -1


def test_a_merge_names_the_first_rows_of_its_clusters():
    model = Rock(1).fit(ALONE + ALIKE)
    assert model.merges_.tolist() == [[1, 2], [1, 3]]
    assert model.goodness_.shape == (2,)
