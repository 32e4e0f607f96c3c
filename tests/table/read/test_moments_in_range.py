"""Dates, times and durations that are out of range are refused, whatever holds them."""

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from galileomix import Galileo
from galileomix._cli.program import main
from galileomix._table import NumberColumn, read
from galileomix._table.encode.moments import as_moments
from galileomix.errors import TableError

DATES = "dates have years from 1 to 9999"
DURATIONS = "durations have up to 100,000,000 days"
LAST, FIRST = datetime.datetime.max, datetime.datetime.min


def arrow(values: list[int | None], arrow_type: Any) -> pa.Table:
    width = pa.int32() if arrow_type in (pa.date32(), pa.time32("s")) else pa.int64()
    return pa.table({"d": pa.array(values, width).cast(arrow_type)})


def numpy(values: list[int], dtype: str) -> pd.DataFrame:
    return pd.DataFrame({"d": np.array(values).astype(dtype)})


OUTSIDE = [
    (arrow([0, None, 2**60], pa.timestamp("s")), DATES),
    (arrow([0, None, 2**60], pa.timestamp("s", "Europe/Paris")), DATES),
    (arrow([0, None, 2**31 - 1], pa.date32()), DATES),
    (arrow([None, None, 2**60], pa.timestamp("s")).to_pandas(), DATES),
    (pa.table({"d": arrow([0, None, 2**60], pa.timestamp("s"))["d"].dictionary_encode()}), DATES),
    (arrow([0, None, 2**62], pa.duration("s")), DURATIONS),
    (arrow([0, None, 2**31 - 1], pa.time32("s")), "times are less than 24 hours"),
    (numpy([0, 1, 253402300800], "M8[s]"), DATES),
    (numpy([0, 1, -62135596801], "M8[s]"), DATES),
    (numpy([0, 1, 253402300800 * 10**6], "M8[us]"), DATES),
    (numpy([0, 1, 8640000000001], "m8[s]"), DURATIONS),
    ({"d": np.array([0, 1, 2**57]).astype("M8[D]")}, DATES),
    ({"d": np.array([0, 1, 2**57]).astype("m8[Y]")}, DURATIONS),
    (pl.DataFrame({"d": pl.Series([0, 1, 2**60]).cast(pl.Datetime("ms"))}), DATES),
    (pl.DataFrame({"d": pl.Series([0, 1, -(2**62)]).cast(pl.Duration("ms"))}), DURATIONS),
    ({"d": [datetime.timedelta(1), None, datetime.timedelta.max]}, DURATIONS),
    ({"d": [LAST, None, np.datetime64(2**60, "s")]}, DATES),
]


@pytest.mark.parametrize(("table", "message"), OUTSIDE)
def test_what_is_out_of_range_is_refused(table: Any, message: str) -> None:
    with pytest.raises(TableError, match=f"^column 'd', row 2: .* is out of range: {message}; "):
        read(table)


@pytest.mark.parametrize("dtype", ["M8[us]", "M8[s]", "O"])
def test_the_first_and_last_dates_are_taken(dtype: str) -> None:
    [column] = read(pd.DataFrame({"d": [FIRST, LAST, None]}).astype({"d": dtype})).columns
    assert isinstance(column, NumberColumn)
    shown = as_moments(column.values, "datetime").astype(str).tolist()
    assert shown == ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "NaT"]
    assert as_moments(column.values, "date").astype(str).tolist()[1] == "9999-12-31T00:00:00"


def test_what_is_drawn_is_within_the_range() -> None:
    assert as_moments(np.array([1e15, -1e15]), "date").astype(str).tolist() == [
        "9999-12-31T00:00:00",
        "0001-01-01T00:00:00",
    ]
    assert as_moments(np.array([1e15]), "duration").tolist() == [datetime.timedelta(10**8)]


def test_finer_than_a_microsecond_is_cut_off() -> None:
    ticks = [-1, 1999, None]
    [found] = read(arrow(ticks, pa.timestamp("ns"))).columns
    [same] = read(arrow(ticks, pa.timestamp("ns")).to_pandas()).columns
    assert isinstance(found, NumberColumn)
    np.testing.assert_array_equal(found.values, [-1e-6, 1e-6, np.nan])
    np.testing.assert_array_equal(same.values, found.values)  # type: ignore[union-attr]


@pytest.mark.parametrize("filled", ["c", "d"])
def test_a_file_to_predict(tmp_path: Path, capsys: Any, filled: str) -> None:
    """The dates may stand in a column that the model knows, or in one that is written only."""
    usual = pa.array([0, 500, 900, 40] * 5, pa.int32()).cast(pa.date32())
    letters = pa.array(["a", "b"] * 10)
    fitted = {"d": usual, "c": letters} if filled == "d" else {"c": letters}
    model = Galileo(1, effort=0.01).fit(pa.table(fitted))
    model.save(tmp_path / "m.galileo")
    far = pa.array([0, 2**31 - 1], pa.int32()).cast(pa.date32())
    parquet.write_table(pa.table({"d": far, "c": ["a", None]}), tmp_path / "far.parquet")
    for command in (["predict"], ["impute", "--model"]):
        with pytest.raises(SystemExit) as ended:
            main([*command, str(tmp_path / "m.galileo"), str(tmp_path / "far.parquet")])
        printed = capsys.readouterr()
        assert (ended.value.code, printed.out) == (3, "")
        assert f"column 'd', row 1: 5881580-07-11 is out of range: {DATES}" in printed.err
