"""How components differ from the whole table, and how much attributes tell of them."""

import numpy as np
import pytest

from galileomix import Galileo
from galileomix._fitted.differences import differences, raised, separation


@pytest.fixture(scope="module")
def model():
    """Two clusters that one column decides, and two columns that tell nothing."""
    rows = [["a", "x", "m"], ["a", "y", "m"], ["b", "x", "m"], ["b", "y", "m"]] * 25
    return (
        Galileo(n_components=2, drop=[], random_state=0)
        .fit([[first, first.upper(), second, third] for first, second, third in rows])
        ._model
    )


def test_where_clusters_have_no_value_in_common_half_of_each_differs(model):
    np.testing.assert_allclose(differences(model)[:, :2], 0.5, atol=1e-6)


def test_what_all_clusters_share_does_not_differ(model):
    np.testing.assert_allclose(differences(model)[:, 2:], 0.0, atol=1e-6)


def test_a_column_that_decides_tells_all_and_others_nothing(model):
    np.testing.assert_allclose(separation(model), [1.0, 1.0, 0.0, 0.0], atol=1e-6)


def test_of_one_cluster_there_is_nothing_to_tell():
    one = Galileo(n_components=1).fit([["a"], ["b"]] * 10)._model
    assert separation(one).tolist() == [0.0]


def test_what_a_cluster_has_more_of_is_not_said_of_most_where_it_is_not():
    columns = "a" * 10 + "b" * 10, "ppqqqrrrsspptttttuuu", "xxxxyyywwwyyyyywwwww"
    rows = list(zip(*columns, strict=True)) * 20
    model = Galileo(n_components=2, predictive="chosen").fit(rows)._model
    label = int(model.mixture.values_of(0)[0].argmax())  # the cluster of a
    said = [raised(model, a, label) for a in range(3)]
    assert said == [("a", ""), ("not t", ""), ("x", "40 %")]
