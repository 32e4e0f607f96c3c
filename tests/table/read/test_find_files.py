"""Which files are a table, and those that cannot be one."""

import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from galileomix._table import (
    Csv,
    read,
)
from galileomix._table.read.find_files import open_files
from galileomix.errors import TableError
from table.helpers import TABLE, rows_of, written


def test_columns_of_files_may_stand_in_another_order(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\nx,1\n")
    (tmp_path / "b.csv").write_text("b,a\n2,y\n")
    assert rows_of(tmp_path) == [("x", 1), ("y", 2)]


def test_files_that_are_not_of_one_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\nx,1\n")
    (tmp_path / "b.csv").write_text("a,c\ny,2\n")
    with pytest.raises(TableError, match=r"b.csv' has no 'b', which .*a.csv' has"):
        read(tmp_path)
    parquet.write_table(pa.table({"a": ["x"], "b": [1]}), tmp_path / "c.parquet")
    with pytest.raises(TableError, match=r"one format: .*a.csv' and .*c.parquet' differ"):
        read([tmp_path / "a.csv", tmp_path / "c.parquet"])
    parquet.write_table(pa.table({"a": ["x"], "b": [1.5]}), tmp_path / "d.parquet")
    assert rows_of(str(tmp_path / "*.parquet")) == [("x", 1.0), ("x", 1.5)]
    parquet.write_table(pa.table({"a": ["x"], "b": ["y"]}), tmp_path / "d.parquet")
    with pytest.raises(TableError, match=r"column 'b': int64 in .*c.parquet' and string in"):
        read(str(tmp_path / "*.parquet"))


def test_no_files(tmp_path: Path) -> None:
    with pytest.raises(
        TableError, match="this directory has no CSV, Parquet, JSON lines or Feather files"
    ):
        read(tmp_path)
    with pytest.raises(TableError, match="no files are given"):
        read(Csv([]))
    with pytest.raises(TableError, match=r"no files match .*\*.csv"):
        read(str(tmp_path / "*.csv"))
    with pytest.raises(TableError, match=r"no such file: .*b.csv"):
        read([str(tmp_path / "b.csv")])
    (tmp_path / "_temporary.csv").write_text("a\n1\n")
    with pytest.raises(TableError, match="no CSV, Parquet, JSON lines or Feather files"):
        read(tmp_path)


def test_files_without_rows_among_others(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n")
    with pytest.raises(TableError, match="a header but no rows"):
        read(tmp_path)
    (tmp_path / "b.csv").write_text("a,b\nx,1\n")
    assert read(tmp_path).n_rows == 1
    parquet.write_table(TABLE[:0], tmp_path / "a.parquet")
    with pytest.raises(TableError, match=r"a.parquet': .*0 sample\(s\)"):
        read(tmp_path / "a.parquet")


def test_notes_on_many_files_are_not_all_shown(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / f"{number}.csv").write_bytes(b"a,b\n\xe9,1\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(tmp_path)
    assert len(caught) == 6
    assert "4 more such notes" in str(caught[-1].message)


def test_options_of_csv_do_not_apply_to_parquet(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": ["x", "y"]}), tmp_path / "p.parquet")
    with pytest.raises(TableError, match=r"p.parquet': this is a Parquet file: .* of CSV files"):
        read(Csv(tmp_path / "p.parquet", separator=";"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"no such file: .*absent.csv"):
        read(tmp_path / "absent.csv")
    with pytest.raises(TableError, match="no CSV, Parquet, JSON lines or Feather files"):
        read(str(tmp_path))
    with pytest.raises(TableError, match=r"the format of .*table.xlsx"):
        read(written(tmp_path, "x", "table.xlsx"))


def test_a_file_that_is_gone_between_two_reads(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,x\n")
    [file] = open_files(path)
    path.unlink()
    with pytest.raises(TableError, match=r"table.csv': cannot be read: .*No such file"):
        list(file.batches(file.names))
    with pytest.raises(TableError, match=r"table.csv': cannot be read: .*No such file"):
        assert file.n_bytes


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
