"""Every type of frame gives the same schema and the same codes."""

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from galileomix._table import (
    AttributeRules,
    MissingValues,
    NumberColumn,
    Ordered,
    Schema,
    TypeChoices,
    encode,
    read,
)
from galileomix._table.column import TextColumn
from galileomix._table.text.text_format import TextFormat
from table.helpers import rows_of, schema_of, summary_of

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.GalileoWarning")

CODES = [[2, 1], [1, 0], [3, 0], [2, 1], [0, 1], [1, 2]]


CATEGORIES = TypeChoices(categorical="all")
NAMED = MissingValues.of(["?", "n/a"])


def values(table: Any, choices: TypeChoices = CATEGORIES) -> list[Any]:
    schema = schema_of(table, choices=choices, criterion=None)
    return [getattr(attribute, "values", "numeric") for attribute in schema.attributes]


def typed(table: Any) -> str:
    """As text, where 1, 1.0 and True differ."""
    return repr(values(table))


def test_every_frame_gives_the_same_schema_and_codes(frame: Any) -> None:
    table, named = frame
    columns = read(table)
    schema = schema_of(columns)
    [block] = encode(columns, schema)
    assert columns.named is named
    assert schema.names == (("odor", "cap") if named else ("x0", "x1"))
    assert [attribute.values for attribute in schema.categorical] == [
        ("almond", "foul", "none", None),
        ("bell", "flat", None),
    ]
    assert block.codes.tolist() == CODES
    assert block.codes.dtype == np.uint8
    assert block.codes.flags.c_contiguous


@pytest.mark.parametrize("dtype", ["U", "S", np.dtypes.StringDType()])
def test_numpy_text(dtype: Any) -> None:
    table = np.array([["b", "long"], ["a", ""], ["b", "long"]]).astype(dtype)
    assert values(table) == [("a", "b"), ("long", None)]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", ">i4", "int32", "uint32", "int64", "uint64"]
)
def test_numpy_integers(dtype: str) -> None:
    table = np.array([[100, 3], [7, 3], [100, 4]], dtype=dtype)
    columns = read(table)
    [block] = encode(columns, schema_of(columns))
    assert typed(table) == "[(7, 100), (3, 4)]"
    assert block.codes.tolist() == [[1, 0], [0, 0], [1, 1]]


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint64"])
def test_the_ends_of_integers(dtype: str) -> None:
    ends = np.iinfo(dtype)
    assert values(np.array([[ends.max], [ends.min]], dtype=dtype)) == [(ends.min, ends.max)]


def test_uint64_beyond_int64_in_a_narrow_range() -> None:
    top = 2**64 - 1
    assert values(np.array([[top], [top - 2], [top]], dtype="uint64")) == [(top - 2, top)]


@pytest.mark.parametrize(
    "column",
    [
        np.array([True, False]),
        [True, False],
        pd.Series([True, False], dtype="boolean"),
        pl.Series([True, False]),
        pa.array([True, False]),
        np.array([True, False], dtype=object),
    ],
)
def test_booleans(column: Any) -> None:
    assert typed({"x": column}) == "[(False, True)]"


def test_arrays_and_rows_of_booleans() -> None:
    for table in (np.eye(2, dtype=bool), [[True, False], [False, True]]):
        assert typed(table) == "[(False, True), (False, True)]"
    missing = pd.DataFrame({"x": pd.array([True, None, False], dtype="boolean")})
    assert typed(missing) == "[(False, True, None)]"


MISSING = {
    "None": [None, "a"],
    "NaN": [float("nan"), "a"],
    "pandas NA": pd.array([pd.NA, "a"], dtype="string"),
    "pandas NA among objects": np.array([pd.NA, "a"], dtype=object),
    "pandas NaT": [pd.NaT, "a"],
    "polars null": pl.Series([None, "a"]),
    "Arrow null": pa.array([None, "a"]),
    "masked": np.ma.masked_array(["?", "a"], [True, False]),
    "named": ["?", "a"],
    "named, numpy": np.array(["?", "a"]),
    "named, numpy objects": np.array(["?", "a"], dtype=object),
    "named, pandas": pd.Series(["?", "a"]),
    "named, categories": pd.Series(["?", "a"]).astype("category"),
    "named, polars": pl.Series(["?", "a"], dtype=pl.Categorical),
    "named, Arrow": pa.array(["?", "a"], pa.string_view()),
    "named, beside a missing value": ["?", "a", None, "n/a"],
}


@pytest.mark.parametrize("way", MISSING)
def test_every_way_to_say_missing(way: str) -> None:
    schema = schema_of({"x": MISSING[way]}, missing_values=NAMED)
    assert [attribute.values for attribute in schema.categorical] == [("a", None)]


