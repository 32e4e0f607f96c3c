"""ROCK finds what R's cba 0.2-23 found (`python -m benchmarks rock`), and what the papers print."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from galileomix.baselines import Rock
from galileomix.datasets import load_mushroom, load_votes

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.errors.GalileoWarning")

MUSHROOM = [
    *([1728, 0], [0, 1728], [0, 1296], [768, 0], [704, 0], [0, 288], [288, 0], [0, 256]),
    *([0, 192], [192, 0], [192, 0], [32, 72], [96, 0], [96, 0], [48, 0], [48, 0], [0, 36]),
    *([0, 32], [16, 0], [0, 8], [0, 8]),
]
"""ROCK's column in the paper: edible and poisonous, by size."""


def digest(labels):
    """Of the clusters, numbered in the order of their first records."""
    written = " ".join(map(str, pd.factorize(labels)[0]))
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def crossed(labels, classes):
    return sorted(pd.crosstab(labels, classes.to_numpy()).to_numpy().tolist())


def test_votes_as_in_r():
    model = Rock(2, theta=0.73, min_neighbors=0, missing_values=["?"]).fit(load_votes().data)
    assert model.n_clusters_ == 63
    assert len(model.goodness_) == 372
    assert model.goodness_[[0, 1, 2]] == pytest.approx([169.739313, 220.408778, 262.095606])
    assert digest(model.labels_) == "cb436adfc59c03a7"


def test_votes_as_in_the_paper():
    votes = load_votes()
    model = Rock(2, theta=0.73, min_cluster_size=5, missing_values=["?"]).fit(votes.data)
    inside = model.labels_ >= 0
    found = crossed(model.labels_[inside], votes.target[inside])
    assert found == [[22, 144], [201, 5]]


def test_mushroom_as_in_r_and_in_the_paper():
    mushroom = load_mushroom()
    model = Rock(21, theta=0.8, missing_values=["?"]).fit(mushroom.data.drop(columns="class"))
    assert len(model.goodness_) == 8124 - 21
    assert np.isfinite(model.goodness_).all()
    assert digest(model.labels_) == "e83a746fecd58bf9"
    assert crossed(model.labels_, mushroom.target) == sorted(MUSHROOM)


def test_mushroom_with_its_class_has_no_mixed_cluster():
    mushroom = load_mushroom()
    model = Rock(21, theta=0.8, missing_values=["?"]).fit(mushroom.data)
    assert digest(model.labels_) == "66f694263aed8666"
    expected = [row for row in MUSHROOM if row != [32, 72]] + [[32, 0], [0, 72]]
    assert crossed(model.labels_, mushroom.target) == sorted(expected)
