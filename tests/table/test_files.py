"""CSV files."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from galileomix.errors import TableError
from galileomix.table import infer_schema, read
from galileomix.table.column import NumberColumn


def written(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def values(path: Any) -> list[Any]:
    schema = infer_schema(read(path))
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
    with pytest.raises(TableError, match="is a directory"):
        read(str(tmp_path))
    with pytest.raises(TableError, match=r"cannot tell what .*table.xlsx"):
        read(written(tmp_path, "x", "table.xlsx"))


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "empty.csv", "cannot read .*empty.csv.*Empty CSV"),
        ("a,b\n1,2\n3\n", "ragged.csv", "cannot read .*ragged.csv.*Expected 2 columns, got 1"),
        (b"\x80\xff\x00\x01,\n\xff\xfe,\xfa\n", "junk.csv", "cannot read .*junk.csv.*utf-8"),
        (b"a,b\n\xff\xfe,\xfa\n", "latin.csv", "column 'a': .*not UTF-8 text"),
        ("junk", "junk.parquet", "cannot read .*junk.parquet"),
        ("junk", "junk.csv.gz", "cannot read .*junk.csv.gz"),
        ("a,b\n", "header.csv", r"0 sample\(s\) \(shape=\(0, 2\)\)"),
        ("a,a\n1,2\n", "twice.csv", "more than once: 'a'"),
        ("day\n2020-01-31\n", "dates.csv", "column 'day' holds dates or times"),
    ],
)
def test_files_with_bad_contents(tmp_path: Path, text: Any, name: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read(written(tmp_path, text, name))


def test_ragged_rows_are_named_by_line(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="Row #3"):
        read(written(tmp_path, "a,b\n1,2\n3\n"))
