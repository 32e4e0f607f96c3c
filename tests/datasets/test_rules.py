import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from galileomix.datasets import make_rules
from galileomix.errors import ParameterError


def inside(table):
    """For each record and rule: whether the rule allows every value of the record."""
    records = table.data.to_numpy()[:, np.newaxis, :, np.newaxis]
    return (records == table.rules[np.newaxis]).any(axis=3).all(axis=2)


def disjoint(first, second):
    return sum(not set(a) & set(b) for a, b in zip(first.tolist(), second.tolist(), strict=True))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5), st.integers(1, 3), st.integers(0, 2**32))
def test_rules_are_distinct(n_rules, min_disjoint, seed):
    table = make_rules(50, n_rules=n_rules, min_disjoint=min_disjoint, random_state=seed)
    for r in range(n_rules):
        for other in range(r):
            assert disjoint(table.rules[r], table.rules[other]) >= min_disjoint
    is_own = table.target.to_numpy()[:, np.newaxis] == np.arange(n_rules)
    assert np.array_equal(inside(table), is_own)


def test_a_rule_allows_so_many_different_values():
    rules = make_rules(0, n_values=7, values_per_rule=3, random_state=0).rules
    assert rules.shape == (5, 10, 3)
    assert (np.diff(rules, axis=2) > 0).all()
    assert rules.min() >= 0
    assert rules.max() < 7


def test_every_allowed_value_occurs_about_equally_often():
    table = make_rules(20_000, n_rules=2, n_attributes=2, n_values=8, random_state=0)
    for r in range(2):
        records = table.data[table.target == r]
        for m, column in enumerate(records):
            share = records[column].astype(int).value_counts(normalize=True)
            assert sorted(share.index) == table.rules[r, m].tolist()
            assert share.to_numpy() == pytest.approx(0.25, abs=0.03)


def test_same_seed_same_table_and_rules_do_not_depend_on_size():
    small, large = make_rules(10, random_state=3), make_rules(1000, random_state=3)
    assert make_rules(10, random_state=3).frame.equals(small.frame)
    assert np.array_equal(small.rules, large.rules)
    assert not np.array_equal(make_rules(10, random_state=4).rules, small.rules)


def test_weights_set_how_often_a_rule_is_used():
    table = make_rules(10_000, n_rules=3, weights=[3, 1, 0], random_state=0)
    share = table.target.value_counts(normalize=True)
    assert share[0] == pytest.approx(0.75, abs=0.02)
    assert 2 not in share


def test_noise_replaces_so_many_values():
    table = make_rules(5000, noise=0.5, random_state=0)
    records = table.data.to_numpy()[:, :, np.newaxis]
    broken = ~(records == table.rules[table.target.to_numpy()]).any(axis=2)
    # A replaced value is still an allowed one in 4 of 20 cases.
    assert broken.mean() == pytest.approx(0.5 * 0.8, abs=0.02)


def test_frame_is_data_and_target_in_small_integers():
    table = make_rules(5, n_attributes=3, random_state=0)
    assert table.frame.columns.tolist() == ["a0", "a1", "a2", "rule"]
    assert table.feature_names == table.data.columns.tolist() == ["a0", "a1", "a2"]
    assert {dtype.name for dtype in table.data.dtypes} == {"category"}
    assert table.target.dtype == np.uint8
    assert table.frame["rule"].equals(table.target)
    wide = make_rules(5, n_values=1000, random_state=0)
    assert wide.target.dtype == np.uint16


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_rows": -1}, "n_rows"),
        ({"n_rules": 0}, "n_rules"),
        ({"n_attributes": 0}, "n_attributes"),
        (
            {"values_per_rule": 21},
            "values_per_rule=21: it must be a number, at least 1 and at most 20",
        ),
        ({"values_per_rule": 2.5}, r"values_per_rule=2\.5: it must be an integer"),
        ({"n_attributes": 1}, "min_disjoint"),
        ({"noise": 1.5}, "noise"),
        ({"weights": [1, 2]}, "one number per rule"),
        ({"weights": [1, 1, 1, 1, -1]}, "not negative"),
        ({"n_values": 4}, "share no value"),
    ],
)
def test_bad_parameters_are_named(options, words):
    with pytest.raises(ParameterError, match=words):
        make_rules(**options)
