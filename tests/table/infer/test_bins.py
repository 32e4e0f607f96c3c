"""Numbers into intervals."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix._table import (
    Binned,
    Categorical,
    Schema,
    TypeChoices,
    binning_of,
    decode,
    encode,
    read,
)
from galileomix._table.infer import digest as digest_module
from galileomix._table.infer.digest import Digest
from galileomix.errors import ParameterError, TableError
from table.helpers import schema_of

numbers = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 2.5, float("nan")]), st.floats(-1e6, 1e6), st.floats(-1, 1)
)
NUMBERS = TypeChoices(numeric="all")
weights = st.sampled_from([0.0, 0.25, 1.0, 2.0, 3.5, 2.0**60])
samples = st.lists(st.tuples(numbers, weights), min_size=1, max_size=50)


def digest(pairs: list[Any]) -> Digest:
    return Digest.of(*np.array(pairs, dtype=float).reshape(-1, 2).T)


@pytest.mark.parametrize("most", [1 << 16, 4])
@given(samples, st.data())
def test_the_digest_of_a_column_is_the_sum_of_its_parts(
    most: int, pairs: list[Any], data: Any
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digest_module, "MOST_KEYS", most)
        order = data.draw(st.permutations(pairs))
        cut = data.draw(st.integers(0, len(pairs)))
        whole = digest(pairs)
        assert digest(order[:cut]) + digest(order[cut:]) == whole
        assert whole + digest([]) == digest([]) + whole == whole
        assert len(whole.keys) <= most
        for n_bins in (2, 5):
            edges = whole.quantiles(n_bins)
            assert list(edges) == sorted(set(edges))
            assert len(edges) < n_bins


@given(st.lists(st.tuples(numbers, st.integers(0, 3)), min_size=1, max_size=40))
def test_a_weight_of_two_is_the_row_twice(pairs: list[Any]) -> None:
    twice = [(x, 1.0) for x, count in pairs for _ in range(count)]
    one, two = digest(pairs), digest(twice)
    assert (one.quantiles(4), one.widths(3)) == (two.quantiles(4), two.widths(3))


@pytest.mark.filterwarnings("ignore::galileomix.ConstantColumnWarning")
@pytest.mark.parametrize("rule", ["quantile", "width"])
@given(values=st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=60))
def test_no_interval_is_empty(values: list[float], rule: Any) -> None:
    columns = read({"x": np.array(values)})
    binning = binning_of((rule, 4))
    attribute = schema_of(columns, binning=binning, choices=NUMBERS).attributes[0]
    assert isinstance(attribute, Binned)
    [block] = encode(columns, Schema((attribute,)), unseen="error")
    assert set(block.codes[:, 0].tolist()) == set(range(len(attribute.values)))


def cut(values: Any, rule: Any, **options: Any) -> Any:
    columns = read({"x": np.array(values, dtype=float)})
    return schema_of(columns, binning=binning_of(rule), choices=NUMBERS, **options).attributes[0]


def test_quantiles_hold_equal_shares() -> None:
    attribute = cut(np.arange(100), ("quantile", 4))
    assert attribute.edges == (25.0, 50.0, 75.0)
    assert attribute.values == ("< 25", "[25, 50)", "[50, 75)", ">= 75")


def test_equal_numbers_are_never_parted() -> None:
    assert cut([0.0] * 90 + [1.0] * 10, "quantile").edges == (1.0,)


def test_widths_are_equal_and_empty_intervals_are_joined() -> None:
    assert cut([0, 1, 2, 3, 10], ("width", 5)).edges == (2.0, 8.0)
    assert cut([0, 4, 6, 9, 10], ("width", 5)).edges == (2.0 + 2.0, 6.0, 8.0)


def test_missing_numbers() -> None:
    assert cut([1, 2, np.nan, 3], ("width", 2)).values == ("< 2", ">= 2", None)
    assert cut([1, 2, np.nan, 3], ("width", 2), missing="ignore").values == ("< 2", ">= 2")


@pytest.mark.filterwarnings("ignore::galileomix.ConstantColumnWarning")
def test_columns_with_one_number_or_none() -> None:
    assert cut([7, 7], "quantile").values == ("any number",)
    assert cut([np.nan, np.nan], "quantile") == Categorical("x", (None,))


def test_there_and_back() -> None:
    schema = Schema((Binned("x", ("< 1", ">= 1", None), edges=(1.0,)),))
    [block] = encode(read({"x": [0.5, 1.0, 2.0, np.nan, 1e9]}), schema)
    assert decode(block.codes, block.numbers, schema) == {
        "x": ["< 1", ">= 1", ">= 1", None, ">= 1"]
    }
    assert Schema.from_dict(schema.to_dict()) == schema
    for cells in ([0, 1, 2], ["0.5", "1", "2"]):
        [block] = encode(read({"x": cells}), schema)
        assert block.codes[:, 0].tolist() == [0, 1, 1]


def test_a_missing_value_that_fit_never_saw() -> None:
    schema = Schema((Binned("x", ("< 1", ">= 1"), edges=(1.0,)),))
    with pytest.warns(UserWarning, match="a missing value"):
        [block] = encode(read({"x": [0.5, np.nan]}), schema)
    assert block.codes[:, 0].tolist() == [0, 2]


def test_many_different_numbers_are_cut_nearly_as_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=20_000)
    exact = Digest.of(values, np.ones(len(values))).quantiles(5)
    monkeypatch.setattr(digest_module, "MOST_KEYS", 2000)
    rough = Digest.of(values, np.ones(len(values)))
    assert rough.level > 0
    np.testing.assert_allclose(rough.quantiles(5), exact, atol=0.01)


@pytest.mark.parametrize(
    "wrong", ["quartile", ("quantile", 1), ("width", 2.5), 5, {"x": []}, {"x": [2, 1]}, {"x": "ab"}]
)
def test_rules_that_make_no_sense(wrong: Any) -> None:
    with pytest.raises(ParameterError, match="discretize"):
        binning_of(wrong)


def test_rules_and_positions_by_column() -> None:
    table = {"u": [1.0, 2.0, 3.0, 4.0], "v": [1.0, 2.0, 3.0, 9.0], "w": [1.0, 2.0, 3.0, 4.0]}
    binning = binning_of({"u": ("quantile", 2), 1: "width"})
    assert binning is not None
    schema = schema_of(table, binning=binning.by_name(("u", "v", "w")), choices=NUMBERS)
    u, v, w = schema.attributes
    assert isinstance(u, Binned)
    assert isinstance(v, Binned)
    assert u.edges == (3.0,)
    assert v.edges[0] == pytest.approx(2.6)
    assert not isinstance(w, Binned)
    with pytest.raises(ParameterError, match="names the column 'u' twice"):
        twice = binning_of({"u": "width", 0: [1.0]})
        assert twice is not None
        twice.by_name(("u", "v"))


@pytest.mark.parametrize(
    "wrong", [{"x": ("width", 1)}, {"x": "quartile"}, {True: "width"}, {1.5: "width"}]
)
def test_rules_by_column_that_make_no_sense(wrong: Any) -> None:
    with pytest.raises(ParameterError, match="discretize"):
        binning_of(wrong)


def test_intervals_may_be_given_by_their_names() -> None:
    schema = Schema((Binned("x", ("< 1", "[1, 5)", ">= 5", None), edges=(1.0, 5.0)),))
    for cells in (["< 1", "[1, 5)", "7", None, ">= 5"], ["< 1", 1.5, 7, None, ">= 5"]):
        [block] = encode(read({"x": cells}), schema)
        assert block.codes[:, 0].tolist() == [0, 1, 2, 3, 2]
    with pytest.raises(TableError, match="column 'x', row 1: 'wide' cannot be read as a number"):
        encode(read({"x": ["< 1", "wide"]}), schema, unseen="error")


@pytest.mark.parametrize("rule", ["quantile", "width"])
def test_an_absurd_number_of_intervals_is_refused_at_once(rule: str) -> None:
    with pytest.raises(ParameterError, match=r"number of intervals \(2 to 1000\)"):
        binning_of((rule, 99_999_999_999))
    with pytest.raises(ParameterError, match="of 2 to 1000 intervals"):
        binning_of({"x": (rule, 1001)})
