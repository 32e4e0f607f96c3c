"""CSV files."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from galileomix._table import CategoryColumn, NumberColumn, read
from galileomix.errors import TableError
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


def test_tabs_and_compression(tmp_path: Path) -> None:
    assert values(written(tmp_path, "a\tb\nx,y\t1\nz\t2\n", "t.tsv"))[0] == ("x,y", "z")
    packed = gzip.compress(b"a,b\nx,1\ny,2\n")
    assert values(written(tmp_path, packed, "t.csv.gz"))[0] == ("x", "y")


def test_line_breaks_inside_quotes(tmp_path: Path) -> None:
    assert values(written(tmp_path, 'a,b\n"x\ny",1\nz,2\n'))[0] == ("x\ny", "z")


def test_a_value_far_below_may_change_the_type(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n" + "1\n" * 600_000 + "x\n")
    assert values(path) == [("1", "x")]


def test_a_float_far_below_makes_the_column_numeric(tmp_path: Path) -> None:
    [column] = read(written(tmp_path, "a\n" + "1\n" * 600_000 + "0.5\n")).columns
    assert isinstance(column, NumberColumn)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"no such file: .*absent.csv"):
        read(tmp_path / "absent.csv")
    with pytest.raises(TableError, match="no CSV or Parquet files"):
        read(str(tmp_path))
    with pytest.raises(TableError, match=r"the format of .*table.xlsx"):
        read(written(tmp_path, "x", "table.xlsx"))


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "empty.csv", "empty.csv': the file is empty"),
        (
            "a,b\n1,2\n3\n",
            "ragged.csv",
            r"ragged.csv', line 3: 1 field where the header \(line 1\) has 2",
        ),
        (b"\x80\xff\x00\x01,\n\xff\xfe,\xfa\n", "junk.csv", "junk.csv': this is not text"),
        (b"a,b\n\xff\x81,\xfa\n", "odd.csv", "odd.csv': this is neither UTF-8 nor cp1252"),
        ("junk", "junk.parquet", "junk.parquet': cannot be read"),
        ("junk", "junk.csv.gz", "junk.csv.gz': cannot be read"),
        ("a,b\n", "header.csv", "header.csv': a header but no rows"),
        ("a,b", "header.csv", "header.csv': a header but no rows"),
        ("a,a\n1,2\n", "twice.csv", "twice.csv', line 1: .*more than once: 'a'"),
    ],
)
def test_files_with_bad_contents(tmp_path: Path, text: Any, name: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read(written(tmp_path, text, name))


def test_ragged_rows_are_named_by_line(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="line 3: 1 field"):
        read(written(tmp_path, "a,b\n1,2\n3\n"))
    with pytest.raises(TableError, match=r"far.csv', line 600002"):
        read(written(tmp_path, "a,b\n" + "1,2\n" * 600_000 + "3\n", "far.csv"))
