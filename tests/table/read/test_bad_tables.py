"""Bad tables, and the message for each."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from scipy import sparse

from galileomix._table import NumberColumn, TypeChoices, cells, check_weights, read
from galileomix.errors import GalileoError, ParameterError, TableError, TableTypeError
from table.helpers import rows_of, schema_of, types_of

DAY = datetime.date(2020, 1, 31)


@pytest.mark.parametrize(
    "table",
    [
        np.arange(3.0),
        [1, 2, 3],
        ["a", "b"],
        pd.Series([1, 2], name="x"),
        pl.Series([1, 2]),
        pa.array([1, 2]),
        pa.chunked_array([[1, 2]]),
    ],
)
def test_one_dimension(table: Any) -> None:
    with pytest.raises(TableError, match="Expected 2D array, got 1D array instead") as caught:
        read(table)
    assert "Reshape your data" in str(caught.value)


def test_other_dimensions() -> None:
    with pytest.raises(TableError, match="got scalar array"):
        read(3.5)
    for table in (np.zeros((2, 2, 2)), [[[1, 2]], [[1, 2]]]):
        with pytest.raises(TableError, match="dim 3"):
            read(table)


@pytest.mark.parametrize("table", [{"x": {1, 2}}, [{1, 2}, {3, 4}], [[1, 2], frozenset([3, 4])]])
def test_sets_have_no_order(table: Any) -> None:
    with pytest.raises(TableError, match="not a list of values"):
        read(table)


def test_a_duration_of_numpy_among_texts_is_a_category() -> None:
    table = read({"x": [np.timedelta64(5, "D"), "a"]})
    assert cells(table.columns[0]).tolist() == ["5 days", "a"]


@pytest.mark.parametrize("table", [np.empty((0, 3)), pd.DataFrame({"a": [], "b": [], "c": []})])
def test_no_rows(table: Any) -> None:
    message = (
        r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\."
    )
    with pytest.raises(TableError, match=message):
        read(table)


@pytest.mark.parametrize("table", [np.empty((12, 0)), pd.DataFrame(index=range(12)), [[]] * 12])
def test_no_columns(table: Any) -> None:
    message = r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required\."
    with pytest.raises(TableError, match=message):
        read(table)


@pytest.mark.parametrize("table", [[], {}, pl.DataFrame(), pd.DataFrame()])
def test_nothing_at_all(table: Any) -> None:
    with pytest.raises(TableError, match="minimum of 1 is required"):
        read(table)


def test_ragged() -> None:
    with pytest.raises(TableError, match="row 2 has 1 values, but row 0 has 2"):
        read([["a", "b"], ["a", "b"], ["a"]])
    with pytest.raises(TableError, match="row 1 is 'ab', not a list"):
        read([["a", "b"], "ab"])
    with pytest.raises(TableError, match="column 'b' has 1 rows, but column 'a' has 2"):
        read({"a": [1, 2], "b": [1]})
    with pytest.raises(TableError, match="column 'a' is 'xy', not a list of values"):
        read({"a": "xy"})


@pytest.mark.parametrize(
    "table",
    [
        np.array([[1 + 1j]]),
        np.array([[1 + 1j]], dtype=object),
        [[1 + 1j]],
        pd.DataFrame({"a": [1 + 1j]}),
        {"a": np.array([1 + 1j])},
    ],
)
def test_complex(table: Any) -> None:
    with pytest.raises(TableError, match="Complex data not supported"):
        read(table)


@pytest.mark.parametrize("sparse_class", [sparse.csr_array, sparse.csc_matrix, sparse.dok_array])
def test_sparse(sparse_class: Any) -> None:
    with pytest.raises(TableTypeError, match=r"sparse.*dense") as caught:
        read(sparse_class(np.eye(3)))
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, ValueError)


def test_not_a_table() -> None:
    with pytest.raises(TableTypeError, match="a 'object' is not a table"):
        read(object())


@pytest.mark.parametrize(
    "column",
    [
        np.array(["2020-01-31"], dtype="M8[D]"),
        np.array([3], dtype="m8[s]"),
        [DAY],
        [DAY, "a"],
        [datetime.datetime(2020, 1, 31)],
        [datetime.time(1)],
        [datetime.timedelta(1)],
        [np.datetime64("2020-01-31")],
        pd.Series(pd.to_datetime(["2020-01-31"])),
        pd.Series(pd.to_datetime(["2020-01-31"])).astype("category"),
        pl.Series([DAY]),
        pa.array([DAY]),
        pa.array([DAY]).dictionary_encode(),
    ],
)
def test_dates_are_no_error(column: Any) -> None:
    assert read({"day": column}).n_rows == len(column)


@pytest.mark.parametrize(
    "column",
    [pl.Series([[1], [2]]), pa.array([{"a": 1}])],
)
def test_nested(column: Any) -> None:
    with pytest.raises(
        TableError, match=r"column 'deep': nested or special values \(.*or leave it out"
    ):
        read({"deep": column})


@pytest.mark.parametrize("cell", [{"foo": "bar"}, [1], {1}, object()])
def test_objects_that_are_no_category(cell: object) -> None:
    table = np.full((3, 2), 1.5, dtype=object)
    table[1, 0] = cell
    with pytest.raises(
        TableTypeError, match=r"column 'x0', row 1: .*argument must be .* string.* number"
    ):
        read(table)


def test_structured_arrays_of_arrays() -> None:
    with pytest.raises(TableError, match="column 'a' holds arrays"):
        read(np.zeros(2, dtype=[("a", float, (2,))]))
    with pytest.raises(TableError, match=r"column 'a': .*, neither categories nor numbers"):
        read(np.zeros(2, dtype=[("a", [("b", float)])]))


@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1e300])
def test_infinite_numbers(bad: float) -> None:
    table = {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, bad]}
    for form in (table, pd.DataFrame(table), pd.DataFrame(table).to_numpy(dtype=object)):
        with pytest.raises(TableError, match=r"column '(b|x1)', row 2: .*inf"):
            read(form)
    with pytest.raises(TableError, match="column 'b', row 1: inf"):
        read({"b": ["a", float("inf")]})


def test_half_precision_infinity() -> None:
    with pytest.raises(TableError, match="column 'x0', row 1: inf"):
        read(np.array([[1.0], [np.inf]], dtype="f2"))


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(TableError, match=r"column 'a', row 1: .*not UTF-8"):
        read({"a": np.array([b"a", b"\xff"])})


@pytest.mark.parametrize("coded", [False, True])
@pytest.mark.parametrize("kept_as", ["memory", "parquet", "feather"])
def test_arrow_text_that_is_not_utf_8(coded: bool, kept_as: str, tmp_path: Path) -> None:
    """Arrow takes bytes for text unseen."""
    offsets, contents = np.array([0, 1, 1, 3], np.int32).tobytes(), b"a\xffa"
    text = pa.Array.from_buffers(pa.string(), 3, [None, *map(pa.py_buffer, (offsets, contents))])
    table: Any = pa.table({"x": [1, 2, 3], "t": text.dictionary_encode() if coded else text})
    if kept_as != "memory":
        path = tmp_path / f"t.{kept_as}"
        (parquet.write_table if kept_as == "parquet" else feather.write_feather)(table, path)
        table = path
    with pytest.raises(TableError, match=r"column 't', row 2: .*not UTF-8 text$"):
        read(table)


def test_names_that_occur_twice() -> None:
    pandas = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])
    for table in (pandas, pa.table([[1], [2]], names=["a", "a"])):
        with pytest.raises(TableError, match="more than once: 'a'"):
            read(table)
    with pytest.raises(TableError, match="more than once: '1'"):
        read(pd.DataFrame([[1, 2]], columns=["1", 1]))


def test_columns_already_read_of_which_none_are_left() -> None:
    columns = read({"a": ["x", "y"]})
    assert read(columns) is columns
    with pytest.raises(TableError, match="no columns are left"):
        read(columns.select([]))


@pytest.mark.parametrize("mask", [[True, False], np.array([True, False]), ["a", True]])
def test_a_mask_of_categorical_columns(mask: Any) -> None:
    with pytest.raises(ParameterError, match="give the names or positions"):
        read({"a": ["x", "y"], "b": [1.5, 2.0]}, TypeChoices(categorical=mask))


def test_choices_of_columns() -> None:
    table = {"a": [1.5, 2.5], "b": [1, 2], "c": ["x", "y"]}
    for choice in (["a", "c"], [0, 2], np.array([0, 2]), ("a", 2)):
        types = types_of(table, choices=TypeChoices(categorical=choice, numeric=["b"]))
        assert list(types.values()) == ["category", "number", "category"]
    for wrong, message in (
        (TypeChoices(categorical=["d"]), r"categorical names 'd'.* it has 'a', 'b', 'c'"),
        (TypeChoices(drop=[3]), "drop names 3"),
        (TypeChoices(numeric="a"), r"numeric='a': give 'all' or a list such as \['a'\]"),  # type: ignore[arg-type]
        (TypeChoices(categorical="a"), r"a list such as \['a'\]"),  # type: ignore[arg-type]
        (TypeChoices(categorical=3), "categorical=3"),  # type: ignore[arg-type]
        (TypeChoices(ordered={"a": "low"}), r"ordered\['a'\]='low': give its values"),
        (TypeChoices(ordered={"a": [1, 1]}), "a value is missing or given twice"),
        (TypeChoices(categorical=["a"], drop=[0]), "categorical and drop both name the column 'a'"),
        (TypeChoices(categorical="all", numeric="all"), "only one of them can be"),
    ):
        with pytest.raises(ParameterError, match=message):
            read(table, wrong)


def test_text_reads_as_numbers_where_declared() -> None:
    table = np.array([["1.5", "a"], ["2", "b"]])
    choices = TypeChoices(numeric=[0])
    assert rows_of(table, choices=choices) == [(1.5, "a"), (2.0, "b")]
    for wrong in (TypeChoices(numeric=[1]), TypeChoices(numeric="all")):
        with pytest.raises(TableError, match=r"column 'x1', row 0: 'a' cannot be read as a number"):
            schema_of(table, choices=wrong)


def test_weights() -> None:
    assert check_weights(None, 2).tolist() == [1.0, 1.0]
    assert check_weights(2, 2).tolist() == [2.0, 2.0]
    assert check_weights(np.float32(0.5), 2).tolist() == [0.5, 0.5]
    assert check_weights(pd.Series([1, 0]), 2).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones((3, 2)), "Sample weights must be 1D array or scalar, got 2D array"),
        (np.ones(2), r"sample_weight.shape == \(2,\), expected \(3,\)!"),
        ([1, np.nan, 1], "sample_weight, row 1: nan"),
        ([1, 1, 10**400], "sample_weight, row 2: inf is not a weight"),
        (10**400, "sample_weight, row 0: inf is not a weight"),
        ([1, 1, np.inf], "sample_weight, row 2: inf"),
        ([-1, 1, 1], "sample_weight, row 0: -1.0"),
        (-1, "row 0: -1.0"),
        ([0, 0, 0], "Sample weights must contain at least one non-zero number"),
        (["a", "b", "c"], "sample_weight must hold numbers"),
        ([1j, 1, 1], "Complex data not supported"),
    ],
)
def test_bad_weights(weights: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        check_weights(weights, 3)


def test_every_error_is_ours() -> None:
    for error in (TableError, TableTypeError, ParameterError):
        assert issubclass(error, GalileoError)


def test_scikit_learn_array_likes() -> None:
    from sklearn.utils.estimator_checks import _NotAnArray

    columns = read(_NotAnArray(np.eye(3)))
    assert columns.names == ("x0", "x1", "x2")
    assert not columns.named
    assert check_weights(_NotAnArray([1] * 3), 3).tolist() == [1.0, 1.0, 1.0]


def test_integers_read_as_numbers_where_declared() -> None:
    for table in (np.array([[3], [4]], dtype="u1"), [[3], [4]], pl.DataFrame({"a": [3, 4]})):
        [number] = read(table, TypeChoices(numeric="all")).columns
        assert isinstance(number, NumberColumn)
        assert number.values.tolist() == [3.0, 4.0]


def test_columns_of_more_than_one_dimension() -> None:
    with pytest.raises(TableError, match="column 'a' must have one dimension"):
        read({"a": np.eye(2)})
    with pytest.raises(TableError, match="structured array must have one dimension"):
        read(np.zeros((2, 2), dtype=[("a", float)]))


def test_numpy_dates_that_are_missing() -> None:
    [column] = read({"a": [np.datetime64("NaT"), "x"]}).columns
    assert cells(column).tolist() == [None, "x"]


@pytest.mark.parametrize("form", [np.array, list])
def test_text_that_unicode_cannot_hold(form: Callable[[Any], Any]) -> None:
    with pytest.raises(TableError, match=r"column 'x0', row 1: '\\ud800' cannot be written: it ho"):
        read(form([["a"], ["\ud800"]]))


def test_a_category_that_unicode_cannot_hold() -> None:
    values = pd.Index(["a", "\ud800"], dtype=object)
    held, unheld = (pd.Categorical.from_codes(codes, values) for codes in ([0, -1, 1], [0, 0]))
    with pytest.raises(TableError, match=r"column 'x', row 2: '\\ud800' cannot be written"):
        read(pd.DataFrame({"x": held}))
    with pytest.raises(TableError, match=r"column 'x': '\\ud800' cannot be written"):
        read(pd.DataFrame({"x": unheld}))


@pytest.mark.parametrize(("name", "wrong"), [("\ud800", "half of a surr"), ("a\0", "a NUL char")])
def test_a_name_that_nothing_can_write(name: str, wrong: str) -> None:
    with pytest.raises(TableError, match=f"the name of a column.*{wrong}"):
        read({name: ["a", "b"]})


def test_a_nul_in_the_name_of_a_polars_column() -> None:
    with pytest.raises(TableError, match=r"the name of a column, 'a\\x00', holds a NUL character"):
        read(pl.DataFrame({"a\0": ["a", "b"]}))


def test_integers_of_128_bits() -> None:
    with pytest.raises(TableError, match="column 'a': integers of 128 bits are not supported"):
        read(pl.DataFrame({"a": pl.Series([2**100, 1], dtype=pl.Int128)}))


def test_an_integer_that_no_float_holds() -> None:
    with pytest.raises(TableError, match="column 'a', row 1: inf is infinite or too large"):
        read({"a": [1, 10**400]}, TypeChoices(numeric=["a"]))


@pytest.mark.parametrize("rest", [Decimal(1), "a", 1.5])
def test_the_nan_that_signals(rest: object) -> None:
    with pytest.raises(TableError, match="column 'a', row 1: sNaN cannot be modelled; use NaN"):
        read({"a": [rest, Decimal("sNaN")]})


def test_a_fraction_that_no_float_holds() -> None:
    with pytest.raises(TableError, match=r"column 'a', row 0: 1000.* cannot be modelled"):
        read({"a": [Fraction(10**400), "a"]})


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, 1e-7, 1e13])
def test_weights_out_of_range(bad: float) -> None:
    with pytest.raises(TableError, match=r"row 1: .* not a weight; .*from 1e-06 to 1e.12"):
        check_weights([1.0, bad, 0.0], 3)


def test_weights_at_the_ends_of_their_range() -> None:
    assert check_weights([1e-6, 1e12, 0.0], 3).tolist() == [1e-6, 1e12, 0.0]


def test_a_row_one_of_whose_cells_is_a_row() -> None:
    with pytest.raises(TableTypeError, match=r"column 'x1', row 0: \(1, 2\) is not a category"):
        read([["a", (1, 2)], ["b", "c"]])
