"""CSV that other readers break: a blank before a quote, a carriage return in a field."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from galileomix import Csv, TableError
from galileomix._table import cells, open_table, read
from galileomix._table.read import csv_file, csv_quirks
from galileomix._table.read.csv_quirks import Quirks
from galileomix._table.read.csv_text import split_rows
from table.helpers import written

FIELDS = st.text(st.sampled_from('xy ,;"\n\t'), max_size=6)
ROWS = st.lists(st.lists(FIELDS, min_size=2, max_size=2), min_size=1, max_size=8)


def columns(table: Any) -> dict[str, list[Any]]:
    return {column.name: cells(column).tolist() for column in read(table).columns}


def stream(text: str) -> io.StringIO:
    return io.StringIO(text, newline="")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('a,b\nx, "p, q"\ny, "r"\n', {"a": ["x", "y"], "b": ["p, q", "r"]}),
        ('a, "b, c"\nx, "p"\ny, z\n', {"a": ["x", "y"], "b, c": ["p", "z"]}),
        ('a,b\n "x, 1" ,p\n\t"y",q\n', {"a": ["x, 1", "y"], "b": ["p", "q"]}),
        ('a,b\nx, "he said ""no"""\ny, ""\n', {"a": ["x", "y"], "b": ['he said "no"', None]}),
        ('a,b\nx, "two\nlines"\ny,z\n', {"a": ["x", "y"], "b": ["two\nlines", "z"]}),
        ('a;b\nx; "p; q"\ny;z\n', {"a": ["x", "y"], "b": ["p; q", "z"]}),
        ('a\tb\nx\t "p\tq"\ny\tz\n', {"a": ["x", "y"], "b": ["p\tq", "z"]}),
        ('a,b\nx, "p" or q\ny, "r"\n', {"a": ["x", "y"], "b": ['"p" or q', "r"]}),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_blank_before_a_quote(tmp_path: Path, text: str, found: Any, end: str) -> None:
    expected = {
        name: [cell and cell.replace("\n", end) for cell in cells] for name, cells in found.items()
    }
    assert columns(written(tmp_path, text.replace("\n", end))) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,b\nx\ry,p\nz,q\n", ["x\ry", "z"]),
        ("a,b\r\nx\ry,p\r\nz,q\r\n", ["x\ry", "z"]),
        ("a,b\nx\r,p\nz,q\r\r\n", ["x\r", "z"]),
        ('a,b\n"x\ry",p\nz,q\n', ["x\ry", "z"]),
    ],
)
def test_a_carriage_return_in_a_field(tmp_path: Path, text: str, found: list[str]) -> None:
    assert columns(written(tmp_path, text)) == {"a": found, "b": ["p", "q"]}


@settings(max_examples=200)
@given(rows=ROWS, blank=st.sampled_from([" ", "  ", "\t"]))
def test_rows_come_back_whatever_stands_before_quotes(rows: list[list[str]], blank: str) -> None:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in rows:
        line = io.StringIO()
        csv.writer(line, quoting=csv.QUOTE_ALL, lineterminator="").writerow(row[:1])
        out.write(line.getvalue() + "," + blank)
        writer.writerow(row[1:])
    quirks = Quirks.of(stream(out.getvalue()).read, ",")
    found = list(split_rows(stream(out.getvalue()), ",", quirks))
    assert quirks and [row for _, row in found] == rows
    starts = [1]
    for row in rows[:-1]:
        starts.append(starts[-1] + 1 + sum(cell.count("\n") for cell in row))
    assert [line for line, _ in found] == starts


@settings(max_examples=200)
@given(rows=ROWS, end=st.sampled_from(["\n", "\r\n"]), piece=st.integers(1, 5))
def test_regular_text_is_split_alike(rows: list[list[str]], end: str, piece: int) -> None:
    """What has quirks nowhere is the same by either way, in pieces of any length."""
    out = io.StringIO()
    csv.writer(out, lineterminator=end).writerows(rows)
    usual = list(split_rows(stream(out.getvalue()), ","))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_quirks, "PIECE", piece)
        for quirks in (Quirks(True, False), Quirks(True, True)):
            assert list(split_rows(stream(out.getvalue()), ",", quirks)) == usual


@pytest.mark.parametrize(
    ("text", "quirks"),
    [
        ('a,b\n"he said, ""no""",x\n', Quirks()),
        ('a,b\n"x","y"\n', Quirks()),
        ("a,b\rx,y\r", Quirks()),
        ('a,b\r"x\ny",z\rp,q\r', Quirks()),
        ("a,b\r\nx,y\r\r\n", Quirks()),
        ('a,b\nx, "y"\n', Quirks(True, False)),
        ("a,b\nx\ry,z\n", Quirks(False, True)),
    ],
)
@pytest.mark.parametrize("piece", [1, 3, 1 << 20])
def test_what_is_odd_is_seen(text: str, quirks: Quirks, piece: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(csv_quirks, "PIECE", piece)
    assert Quirks.of(stream(text).read, ",") == quirks


def test_errors_name_the_line(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\nx, "p, q"\n\n"two\nlines",z\nw\n')
    with pytest.raises(TableError, match=r"table.csv', line 6: 1 field where the header"):
        read(path)
    source: Any = open_table(written(tmp_path, 'a,b\nx, "1.5"\n\n"u\nv",w\ny,z\n'))
    assert [source.files[0].line(row) for row in range(3)] == [2, 4, 6]


def test_a_quote_that_is_never_closed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(csv_quirks, "LONGEST_ROW", 1000)
    monkeypatch.setattr(csv_quirks, "PIECE", 100)
    with pytest.raises(TableError, match=r"line 2: this row is too long; a quote"):
        read(written(tmp_path, 'a,b\nx, "p' + "\ny,z" * 500))


def test_options_and_other_encodings(tmp_path: Path) -> None:
    path = written(tmp_path, 'é, "p, q"\nx, "r"\n'.encode("utf-16"))
    assert columns(Csv(path, header=False)) == {"x0": ["é", "x"], "x1": ["p, q", "r"]}


def test_many_rows_are_many_batches(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(csv_file, "BATCH_ROWS", 7)
    path = written(tmp_path, "a,b\n" + 'x, "p, q"\ny,z\n' * 50)
    assert columns(path) == {"a": ["x", "y"] * 50, "b": ["p, q", "z"] * 50}


@pytest.mark.parametrize(
    ("last", "cell"),
    [('"a ""b"" c"', 'a "b" c'), ("plain", "plain"), ('"two\nlines"', "two\nlines")],
)
def test_a_file_that_was_cut_within_a_line_end(last: str, cell: str, tmp_path: Path) -> None:
    path = tmp_path / "cut.csv"
    path.write_bytes(f"a,b\r\nx,y\r\nz,{last}\r".encode())
    [_, column] = read(path).columns
    assert cells(column).tolist() == ["y", cell]
