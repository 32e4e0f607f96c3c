import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_clusters
from galileomix.datasets import load_mushroom, load_votes, load_zoo
from galileomix.errors import ParameterError, TableError
from galileomix.metrics import category_utility, expected_entropy, mean_density, purity

CELLS = st.sampled_from(["a", "b", "?"])


@st.composite
def clustered(draw):
    n, m = draw(st.integers(1, 12)), draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(CELLS, min_size=m, max_size=m), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return rows, labels, weights


@given(clustered())
def test_measures_are_those_of_naive_loops(case):
    rows, labels, weights = case
    utility = category_utility(rows, labels, sample_weight=weights)
    entropy = expected_entropy(rows, labels, sample_weight=weights)
    assert math.isfinite(utility)
    assert math.isfinite(entropy)
    assert utility == pytest.approx(naive.category_utility(rows, labels, weights), abs=1e-12)
    assert entropy == pytest.approx(naive.expected_entropy(rows, labels, weights), abs=1e-12)


@given(clustered())
def test_measures_are_those_of_naive_loops_where_missing_values_are_ignored(case):
    rows, labels, weights = case
    rows = [[None if cell == "?" else cell for cell in row] for row in rows]
    for measure, oracle in (
        (category_utility, naive.category_utility),
        (expected_entropy, naive.expected_entropy),
    ):
        summed = 0.0
        for m in range(len(rows[0])):
            some, theirs, part = naive_clusters.known_only(rows, labels, weights, m)
            # The oracle divides by the clusters it sees; ours by all there are, once at the end.
            clusters = len(set(theirs)) if measure is category_utility else 1
            summed += oracle(some, theirs, part) * clusters if some else 0.0
        whole = {"per_cluster": False} if measure is category_utility else {}
        found = measure(rows, labels, missing="ignore", sample_weight=weights, **whole)
        assert math.isfinite(found)
        assert found == pytest.approx(summed, abs=1e-12)


@given(clustered())
def test_density_is_that_of_naive_loops(case):
    rows, labels, weights = case
    found = mean_density(rows, labels, sample_weight=weights)
    exact = 0.0
    for label in set(labels):
        some = [(row, w) for row, own, w in zip(rows, labels, weights, strict=True) if own == label]
        inside = [row for row, _ in some]
        part = [w for _, w in some]
        rho = naive.density(sum(part), naive.global_distribution(inside, part))
        exact += sum(part) / sum(weights) * rho
    assert math.isfinite(found)
    assert found == pytest.approx(exact, rel=1e-9)


def test_the_paper_s_worked_density():
    rows = [
        [value] for value, count in zip("abcd", (3, 3, 1, 1), strict=True) for _ in range(count)
    ]
    assert mean_density(rows, [0] * 8) == pytest.approx(2.28, abs=0.005)


@given(clustered())
def test_purity_is_that_of_naive_loops(case):
    rows, labels, weights = case
    classes = [row[0] for row in rows]
    found = purity(classes, labels, sample_weight=weights)
    assert math.isfinite(found)
    assert found == pytest.approx(naive_clusters.purity(classes, labels, weights), abs=1e-12)


def test_purity_of_the_classes_themselves_is_one():
    votes = load_votes()
    assert purity(votes.target, votes.target) == 1.0
    assert purity(votes.target, np.zeros(435)) == pytest.approx(267 / 435)


@pytest.mark.parametrize(
    ("classes", "words"),
    [([["a"], ["b"]], "one per record"), (["a", None], "classes has no value in row 1")],
)
def test_purity_names_bad_classes(classes, words):
    with pytest.raises(TableError, match=words):
        purity(classes, [0, 1])


@given(clustered())
def test_weight_is_repetition(case):
    rows, labels, weights = case
    again = [a for a, weight in enumerate(weights) for _ in range(weight)]
    for measure in (category_utility, expected_entropy):
        repeated = measure([rows[a] for a in again], [labels[a] for a in again])
        assert measure(rows, labels, sample_weight=weights) == pytest.approx(repeated, abs=1e-12)


@pytest.mark.parametrize("load", [load_mushroom, load_votes, load_zoo])
def test_measures_of_the_paper_s_tables_are_those_of_naive_loops(load):
    table = load()
    rows, labels = table.data.to_numpy(dtype=object).tolist(), table.target.tolist()
    assert category_utility(table.data, table.target) == pytest.approx(
        naive.category_utility(rows, labels)
    )
    assert expected_entropy(table.data, table.target) == pytest.approx(
        naive.expected_entropy(rows, labels)
    )


def test_every_frame_gives_the_same():
    votes = load_votes()
    expected = category_utility(votes.data, votes.target)
    for table in (votes.data.to_numpy(dtype=object), pl.from_pandas(votes.data)):
        assert category_utility(table, votes.target) == expected


def test_per_cluster_divides_by_the_number_of_clusters():
    votes = load_votes()
    whole = category_utility(votes.data, votes.target, per_cluster=False)
    assert category_utility(votes.data, votes.target) == whole / 2


def test_missing_is_a_value_of_its_own():
    marked = [["x", "?"], ["?", "y"], ["x", "y"]]
    missing = [["x", None], [float("nan"), "y"], ["x", "y"]]
    for measure in (category_utility, expected_entropy):
        assert measure(missing, [0, 1, 1]) == measure(marked, [0, 1, 1])


def test_ignoring_missing_values_measures_an_attribute_where_it_is_known():
    rows, labels = [["x", "p"], ["x", None], ["y", "p"], ["y", "q"]], [0, 0, 1, 1]
    known = [0, 2, 3]
    second = [[rows[a][1]] for a in known]
    for measure in (category_utility, expected_entropy):
        parts = measure([row[:1] for row in rows], labels)
        parts += measure(second, [labels[a] for a in known])
        assert measure(rows, labels, missing="ignore") == pytest.approx(parts)


def test_a_column_without_values_adds_nothing():
    rows = pd.DataFrame({"a": ["x", "y"], "b": [None, None]})
    assert category_utility(rows, [0, 1], missing="ignore") == category_utility(rows[["a"]], [0, 1])


def test_a_record_of_no_weight_does_not_count():
    rows, labels = [["x"], ["x"], ["y"], ["z"]], [0, 0, 1, 2]
    weighted = category_utility(rows, labels, sample_weight=[1, 1, 1, 0])
    assert weighted == category_utility(rows[:3], labels[:3])


@pytest.mark.parametrize(
    ("labels", "options", "error", "words"),
    [
        ([0], {}, TableError, "one per record"),
        ([0, None], {}, TableError, "row 1"),
        ([0, 1], {"sample_weight": [1]}, TableError, r"shape == \(1,\), expected \(2,\)"),
        ([0, 1], {"sample_weight": [1, -1]}, TableError, "row 1"),
        ([0, 1], {"sample_weight": [1, np.nan]}, TableError, "row 1"),
        ([0, 1], {"sample_weight": [0, 0]}, TableError, "at least one non-zero"),
        ([0, 1], {"missing": "drop"}, ParameterError, "'drop'"),
    ],
)
def test_bad_input_is_named(labels, options, error, words):
    with pytest.raises(error, match=words):
        category_utility([["x"], ["y"]], labels, **options)


def test_no_records():
    with pytest.raises(TableError, match="no records"):
        expected_entropy([], [])
