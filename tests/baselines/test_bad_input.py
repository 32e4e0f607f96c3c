"""A bad parameter or table is refused, with a message that names it."""

import pytest

from galileomix.baselines import CentroidLinkage, Coolcat, KModes, Rock
from galileomix.errors import ParameterError, TableError

TABLE = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Rock(0), r"n_clusters=0: .* at least 1"),
        (Rock(2, theta=1.0), r"theta=1\.0: .* below 1"),
        (Rock(2, theta="0.5"), r"theta='0\.5'"),
        (Rock(2, similarity="cosine"), r"similarity='cosine': .* jaccard, matching"),
        (Rock(2, min_neighbors=-1), "min_neighbors=-1"),
        (Rock(2, min_cluster_size=0), "min_cluster_size=0"),
        (Rock(2, weed_at=0.5), r"weed_at=0\.5: .* at least 1"),
        (Rock(2, sample_size=0), "sample_size=0"),
        (Rock(2, missing="drop"), "missing='drop'"),
        (Coolcat(3, sample_size=2), "sample_size=2: .* at least 3"),
        (Coolcat(2, batch_size=0), "batch_size=0"),
        (Coolcat(2, replaced=1.5), r"replaced=1\.5: .* at most 1"),
        (Coolcat(2, n_passes=-1), "n_passes=-1"),
        (Coolcat(2, n_init=0), "n_init=0"),
        (KModes(2, init="random"), "init='random': .* huang, cao"),
        (KModes(2, n_init=0), "n_init=0"),
        (KModes(2, max_iter=0), "max_iter=0"),
        (CentroidLinkage(2, weed_at=2), "weed_at=2"),
        (CentroidLinkage(2, discretize="log"), "discretize"),
    ],
)
def test_a_bad_parameter_is_named(model, words):
    with pytest.raises(ParameterError, match=words):
        model.fit(TABLE)


def test_more_clusters_than_records():
    with pytest.raises(TableError, match="n_clusters=5, but the table has n_samples=4"):
        KModes(5).fit(TABLE)


def test_numbers_that_are_not_cut_are_refused():
    with pytest.raises(ParameterError, match=r"discretize=None leaves 1 column\(s\) of numbers"):
        Rock(2, discretize=None).fit([["a", 1.5], ["b", 2.5]])
