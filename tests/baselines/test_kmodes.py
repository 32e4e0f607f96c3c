"""k-modes: its cost is what plain loops count, and no record is nearer to another mode."""

import numpy as np
import pytest

import naive_clusters
from galileomix.baselines import KModes
from galileomix.datasets import load_soybean, load_zoo


@pytest.mark.parametrize("init", ["huang", "cao"])
@pytest.mark.parametrize("missing", ["category", "ignore"])
def test_naive_counts_the_same_mismatches(init, missing):
    data = load_soybean().data.replace("?", None)
    model = KModes(7, init=init, missing=missing, n_init=3, random_state=0).fit(data)
    clusters = [np.flatnonzero(model.labels_ == c).tolist() for c in range(model.n_clusters_)]
    filled = data if missing == "ignore" else data.astype(object).fillna("none")
    rows = filled.astype(object).where(filled.notna(), None).to_numpy().tolist()
    assert model.cost_ == naive_clusters.mismatches(rows, clusters)


def test_more_starts_are_never_worse():
    data = load_soybean().data
    costs = [KModes(7, n_init=n, random_state=0).fit(data).cost_ for n in (1, 5, 20)]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("load", [load_zoo, load_soybean])
def test_from_cao_s_start_the_package_of_that_name_ends_no_better(load):
    package = pytest.importorskip("kmodes.kmodes")
    data = load().data
    theirs = package.KModes(7, init="Cao").fit(data.astype(str)).cost_
    assert KModes(7, init="cao").fit(data).cost_ <= theirs


def test_every_cluster_has_a_record_even_where_all_are_equal():
    model = KModes(3, init="cao").fit([["a", "x"]] * 5 + [["b", "y"]])
    assert model.n_clusters_ == 3
    assert model.cost_ == 0
