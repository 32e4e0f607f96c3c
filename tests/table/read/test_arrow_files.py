"""Feather and Arrow IPC files, and tables in archives."""

import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from galileomix import Csv, TableError
from galileomix._table import cells, open_table, read, suffix_by_contents
from galileomix._table.read import arrow_file
from table.helpers import TABLE, written

SMALL = pa.table({"a": ["x", "y", None], "n": [1, 2, 3], "x": [0.5, None, 1.5]})


def batches(path: Any) -> list[Any]:
    source: Any = open_table(path)
    return [batch for file in source.files for batch, _ in file.batches(source.names)]


def archive(folder: Path, members: dict[str, str | bytes], name: str = "t.zip") -> Path:
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as file:
        for member, contents in members.items():
            file.writestr(member, contents)
    return folder / name


def stream(path: Path) -> None:
    with pa.ipc.new_stream(str(path), SMALL.schema) as writer:
        writer.write_table(SMALL)


@pytest.mark.parametrize("suffix", ["feather", "arrow", "ipc"])
def test_feather_and_streams(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t.{suffix}"
    for write in (lambda: feather.write_feather(SMALL, path), lambda: stream(path)):
        write()
        assert pa.Table.from_batches(batches(path)).to_pydict() == SMALL.to_pydict()


def test_a_feather_file_is_the_parquet_file(tmp_path: Path) -> None:
    """Of many rows, in batches, and without the index of pandas."""
    frame = TABLE.to_pandas().set_index(pd.Index(range(5, 5 + TABLE.num_rows)))
    feather.write_feather(pa.Table.from_pandas(frame), tmp_path / "t.feather")
    parquet.write_table(TABLE, tmp_path / "t.parquet")
    ours, theirs = read(tmp_path / "t.feather"), read(tmp_path / "t.parquet")
    assert ours.names == theirs.names
    for one, two in zip(ours.columns, theirs.columns, strict=True):
        assert type(one) is type(two)
        assert cells(one).tolist() == pytest.approx(cells(two).tolist(), nan_ok=True)


def test_large_batches_are_cut(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(arrow_file, "BATCH_ROWS", 2)
    feather.write_feather(SMALL, tmp_path / "t.feather")
    assert [batch.num_rows for batch in batches(tmp_path / "t.feather")] == [2, 1]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"t.feather': cannot be read"):
        read(written(tmp_path, "junk", "t.feather"))
    with pytest.raises(TableError, match=r"t.feather': this is Feather of version 1"):
        read(written(tmp_path, b"FEA1junk", "t.feather"))
    feather.write_feather(SMALL, tmp_path / "t.feather")
    with pytest.raises(TableError, match=r"t.feather': this is an Arrow file: a separator"):
        read(Csv(tmp_path / "t.feather", header=False))
    (tmp_path / "t.feather").rename(tmp_path / "t.feather.gz")
    with pytest.raises(TableError, match=r"a compressed arrow file cannot be read: decompress"):
        read(tmp_path / "t.feather.gz")


def test_files_of_several_types(tmp_path: Path) -> None:
    feather.write_feather(SMALL, tmp_path / "a.feather")
    feather.write_feather(SMALL.set_column(1, "n", [["p", "q", "r"]]), tmp_path / "b.feather")
    with pytest.raises(TableError, match=r"column 'n': int64 in .*a.feather' and string in"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["t.zip", "t.csv.zip"])
@pytest.mark.parametrize("member", ["t.csv", "folder/t.csv"])
def test_a_table_in_an_archive(tmp_path: Path, name: str, member: str) -> None:
    others = {"__MACOSX/t.csv": "junk", "folder/.hidden.csv": "junk", "README.txt": "words"}
    path = archive(tmp_path, {member: "a,b\nx,1.5\ny,2.5\n", **others}, name)
    columns = read(path).columns
    assert [column.name for column in columns] == ["a", "b"]
    assert cells(columns[1]).tolist() == ["1.5", "2.5"]
    with pytest.raises(TableError, match=r"zip', line 3: 1 field where the header"):
        read(archive(tmp_path, {member: "a,b\nx,1\ny\n"}, name))


def test_json_lines_and_text_in_an_archive(tmp_path: Path) -> None:
    assert read(archive(tmp_path, {"t.jsonl": '{"a": "x"}\n'})).names == ("a",)
    assert read(archive(tmp_path, {"t.txt": "a,b\nx,1\n"})).names == ("a", "b")


def test_a_table_without_a_suffix_as_pandas_writes_it(tmp_path: Path) -> None:
    pd.DataFrame({"a": ["x"], "b": [1]}).to_csv(tmp_path / "survey.zip", index=False)
    assert read(tmp_path / "survey.zip").names == ("a", "b")
    assert read(archive(tmp_path, {"t": '{"a": "x"}\n'})).names == ("a",)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"a.csv": "a\n1\n", "b.csv": "a\n1\n"}, "it must hold one table, and holds 'a.csv', 'b"),
        ({"a.pdf": "x"}, "it must hold one table, and holds 'a.pdf'"),
        ({}, "it must hold one table, and holds nothing"),
        ({"a.parquet": "PAR1"}, "a compressed parquet file cannot be read: decompress it first"),
    ],
)
def test_archives_that_are_no_table(tmp_path: Path, members: Any, message: str) -> None:
    with pytest.raises(TableError, match=rf"t.zip': .*{message}"):
        read(archive(tmp_path, members))


def test_what_is_no_archive(tmp_path: Path) -> None:
    for name in ("t.zip", "t.csv.zip"):
        with pytest.raises(TableError, match=rf"{name}': cannot be read: File is not a zip"):
            read(written(tmp_path, "junk", name))


def test_a_folder_has_what_is_surely_a_table(tmp_path: Path) -> None:
    archive(tmp_path, {"t.csv": "a\nx\n"}, "one.csv.zip")
    written(tmp_path, "a\ny\n", "two.csv")
    for name in ("settings.json", "notes.txt", "other.zip"):
        written(tmp_path, "junk", name)
    assert read(tmp_path).n_rows == 2


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("a.csv", ".csv"), ("a.csv.gz", ".csv.gz"), ("a.jsonl", ".jsonl"), ("a.jsonl.gz", ".jsonl.gz"),
     ("a.parquet", ".parquet"), ("a.feather", ".arrow"), ("a.csv.zip", ".zip")],
)  # fmt: skip
def test_a_stream_without_a_name_is_known_by_its_contents(
    tmp_path: Path, name: str, suffix: str
) -> None:
    frame, path = SMALL.to_pandas(), tmp_path / name
    if "json" in name:
        frame.to_json(path, orient="records", lines=True)
    elif "csv" in name:
        frame.to_csv(path, index=False)
    else:
        getattr(frame, f"to_{name[2:]}")(path)
    assert suffix_by_contents(path) == suffix
    unnamed = path.rename(tmp_path / f"stdin{suffix}")
    assert read(unnamed).n_rows == 3
