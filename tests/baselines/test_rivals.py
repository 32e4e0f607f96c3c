"""All rivals are called alike."""

import numpy as np
import pandas as pd
import pytest

from galileomix.baselines import Rival, rivals
from galileomix.errors import ParameterError, TableError
from galileomix.metrics import purity

NAMES = list(rivals())


@pytest.fixture(scope="module")
def truth():
    return np.repeat([0, 1], [60, 40])


@pytest.fixture(scope="module")
def table(truth):
    """Two clusters: six attributes differ in nine of ten cells, and a number always."""
    random = np.random.default_rng(0)
    strays = random.random((100, 6)) < 0.1
    cells = np.where(strays, random.choice(["p", "q"], (100, 6)), np.array(["a", "b"])[truth, None])
    frame = pd.DataFrame(cells, columns=list("uvwxyz"))
    return frame.assign(number=truth + random.normal(0, 0.05, 100))


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_consecutive_and_separate_clear_clusters(name, table, truth):
    rival = rivals()[name]
    options = {"theta": 0.2} if name == "rock" else {}
    labels = rival(table, 2 if rival.needs_k else None, **options)
    inside = labels >= 0
    assert inside.mean() > 0.4
    assert np.array_equal(np.unique(labels[inside]), np.arange(labels.max() + 1))
    assert purity(truth[inside], labels[inside]) > 0.9


def test_k_is_required_where_it_is_needed():
    with pytest.raises(ParameterError, match="k=None"):
        rivals()["coolcat"]([["a"], ["b"]])


def test_too_many_rows_are_refused():
    few = Rival(lambda table, k: np.zeros(table.n_rows, dtype=int), needs_k=False, most_rows=2)
    assert few([["a"], ["b"]]).tolist() == [0, 0]
    with pytest.raises(TableError, match="the table has 3 rows; this method takes at most 2"):
        few([["a"], ["b"], ["c"]])


def test_options_reach_the_estimator():
    rows = [["a", "x"], ["a", "y"], ["b", "z"]]
    assert rivals()["dbscan hamming"](rows, eps=0.6, min_samples=2).tolist() == [0, 0, -1]


def test_missing_values_are_accepted(table):
    incomplete = table.mask(np.random.default_rng(1).random(table.shape) < 0.1)
    for name, rival in rivals().items():
        assert rival(incomplete, 2 if rival.needs_k else None).shape == (100,), name