def test_text_that_means_missing_among_numbers() -> None:
    for cells in ([1.5, "?", 2.5], ["?", 1.5, 2], np.array(["?", 1.5], dtype=object)):
        [number] = read({"x": cells}, missing=NAMED).columns
        assert isinstance(number, NumberColumn)
        assert np.isnan(number.values).sum() == 1
    assert rows_of({"x": ["NA", 1.5, 2]}) == [(None,), (1.5,), (2,)]
    assert rows_of({"x": np.array(["1.5", "?"])}) == [(1.5,), (None,)]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([3, None, 1], dtype="Int64"),
        pl.Series([3, None, 1]),
        pa.array([3, None, 1], pa.int8()),
        [3, None, 1],
        [3, float("nan"), 1],
        np.array([3, pd.NA, 1], dtype=object),
        pd.Series([3, None, 1], dtype=object),
        pd.Series([3, None, 1], dtype="Int64").astype("category"),
    ],
)
def test_integers_with_a_missing_value(column: Any) -> None:
    assert typed({"x": column}) == "[(1, 3, None)]"


@pytest.mark.parametrize(
    "column",
    [
        np.array([1.5, np.nan]),
        np.array([1.5, np.nan], dtype="f2"),
        np.array([1.5, np.nan], dtype=">f8"),
        np.array([1.5, np.nan], dtype=np.longdouble),
        np.array([1.5, None], dtype=object),
        np.array([np.float32(1.5), np.nan], dtype=object),
        [1.5, None],
        [1.5, float("nan")],
        pd.Series([1.5, None]),
        pd.Series([1.5, None], dtype="Float64"),
        pd.Series(pd.arrays.SparseArray([1.5, np.nan])),
        pl.Series([1.5, None]),
        pa.array([1.5, None], pa.float32()),
        pa.array([1.5, None]).cast(pa.decimal128(4, 2)),
    ],
)
def test_floats_are_numeric(column: Any) -> None:
    [number] = read({"x": column}).columns
    assert isinstance(number, NumberColumn)
    assert number.values[0] == 1.5
    assert np.isnan(number.values[1])


def test_integers_among_floats_are_numbers() -> None:
    for cells in ([1, 2.5], [2.5, 1], [2.5, 2**60 + 1, 1]):
        [number] = read({"x": cells}).columns
        assert isinstance(number, NumberColumn)
        assert number.values.tolist() == [float(cell) for cell in cells]


def test_values_of_mixed_types_are_different_values() -> None:
    cells = ["1", 1, True, 1.0, None, 2**80, "\ud7ff", b"1"]
    for order in (cells, cells[::-1]):
        assert typed({"x": order}) == repr([(True, 1.0, 1, 2**80, "1", "\ud7ff", None)])


@pytest.mark.parametrize("cells", [[1.5, True], [1, True], ["a", 1.5], [None, "a", 2.5]])
def test_what_a_column_is_does_not_depend_on_its_first_cell(cells: list[Any]) -> None:
    assert typed({"x": cells}) == typed({"x": cells[::-1]})


def test_pandas_interval_categories_become_text() -> None:
    assert values({"x": pd.cut(pd.Series([1.0, 2.0, 3.0]), [0, 2, 4])}) == [("(0, 2]", "(2, 4]")]


def test_categories_may_be_floats_with_nan() -> None:
    assert values({"x": pd.Series([1.5, None, -0.0]).astype("category")}) == [(0.0, 1.5, None)]
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([float("nan"), 2.0]))
    assert values({"x": coded}) == [(2.0, None)]


def test_a_column_that_is_all_missing() -> None:
    for column in ([None, None], pl.Series([None, None]), pa.nulls(2), pd.Series([None, None])):
        with pytest.warns(UserWarning, match="missing in every row"):
            assert values({"x": column}) == [(None,)]


def test_more_values_than_a_byte_or_two_can_hold() -> None:
    for n_values, dtype in ((255, np.uint8), (256, np.uint16), (65536, np.uint32)):
        columns = read(np.repeat(np.arange(n_values), 2)[:, None] * 3, CATEGORIES)
        schema = summary_of(columns, choices=CATEGORIES).schema(AttributeRules(criterion=None))
        [block, *_] = encode(columns, schema)
        assert block.codes.dtype == dtype


@pytest.mark.parametrize("dtype", ["int16", "U", object])
def test_input_is_not_modified_and_may_be_read_only(dtype: Any, tmp_path: Path) -> None:
    table = np.array([[1, 2, 3], [3, 2, 1], [1, 1, 1]]).astype(dtype)
    before = table.copy()
    table.flags.writeable = False
    assert schema_of(read(table)) == schema_of(read(np.asfortranarray(table)))
    np.testing.assert_array_equal(table, before)


def test_memory_maps(tmp_path: Path) -> None:
    np.save(tmp_path / "floats.npy", np.arange(12.0).reshape(4, 3))
    table = np.load(tmp_path / "floats.npy", mmap_mode="r")
    columns = read(table)
    assert len(encode(columns, schema_of(columns))[0]) == 4


def test_names_that_are_not_text() -> None:
    columns = read(pd.DataFrame([["a", "b"]]))
    assert columns.names == ("0", "1")
    assert not columns.named


