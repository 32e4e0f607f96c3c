"""JSON lines: types of whole columns, missing names, nested values, errors by line."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix import Csv, TableError
from galileomix._table import open_table, read
from galileomix._table.read import json_file
from galileomix._table.read.json_file import JsonFile
from table.helpers import written

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text("xé"),
)


def table(path: Any) -> Any:
    """Return all rows as Arrow has them, before any type is judged."""
    source: Any = open_table(path)
    batches = [batch for file in source.files for batch, _ in file.batches(source.names)]
    return pa.Table.from_batches(batches)


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("cells", "arrow_type", "found"),
    [
        ([1, 2, None], pa.int64(), [1, 2, None]),
        ([1, 2.5, None], pa.float64(), [1.0, 2.5, None]),
        ([1, 2**70], pa.float64(), [1.0, 2.0**70]),
        ([2**53 + 1, 0.5], pa.float64(), [2.0**53, 0.5]),
        ([True, False, None], pa.bool_(), [True, False, None]),
        (["x", "é", None], pa.string(), ["x", "é", None]),
        ([1, "x", True, 2.5], pa.string(), ["1", "x", "true", "2.5"]),
        ([None, None], pa.null(), [None, None]),
        ([float("nan"), 1.5], pa.float64(), [None, 1.5]),
    ],
)
@pytest.mark.parametrize("batch", [1, 100])
def test_the_type_is_that_of_all_cells(
    tmp_path: Path, monkeypatch: Any, cells: list[Any], arrow_type: Any, found: Any, batch: int
) -> None:
    monkeypatch.setattr(json_file, "BATCH_LINES", batch)
    path = written(tmp_path, lines(*({"a": cell} for cell in cells)), "t.jsonl")
    column = table(path)["a"]
    assert column.type == arrow_type and column.to_pylist() == found


@given(cells=st.lists(CELLS, min_size=1), batch=st.integers(1, 4), cut=st.integers(0, 5))
def test_neither_batches_nor_files_change_anything(cells: Any, batch: int, cut: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        rows = [{"a": cell, "b": 1} for cell in cells]
        whole = table(written(folder, lines(*rows), "t.jsonl"))
        patch.setattr(json_file, "BATCH_LINES", batch)
        assert table(folder / "t.jsonl").equals(whole.combine_chunks()) or whole.num_rows == 0
        parts = [part for part in (rows[:cut], rows[cut:]) if part]
        paths = [written(folder, lines(*part), f"{i}.jsonl") for i, part in enumerate(parts)]
        assert table(paths).to_pydict() == whole.to_pydict()


def test_a_name_that_is_not_there_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path, lines({"a": "x"}, {"b": "y", "a": "z"}, {}), "t.ndjson")
    assert table(path).to_pydict() == {"a": ["x", "z", None], "b": [None, "y", None]}
    other = written(tmp_path, lines({"c": "w"}), "u.ndjson")
    assert table([path, other])["c"].to_pylist() == [None, None, None, "w"]


def test_what_is_written_line_by_line_is_read(tmp_path: Path) -> None:
    """By pandas, compressed or not, with a mark of the encoding and Windows' line ends."""
    frame = pd.DataFrame({"a": ["x", "é", None], "n": [1, 2, 3], "x": [0.1, None, 2.0]})
    frame.to_json(tmp_path / "t.json", orient="records", lines=True)
    expected = table(tmp_path / "t.json").to_pydict()
    assert expected == {"a": ["x", "é", None], "n": [1, 2, 3], "x": [0.1, None, 2.0]}
    text = (tmp_path / "t.json").read_text().replace("\n", "\r\n\r\n")
    assert table(written(tmp_path, b"\xef\xbb\xbf" + text.encode(), "u.jsonl")).to_pydict() == (
        expected
    )
    with gzip.open(tmp_path / "v.jsonl.gz", "wt") as file:
        file.write(text)
    assert table(tmp_path / "v.jsonl.gz").to_pydict() == expected


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"a": 1}\n\n{"a": \n', 3, "'{\"a\":' is not a JSON object: write one object on each"),
        ('{"a": 1}\n[1, 2]\n', 2, r"'\[1, 2\]' is not a JSON object"),
        ('[\n{"a": 1}\n]\n', 1, r"'\[' is not a JSON object"),
        ('{"a": 1}\n3\n', 2, "'3' is not a JSON object"),
        ("[" * 5000, 1, r"'\[+\.\.\.' is not a JSON object"),
        ("", None, "there are no JSON objects in this file"),
        ("\n\n", None, "there are no JSON objects in this file"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, line: Any, message: str) -> None:
    where = f"t.jsonl', line {line}: " if line else "t.jsonl': "
    with pytest.raises(TableError, match=where + message):
        read(written(tmp_path, text, "t.jsonl"))


def test_cells_are_named_by_line(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": 1.5}\n\n{"a": 1e999}\n', "t.jsonl")
    with pytest.raises(TableError, match=r"t.jsonl', line 3, column 'a': .*inf"):
        read(path)


def test_nested_values_are_refused_by_name_where_they_are_wanted(tmp_path: Path) -> None:
    text = lines({"a": "x", "tags": None}, {"a": "y", "tags": ["p", "q"]}, {"a": "z"})
    path = written(tmp_path, text, "t.jsonl")
    with pytest.raises(TableError, match=r"t.jsonl', line 2, column 'tags': nested values"):
        read(path)
    source: Any = open_table(path)
    (chunk,) = source.passing(["a"]).chunks()
    assert chunk.columns.names == ("a",)
    assert chunk.raw["tags"].to_pylist() == [None, '["p", "q"]', None]
    (chunk,) = source.select(["a"]).chunks()
    assert chunk.raw.schema.names == ["a"]


@pytest.mark.parametrize(
    ("row", "where"),
    [
        (r'{"a": "\ud800"}', "column 'a': '.ud800'"),
        (r'{"a": "\uDBFF."}', "column 'a': '.udbff.'"),
        (r'{"a": {"\ud800": 1}}', "column 'a': '{\".ud800\": 1}'"),
        (r'{"a": 1, "\udfff": 1}', "the name of a column: '.udfff'"),
    ],
)
def test_half_of_a_surrogate_pair(tmp_path: Path, row: str, where: str) -> None:
    path = written(tmp_path, f'{{"a": "x"}}\n\n{row}\n', "t.jsonl")
    with pytest.raises(TableError, match=f"t.jsonl', line 3(, |: ){where} cannot be written"):
        read(path)


def test_both_halves_of_a_surrogate_pair(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": "\\ud83d\\ude00"}\n', "t.jsonl")
    assert table(path)["a"].to_pylist() == ["\U0001f600"]


def test_options_of_csv_do_not_apply(tmp_path: Path) -> None:
    path = written(tmp_path, lines({"a": 1}), "t.jsonl")
    with pytest.raises(TableError, match=r"t.jsonl': this is a JSON file: .* of CSV files only"):
        read(Csv(path, separator=";"))


def test_progress_is_of_the_bytes_of_the_file(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(json_file, "BATCH_LINES", 1000)
    rng = np.random.default_rng(0)
    rows = [{"a": text} for text in rng.integers(0, 10**9, 20_000).astype(str)]
    path = written(tmp_path, lines(*rows), "t.jsonl")
    read_so_far = [read for _, read in JsonFile.opened(path).batches(["a"])]
    assert read_so_far == sorted(read_so_far) and read_so_far[-1] == path.stat().st_size
