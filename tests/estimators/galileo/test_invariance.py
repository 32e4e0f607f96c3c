"""What must not matter: the order of rows and columns, and what values are called."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from galileomix import Galileo
from galileomix.datasets import load_votes


@pytest.fixture(scope="module")
def votes():
    return load_votes().data


@pytest.fixture(scope="module")
def labels(votes):
    return Galileo(random_state=0).fit(votes).labels_


def test_the_order_of_rows_does_not_matter(votes, labels):
    order = np.random.default_rng(0).permutation(len(votes))
    shuffled = Galileo(random_state=0).fit(votes.iloc[order]).labels_
    assert adjusted_rand_score(labels[order], shuffled) == 1.0


def test_the_order_of_columns_does_not_matter(votes, labels):
    other = Galileo(random_state=0).fit(votes[votes.columns[::-1]]).labels_
    assert adjusted_rand_score(labels, other) == 1.0


def test_the_names_of_values_do_not_matter(votes, labels):
    named = votes.astype(str).replace({"y": "0", "n": "z", "?": "m"})
    other = Galileo(random_state=0).fit(named).labels_
    assert adjusted_rand_score(labels, other) == 1.0


def test_the_seed_does_not_matter(votes, labels):
    other = Galileo(random_state=1).fit(votes).labels_
    assert adjusted_rand_score(labels, other) == 1.0
