"""Parquet files, datasets and iterators of batches."""

import datetime
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from galileomix._table import (
    Folder,
    TypeChoices,
    open_table,
    read,
)
from galileomix._table.read.sources import BatchSource
from galileomix.errors import TableError, TableTypeError
from table.helpers import parquet_files, ready, types_of


@pytest.mark.usefixtures("temporary")
def test_a_parquet_file_cut_short(tmp_path: Path) -> None:
    [path, *_] = parquet_files(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(TableError, match=r"part-0.parquet': cannot be read"):
        read(path)
    path.write_bytes(data[:100] + bytes(len(data) - 5100) + data[-5000:])
    with pytest.raises(TableError, match=r"part-0.parquet': cannot be read"), Folder() as folder:
        ready(path, folder)
    assert not list(Path(tempfile.gettempdir()).iterdir())


def test_bad_columns_of_files_are_named(tmp_path: Path) -> None:
    table = pa.table({"deep": [[1], [2]], "b": ["x", "y"]})
    parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"t.parquet', column 'deep': nested"):
        read(tmp_path / "t.parquet")
    assert open_table(tmp_path / "t.parquet").select(["b"]).names == ("b",)
    assert read(tmp_path / "t.parquet", TypeChoices(drop=["deep"])).names == ("deep", "b")
    parquet.write_table(pa.table({"x": [1.5] * 70_000 + [np.inf]}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"t.parquet', column 'x', row 70000: inf"):
        read(tmp_path / "t.parquet")


def test_the_index_of_pandas_is_no_column(tmp_path: Path) -> None:
    pd.DataFrame({"a": ["x", "y"]}, index=[5, 7]).to_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").names == ("a",)


def test_iterators_of_something_else() -> None:
    with pytest.raises(TableTypeError, match="must give record batches or frames, not 'list'"):
        open_table(iter([["a", "b"]]))
    with pytest.raises(TableError, match="no batches"):
        open_table(iter([]))


def test_frames_of_an_iterator_that_arrow_has_no_type_for() -> None:
    with pytest.raises(TableError, match="a frame of the iterator cannot be used"):
        open_table(iter([pd.DataFrame({"a": ["x", 1]})]))


def test_only_selected_columns_of_an_iterator_are_kept(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", "y"], "wide": ["w" * 100_000, "v" * 100_000]})
    source = open_table(iter(table.to_batches())).select(["a"])
    assert isinstance(source, BatchSource)
    again = source.spooled(tmp_path)
    assert (tmp_path / "batches").stat().st_size < 10_000
    assert [chunk.columns.n_rows for chunk in again.chunks()] == [2]


@pytest.mark.parametrize(
    ("later", "words"),
    [(["a"], "text"), ([True], "booleans"), ([datetime.date(2020, 1, 31)], "dates")],
)
def test_batches_that_do_not_agree(later: list[Any], words: str) -> None:
    parts = [pa.table({"x": [1, 2]}), pa.table({"x": pa.nulls(3)}), pa.table({"x": later})]
    with pytest.raises(TableError, match=rf"column 'x': .* at row 5 holds {words}, .* numbers"):
        read(iter(parts))
    assert read(iter(parts), TypeChoices(categorical=["x"])).n_rows == 6


def test_batches_of_integers_and_of_floats_are_numbers() -> None:
    parts = [pa.table({"x": [1, 2]}), pa.table({"x": pa.nulls(2)}), pa.table({"x": [1.5]})]
    for order in (parts, parts[::-1]):
        assert types_of(iter(order)) == {"x": "number"}
