"""Tables of every type give the same clusters."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from galileomix import ParameterError
from galileomix.baselines import CentroidLinkage, Coolcat, KModes, Rock, rivals
from galileomix.datasets import load_votes, load_zoo

MODELS = [
    Rock(2, theta=0.73, min_cluster_size=5),
    Coolcat(2),
    KModes(2, random_state=0),
    CentroidLinkage(2),
]


@pytest.fixture(params=MODELS, ids=lambda model: type(model).__name__)
def model(request):
    return clone(request.param)


def test_every_frame_gives_the_same(model, tmp_path):
    votes = load_votes().data.astype(str).replace("?", "absent")
    expected = model.fit(votes).labels_
    votes.to_csv(tmp_path / "votes.csv", index=False)
    arrow = pa.Table.from_pandas(votes)
    others = (pl.from_pandas(votes), arrow, iter(arrow.to_batches(100)), tmp_path / "votes.csv")
    for table in (*others, votes.to_numpy(dtype=object), votes.to_numpy().tolist()):
        assert np.array_equal(model.fit(table).labels_, expected)


def test_labels_are_consecutive_and_the_largest_first(model):
    labels = model.fit(load_votes().data).labels_
    sizes = np.bincount(labels[labels >= 0])
    assert labels.min() >= -1
    assert sizes.all()
    assert (np.diff(sizes) <= 0).all()


def test_a_text_may_mean_missing(model):
    votes = load_votes().data
    for missing in ("category", "ignore"):
        model.set_params(missing=missing, missing_values=["?"])
        marked = model.fit(votes).labels_
        model.set_params(missing_values=())
        assert np.array_equal(model.fit(votes.replace("?", None)).labels_, marked)


@pytest.mark.filterwarnings("ignore::galileomix.errors.GalileoWarning")
def test_a_column_without_values_changes_nothing(model):
    votes = load_votes().data
    model.set_params(missing="ignore", missing_values=["?"])
    expected = model.fit(votes).labels_
    assert np.array_equal(model.fit(votes.assign(empty=None)).labels_, expected)


@pytest.mark.filterwarnings("ignore::galileomix.errors.GalileoWarning")
def test_numbers_are_cut_into_intervals(model):
    zoo = load_zoo().data.astype({"legs": float})
    assert model.fit(zoo.assign(legs=zoo["legs"] + 0.5)).labels_.shape == (101,)


def test_a_table_of_numbers_alone():
    x = np.random.default_rng(0).random((12, 2))
    for name in ("dbscan gower", "agglomerative gower"):
        assert len(rivals()[name](x, 2)) == 12
    for clusterer in (Rock, CentroidLinkage):
        with pytest.raises(ParameterError, match=r"leaves 2 column\(s\) of numbers"):
            clusterer(2, discretize=None).fit(x)