def test_masked_columns() -> None:
    column = np.ma.masked_array([1, 2, 3], [False, True, False])
    assert typed({"x": column}) == "[(1, 3, None)]"
    assert typed(np.ma.masked_array([[1.5], [2.5]], [[True], [False]])) == "[(2.5, None)]"
    table = np.ma.masked_array([(1, "a"), (2, "b")], dtype=[("x", int), ("y", "U1")])
    table["y"][0] = np.ma.masked
    assert typed(table) == "[(1, 2), ('b', None)]"
    [number] = read({"x": column}, TypeChoices(numeric="all")).columns
    assert isinstance(number, NumberColumn)
    assert np.isnan(number.values).tolist() == [False, True, False]


def test_parquet(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": ["x", None], "b": [1.5, 2.0]}), tmp_path / "t.parquet")
    columns = read(tmp_path / "t.parquet")
    assert columns.named
    assert [type(column) for column in columns.columns] == [TextColumn, NumberColumn]


def test_schemas_of_frames_and_arrays_differ_only_in_names() -> None:
    table = pd.DataFrame({"a": ["x", "y"], "b": [1.5, 2.0]})
    named, plain = schema_of(table), schema_of(table.to_numpy())
    assert Schema(plain.attributes).names == plain.names == ("x0", "x1")
    assert [attribute.to_dict() | {"name": ""} for attribute in named.attributes] == [
        attribute.to_dict() | {"name": ""} for attribute in plain.attributes
    ]


@pytest.mark.parametrize(
    "sizes",
    [
        pd.Series(pd.Categorical(["M", "S", None], ["S", "M", "XL"], ordered=True)),
        pd.Categorical(["M", "S", None], ["S", "M", "XL"], ordered=True),
        pl.Series(["M", "S", None], dtype=pl.Enum(["S", "M", "XL"])),
        pa.DictionaryArray.from_arrays(
            pa.array([1, 0, None]), pa.array(["S", "M", "XL"]), ordered=True
        ),
    ],
)
def test_categories_that_have_an_order_keep_it(sizes: Any, tmp_path: Path) -> None:
    expected = (Ordered("size", ("S", "M", None)),)
    assert schema_of({"size": sizes}).attributes == expected
    table = pa.table(
        {"size": pa.array(sizes) if not isinstance(sizes, pl.Series) else sizes.to_arrow()}
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    assert schema_of(tmp_path / "t.parquet").attributes == expected


DAYS = ["2020-01-31", None, "2021-12-05"]


@pytest.mark.parametrize(
    "days",
    [
        pd.Series(pd.to_datetime(DAYS)),
        pd.Series(pd.to_datetime(DAYS)).dt.tz_localize("UTC"),
        pd.Series(pd.PeriodIndex(DAYS, freq="D")),
        pd.to_datetime(DAYS),
        np.array(DAYS, dtype="M8[D]"),
        np.array(DAYS, dtype="M8[ns]"),
        pl.Series(DAYS).str.to_date(),
        pl.Series(DAYS).str.to_datetime(),
        pa.array(DAYS).cast(pa.date32()),
        pa.array(DAYS).cast(pa.timestamp("ns")),
        [datetime.date(2020, 1, 31), None, datetime.date(2021, 12, 5)],
        [datetime.datetime(2020, 1, 31), float("nan"), datetime.datetime(2021, 12, 5)],
        [np.datetime64("2020-01-31"), pd.NaT, np.datetime64("2021-12-05")],
        DAYS,
    ],
)
def test_dates_in_every_frame(days: Any) -> None:
    schema = schema_of({"day": days})
    assert schema.columns[0].type == "date"
    assert schema.columns[0].format == TextFormat("date", layout="year-month-day")
    assert schema.attributes == schema_of({"day": DAYS}).attributes
    assert rows_of({"day": days}) == [(1580428800.0,), (None,), (1638662400.0,)]


@pytest.mark.parametrize(
    "took",
    [
        pd.Series(pd.to_timedelta(["1h", None, "90s"])),
        np.array([3600, "NaT", 90], dtype="m8[s]"),
        pl.Series([3600, None, 90]).cast(pl.Duration("ms")) * 1000,
        [datetime.timedelta(hours=1), None, datetime.timedelta(seconds=90)],
        ["1:00:00", "", "0 days 00:01:30"],
    ],
)
def test_durations_in_every_frame(took: Any) -> None:
    [attribute] = schema_of({"took": took}).numeric
    assert attribute.unit == "duration"
    assert rows_of({"took": took}) == [(3600.0,), (None,), (90.0,)]


def test_times_in_every_frame() -> None:
    at = [datetime.time(13, 5), None, datetime.time(0, 0, 1)]
    for column in (at, pl.Series(at), pa.array(at), ["13:05", None, "00:00:01"]):
        [attribute] = schema_of({"at": column}).numeric
        assert attribute.unit == "time"
        assert rows_of({"at": column}) == [(47100.0,), (None,), (1.0,)]
