"""How the benchmark of ROCK compares clusters, without R."""

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")

from benchmarks.rock import beside, by_first, digest, shown


def test_clusters_are_the_same_however_they_are_numbered():
    first, second = np.array([2, 2, 0, 1]), np.array([0, 0, 7, 3])
    assert by_first(first).tolist() == [0, 0, 1, 2]
    assert digest(first) == digest(second)
    assert digest(first) != digest(np.array([0, 1, 1, 2]))


def test_what_the_paper_has_else_is_shown():
    record = {"table": "votes", "attributes": 16, "clusters": 4, "crossed": [[201, 5], [3, 0]]}
    assert beside(record)[2:] == ["201 + 5, 3 + 0", 2, "3 + 0", "22 + 144"]
    assert shown(Counter()) == "none"
