"""CSV files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from galileomix._table import CategoryColumn, NumberColumn, read
from galileomix._table.read import csv_file
from table.helpers import schema_of, written


def values(path: Any) -> list[Any]:
    schema = schema_of(read(path))
    return [getattr(attribute, "values", "numeric") for attribute in schema.attributes]


def test_types_are_inferred(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,c,d\n1,x,true,0.5\n2,y,false,\n1,x,true,2\n")
    for form in (path, str(path)):
        assert repr(values(form)) == "[(1, 2), ('x', 'y'), (False, True), 'numeric']"
    columns = read(path)
    assert columns.names == ("a", "b", "c", "d")
    assert columns.named


def test_only_an_empty_cell_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\nNA,1\nnull,\n?,2\nn/a,2\n,1\n"",2\n')
    assert values(path) == [("?", "NA", "n/a", "null", None), (1, 2, None)]


@pytest.mark.parametrize(
    "cells",
    [
        ("001", "01", "1"),
        ("+1", "1"),
        ("-0", "0"),
        ("0x10", "16"),
        ("01", "1.5"),
        ("12345678901234567890", "12345678901234567891"),
        ("1.5", "nan"),
        ("1", "inf"),
        ("2020-01-31", "2021-02-28"),
        ("12:30", "13:45"),
        ("True", "true"),
        ("0", "true"),
    ],
)
def test_what_would_lose_something_stays_text(tmp_path: Path, cells: tuple[str, ...]) -> None:
    text = "\n".join(["a", *cells, '""'])
    assert values(written(tmp_path, text)) == [(*sorted(cells), None)]


@pytest.mark.parametrize("spelling", [("true", "false"), ("True", "False"), ("TRUE", "FALSE")])
def test_booleans_in_one_spelling(tmp_path: Path, spelling: tuple[str, str]) -> None:
    true, false = spelling
    path = written(tmp_path, f"a,b\n{true},x\n{false},y\n,x\n")
    assert repr(values(path)[0]) == "(False, True, None)"


def test_integers_as_they_are_written(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n-7,x\n0,y\n9223372036854775807,x\n,x\n")
    assert values(path)[0] == (-7, 0, 9223372036854775807, None)


def test_numbers_in_any_notation(tmp_path: Path) -> None:
    [column, _] = read(written(tmp_path, "a,b\n1.5,x\n2,x\n1e3,x\n,x\n-.5,x\n0.25,x\n")).columns
    assert isinstance(column, NumberColumn)
    np.testing.assert_array_equal(column.values, [1.5, 2, 1000, np.nan, -0.5, 0.25])


def test_a_column_named_numeric_may_spell_nan(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n1.5,x\nnan,y\n")
    [column, _] = read(path, categorical=["b"]).columns
    assert isinstance(column, NumberColumn)
    np.testing.assert_array_equal(column.values, [1.5, np.nan])


def test_a_column_without_a_value(tmp_path: Path) -> None:
    [column, _] = read(written(tmp_path, "a,b\n,x\n,y\n")).columns
    assert isinstance(column, CategoryColumn)
    assert column.values == (None,)


def test_a_row_longer_than_a_block(tmp_path: Path) -> None:
    long = "x" * (3 << 20)
    assert values(written(tmp_path, f"a,b\n{long},1\ny,2\n")) == [(long, "y"), (1, 2)]


def test_a_value_far_below_may_change_the_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_file, "BLOCK_BYTES", 4096)
    path = written(tmp_path, "a\n" + "1\n" * 6000 + "x\n")
    assert values(path) == [("1", "x")]


def test_a_float_far_below_makes_the_column_numeric(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_file, "BLOCK_BYTES", 4096)
    [column] = read(written(tmp_path, "a\n" + "1\n" * 6000 + "0.5\n")).columns
    assert isinstance(column, NumberColumn)
