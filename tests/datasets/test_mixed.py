import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from galileomix.datasets import make_mixed
from galileomix.errors import ParameterError

MIXTURE = ("weights", "probabilities", "means", "covariances")


def log_joint(table, row):
    """The log joint probability of a record and each component, cell by cell."""
    joint = np.log(table.weights)
    record = table.data.iloc[row]
    n_categorical = table.probabilities.shape[1]
    for m, value in enumerate(record.iloc[:n_categorical]):
        if value is not None:
            with np.errstate(divide="ignore"):
                joint = joint + np.log(table.probabilities[:, m, int(value[1:])])
    numbers = record.iloc[n_categorical:].to_numpy(dtype=float)
    known = np.flatnonzero(~np.isnan(numbers))
    for i in range(len(joint)):
        if len(known):
            Sigma = table.covariances[i][np.ix_(known, known)]
            joint[i] += multivariate_normal(table.means[i][known], Sigma).logpdf(numbers[known])
    return joint


@settings(max_examples=20, deadline=None)
@given(
    st.integers(1, 4),
    st.integers(0, 3),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.2, 0.9]),
    st.integers(0, 2**32),
)
def test_bayes_is_the_most_probable_component(k, n_categorical, n_numeric, missing, seed):
    shape = {"n_components": k, "n_categorical": n_categorical, "n_numeric": n_numeric}
    table = make_mixed(20, **shape, missing=missing, random_state=seed)
    for row, label in enumerate(table.bayes):
        joint = log_joint(table, row)
        assert np.isfinite(joint.max())
        assert joint[label] == pytest.approx(joint.max(), abs=1e-9)


def test_bayes_without_a_single_value_is_the_largest_component():
    table = make_mixed(10, missing=1.0, random_state=0)
    assert table.data.isna().all(axis=None)
    assert set(table.bayes) == {int(table.weights.argmax())}


def test_records_follow_the_mixture():
    table = make_mixed(40_000, n_components=3, missing=0.0, random_state=1)
    share = table.target.value_counts(normalize=True).sort_index()
    assert share.to_numpy() == pytest.approx(table.weights, abs=0.02)
    for i in range(3):
        records = table.data[table.target == i]
        numbers = records[["x0", "x1", "x2"]].to_numpy()
        assert numbers.mean(axis=0) == pytest.approx(table.means[i], abs=0.1)
        assert np.cov(numbers.T) == pytest.approx(table.covariances[i], abs=0.2)
        for m in range(5):
            found = records[f"c{m}"].value_counts(normalize=True)
            expected = dict(zip(["v0", "v1", "v2", "v3"], table.probabilities[i, m], strict=True))
            assert [found.get(v, 0.0) for v in expected] == pytest.approx(
                list(expected.values()), abs=0.02
            )


def test_mixture_is_one_and_numbers_within_a_component_are_correlated():
    table = make_mixed(0, random_state=0)
    assert table.weights.sum() == pytest.approx(1.0)
    assert table.weights.max() <= 3 * table.weights.min()
    assert table.probabilities.shape == (4, 5, 4)
    assert table.probabilities.sum(axis=2) == pytest.approx(1.0)
    assert table.covariances == pytest.approx(table.covariances.transpose(0, 2, 1))
    spread = np.sqrt(np.linalg.eigvalsh(table.covariances))
    assert spread.min() >= 0.5
    assert spread.max() <= 2.0
    assert np.abs(table.covariances[:, 0, 1]).min() > 1e-3


def test_so_many_values_are_missing_as_none_or_nan():
    table = make_mixed(5000, missing=0.2, random_state=0)
    assert table.data.isna().to_numpy().mean() == pytest.approx(0.2, abs=0.01)
    assert {type(cell) for cell in table.data["c0"]} == {str, type(None)}
    assert table.data["x0"].dtype == np.float64


def test_missing_values_change_nothing_in_the_others():
    whole = make_mixed(200, missing=0.0, random_state=5)
    some = make_mixed(200, missing=0.5, random_state=5)
    assert not whole.data.isna().any(axis=None)
    assert some.target.equals(whole.target)
    pd.testing.assert_frame_equal(some.data, whole.data.where(some.data.notna(), None))


def test_same_seed_same_table_and_the_mixture_does_not_depend_on_size():
    small, large = make_mixed(10, random_state=3), make_mixed(1000, random_state=3)
    assert make_mixed(10, random_state=3).frame.equals(small.frame)
    for name in MIXTURE:
        assert np.array_equal(small[name], large[name])
        assert not np.array_equal(make_mixed(10, random_state=4)[name], small[name])


def test_frame_is_data_and_target():
    table = make_mixed(5, n_categorical=1, n_numeric=1, random_state=0)
    assert table.frame.columns.tolist() == ["c0", "x0", "component"]
    assert table.feature_names == table.data.columns.tolist() == ["c0", "x0"]
    assert table.frame["component"].equals(table.target)
    assert table.target_names == [f"component {i}" for i in range(4)]
    assert "5 records: 1 categories" in table.DESCR


def test_more_separation_makes_components_easier_to_recognise():
    right = [
        np.mean(table.bayes == table.target)
        for table in (make_mixed(2000, separation=s, random_state=0) for s in (0.5, 2.0, 8.0))
    ]
    assert right == sorted(right)
    assert right[0] < 0.8 < 0.97 < right[-1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_rows": -1}, "n_rows=-1: it must be an integer, at least 0"),
        ({"n_components": 0}, "n_components"),
        ({"n_categorical": -1}, "n_categorical"),
        ({"n_numeric": -1}, "n_numeric"),
        (
            {"n_categorical": 0, "n_numeric": 0},
            r"n_categorical \+ n_numeric=0: it must be an integer, at least 1",
        ),
        ({"n_values": 0}, "n_values"),
        ({"separation": 0.0}, "separation must be positive and finite, not 0.0"),
        ({"separation": float("nan")}, "separation"),
        ({"missing": 1.1}, r"missing=1\.1: it must be a number, at least 0 and at most 1"),
    ],
)
def test_bad_parameters_are_named(options, words):
    with pytest.raises(ParameterError, match=words):
        make_mixed(**options)
