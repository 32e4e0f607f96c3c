"""What must not matter: the order of rows and columns, and what values are called."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from galileomix import Galileo
from galileomix.datasets import load_votes, make_mixed


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


@pytest.mark.parametrize("missing", ["category", "ignore"])
def test_the_order_of_columns_does_not_matter_on_disk_with_missing_values(missing):
    table = make_mixed(300, n_components=3, missing=0.2, random_state=0).data
    one = Galileo(random_state=0, missing=missing).fit(table)
    assert one.search_.chance_of_better < 0.05
    turned = table[table.columns[::-1]]
    other = Galileo(random_state=0, missing=missing, memory_limit="1KB").fit(turned)
    assert other.bic(turned) == pytest.approx(one.bic(table), rel=1e-9)
    assert adjusted_rand_score(one.labels_, other.labels_) == 1.0


def test_the_names_of_values_do_not_matter(votes, labels):
    named = votes.astype(str).replace({"y": "0", "n": "z", "?": "m"})
    other = Galileo(random_state=0).fit(named).labels_
    assert adjusted_rand_score(labels, other) == 1.0


def test_the_seed_does_not_matter(votes, labels):
    other = Galileo(random_state=1).fit(votes).labels_
    assert adjusted_rand_score(labels, other) == 1.0
