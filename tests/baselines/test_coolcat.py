"""COOLCAT clusters as in plain loops; records placed again lower the entropy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_clusters
from galileomix.baselines import Coolcat
from galileomix.baselines._base import largest_first
from galileomix.datasets import load_soybean, load_votes, load_zoo
from galileomix.metrics import expected_entropy

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.errors.GalileoWarning")
CELLS = st.sampled_from(["a", "b", "c", None])


@st.composite
def tables(draw):
    n, m = draw(st.integers(4, 12)), draw(st.integers(1, 4))
    return draw(st.lists(st.lists(CELLS, min_size=m, max_size=m), min_size=n, max_size=n))


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 4))
def test_it_clusters_like_naive_loops(rows, k):
    model = Coolcat(k, replaced=0, n_passes=0, missing="ignore").fit(rows)
    labels = np.empty(len(rows), dtype=np.int64)
    for number, members in enumerate(naive_clusters.coolcat(rows, k)):
        labels[members] = number
    assert model.labels_.tolist() == largest_first(labels).tolist()


@pytest.mark.parametrize("missing", ["category", "ignore"])
def test_expected_entropy_is_that_of_the_metrics(missing):
    votes = load_votes().data.replace("?", None)
    model = Coolcat(3, missing=missing).fit(votes)
    assert np.isfinite(model.expected_entropy_)
    assert model.expected_entropy_ == pytest.approx(
        expected_entropy(votes, model.labels_, missing=missing)
    )


@pytest.mark.parametrize(("load", "k"), [(load_votes, 2), (load_soybean, 7), (load_zoo, 9)])
def test_placing_again_lowers_the_entropy_of_most_orders(load, k):
    data = load().data
    gains = []
    for order in range(5):
        table = data.sample(frac=1, random_state=order)
        once = Coolcat(k, replaced=0, n_passes=0).fit(table).expected_entropy_
        gains.append(once - Coolcat(k).fit(table).expected_entropy_)
    assert np.median(gains) > 0


def test_no_cluster_is_emptied_when_all_are_placed_again():
    model = Coolcat(5, replaced=1.0).fit(load_zoo().data)
    assert model.n_clusters_ == 5


def test_more_orders_never_end_with_more_entropy():
    data = load_zoo().data
    found = [Coolcat(9, n_init=n, random_state=0).fit(data).expected_entropy_ for n in (1, 3, 10)]
    assert found == sorted(found, reverse=True)


def test_a_sample_is_drawn_by_the_seed():
    data = load_soybean().data
    found = [Coolcat(7, sample_size=50, random_state=seed).fit(data).labels_ for seed in (0, 0, 1)]
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])
