"""ROCK merges as in plain loops, merge by merge."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_clusters
from galileomix.baselines import Rock
from galileomix.baselines._base import coded, largest_first
from galileomix.baselines._rock_links import link_counts, neighbor_graph

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.errors.GalileoWarning")
CELLS = st.sampled_from(["a", "b", "c", None])


@st.composite
def tables(draw):
    n, m = draw(st.integers(3, 14)), draw(st.integers(1, 4))
    return draw(st.lists(st.lists(CELLS, min_size=m, max_size=m), min_size=n, max_size=n))


def check(rows, k, theta, name):
    model = Rock(k, theta=theta, similarity=name, min_neighbors=0).fit(rows)
    clusters, merges = naive_clusters.rock(rows, k, theta, getattr(naive_clusters, name))
    labels = np.empty(len(rows), dtype=np.int64)
    for number, members in enumerate(clusters):
        labels[members] = number
    assert model.labels_.tolist() == largest_first(labels).tolist()
    assert np.isfinite(model.goodness_).all()
    assert model.merges_.tolist() == [[first, second] for first, second, _ in merges]
    assert model.goodness_ == pytest.approx([goodness for _, _, goodness in merges])


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 3), st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 0.73, 0.9]))
def test_it_merges_like_naive_loops(rows, k, theta):
    for name in ("jaccard", "matching"):
        check(rows, k, theta, name)


@pytest.mark.parametrize("seed", range(5))
def test_it_merges_like_naive_loops_where_clusters_grow_large(seed):
    """Most pairs are linked, so that merges make many partners worse than they were."""
    rows = np.random.default_rng(seed).integers(0, 3, (40, 5)).astype(str).tolist()
    check(rows, 1, 0.25, "jaccard")


def test_of_equally_good_partners_the_first_is_taken():
    """A merge makes a cluster as good a partner as a later one that was the best until then."""
    rows = "220 111 121 221 220 010 010 211 112 221 100"
    check([list(row) for row in rows.split()], 1, 0.5, "jaccard")


def test_links_are_those_of_the_rock_paper_s_example():
    """Baskets of three of the items 1 to 5, and of 1, 2, 6, 7, are neighbours from 0.5 on."""
    baskets = [*combinations([1, 2, 3, 4, 5], 3), *combinations([1, 2, 6, 7], 3)]
    rows = [["in" if item in basket else None for item in range(1, 8)] for basket in baskets]
    table = coded(rows, missing="ignore")
    links = link_counts(neighbor_graph(table.codes, table.known, 0.5, True))
    places = {basket: place for place, basket in enumerate(baskets)}
    assert links[places[1, 2, 6], places[1, 2, 7]] == 5
    assert links[places[1, 2, 6], places[1, 2, 3]] == 3
