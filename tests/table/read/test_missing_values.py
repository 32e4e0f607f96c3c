"""What `missing_values` name is missing in every type of table."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from galileomix._table import MissingValues, TypeChoices, read
from galileomix.errors import GalileoWarning, ParameterError
from table.helpers import rows_of, schema_of

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.ConstantColumnWarning")

TABLE = {
    "whole": [-999, 2, 3, 2],
    "real": [-999.0, 2.5, 0.25, -999.0],
    "flag": [True, False, True, False],
    "text": ["-999", "b", "?", "-999.0"],
}
NAMED = ["-999", "?", "true", "True"]
MAKERS = {
    "dict": lambda folder: TABLE,
    "pandas": lambda folder: pd.DataFrame(TABLE),
    "pandas nullable": lambda folder: pd.DataFrame(TABLE).convert_dtypes(),
    "pandas categorical": lambda folder: pd.DataFrame(TABLE).astype({"whole": "category"}),
    "polars": lambda folder: pl.DataFrame(TABLE),
    "Arrow": lambda folder: pa.table(TABLE),
    "float32": lambda folder: pd.DataFrame(TABLE).astype({"real": np.float32}),
    "objects": lambda folder: pd.DataFrame(TABLE).astype(object),
    "rows": lambda folder: pd.DataFrame(TABLE).to_dict("records"),
}


def cells(table: Any, missing_values: list[str], **options: Any) -> list[list[Any]]:
    rows = rows_of(table, missing_values=MissingValues.of(missing_values), **options)
    return [list(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("maker", MAKERS)
def test_numbers_and_booleans_by_how_they_are_written(maker: str, tmp_path: Path) -> None:
    assert cells(MAKERS[maker](tmp_path), missing_values=NAMED) == [
        [None, 2, 3, 2],
        [None, 2.5, 0.25, None],
        [None, False, None, False],
        [None, "b", None, None],
    ]


def test_a_file_and_the_frame_agree(tmp_path: Path) -> None:
    frame = pd.DataFrame(TABLE).drop(columns="text")
    frame.to_csv(tmp_path / "t.csv", index=False)
    for named in (["-999"], ["-999.0"], ["-999", "True"]):
        missing = MissingValues.of(named)
        file, held = (
            schema_of(table, missing_values=missing) for table in (tmp_path / "t.csv", frame)
        )
        assert held == file


def test_zeros_at_the_end_of_a_fraction_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n0.5,x\n0.50,y\n0.55,x\n-7.00,y\n7,x\n-7,y\n")
    assert cells(tmp_path / "t.csv", missing_values=["0.5", "-7"])[0] == (
        [None, None, 0.55, None, 7.0, None]
    )


def test_columns_that_are_read_as_numbers() -> None:
    for whole in ([-999, 2], np.array([-999, 2]), pa.array([-999, 2])):
        choices = TypeChoices(numeric=["b"])
        columns = read({"a": ["x", "y"], "b": whole}, choices, MissingValues.of(["-999"]))
        np.testing.assert_array_equal(columns.columns[1].values, [np.nan, 2.0])  # type: ignore


def test_what_only_looks_alike_is_kept() -> None:
    assert cells({"a": [1, 0], "b": [True, False]}, missing_values=["01", "TRUE"]) == [
        [1, 0],
        [None, False],
    ]
    assert cells({"a": [1, 0], "b": [True, False]}, missing_values=["1"]) == [
        [None, 0],
        [True, False],
    ]


def test_infinite_numbers_may_be_named() -> None:
    for real in ([1.5, np.inf], np.array([1.5, np.inf]), pa.array([1.5, np.inf])):
        assert cells({"a": real}, missing_values=["inf"]) == [[1.5, None]]


def test_the_usual_spellings_are_values_where_the_user_says_so() -> None:
    table = {"a": ["NA", "x", "?"], "b": ["1.5", "NA", "2"]}
    usual, plain = MissingValues.of([]), MissingValues.of([], usual=False)
    assert rows_of(table, missing_values=usual) == [(None, 1.5), ("x", None), (None, 2.0)]
    assert [row[0] for row in rows_of(table, missing_values=plain)] == ["NA", "x", "?"]
    with pytest.warns(GalileoWarning, match="1 cell among numbers"):
        schema_of({"b": table["b"]}, missing_values=plain)


def test_none_and_nan_are_missing_whatever_the_user_says() -> None:
    plain = MissingValues.of([], usual=False)
    table = {"a": ["x", None, "NA"], "b": [1.5, None, float("nan")]}
    assert rows_of(table, missing_values=plain) == [("x", 1.5), (None, None), ("NA", None)]


@pytest.mark.parametrize("wrong", ["?", [1], [None], 3, {"x": ["?"]}])
def test_what_is_no_list_of_texts(wrong: Any) -> None:
    with pytest.raises(ParameterError, match=r"missing_values=.*: give a list of texts"):
        MissingValues.of(wrong)


def test_text_that_nothing_can_write() -> None:
    with pytest.raises(ParameterError, match=r"missing_values: .* half of a surrogate pair"):
        MissingValues.of(["?", "\ud800"])
