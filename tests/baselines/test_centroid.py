"""Centroid linkage merges as scipy does, and drops single records once."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

from galileomix.baselines import CentroidLinkage
from galileomix.baselines._base import largest_first, members
from galileomix.baselines._centroid_loops import link


def cut(merges, n, k):
    """Return the clusters after the first n - k merges of scipy."""
    clusters = {a: [a] for a in range(n)}
    for step, (first, second) in enumerate(merges[: n - k, :2].astype(int)):
        clusters[n + step] = clusters.pop(first) + clusters.pop(second)
    labels = np.empty(n, dtype=np.int64)
    for number, records in enumerate(clusters.values()):
        labels[records] = number
    return labels


@pytest.mark.parametrize("k", [1, 2, 5, 20])
def test_scipy_merges_the_same_clusters_where_no_distances_are_equal(k):
    points = np.random.default_rng(0).random((40, 8))
    sizes, root = np.ones(40, dtype=np.int64), np.arange(40)
    link(points.copy(), sizes, root, k)
    expected = cut(linkage(points, "centroid"), 40, k)
    assert np.array_equal(largest_first(members(root, sizes)), largest_first(expected))


TABLE = [["a", "x"]] * 4 + [["b", "y"]] * 3 + [["c", "z"], ["d", "w"]]


def test_single_records_are_dropped():
    assert (
        CentroidLinkage(2, weed_at=0.5).fit(TABLE).labels_.tolist() == [0] * 4 + [1] * 3 + [-1] * 2
    )


def test_none_is_dropped_unless_asked():
    model = CentroidLinkage(4, weed_at=0).fit(TABLE)
    assert model.labels_.tolist() == [0] * 4 + [1] * 3 + [2, 3]


def test_single_records_stay_where_too_few_clusters_would_be_left():
    assert CentroidLinkage(3, weed_at=0.5).fit(TABLE).n_clusters_ == 3
