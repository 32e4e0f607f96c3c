"""The same rows from wherever they come: the same schema and the same blocks, to the bit."""

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import csv, dataset, parquet

from galileomix._table import (
    BLOCK_ROWS,
    Block,
    Csv,
    Folder,
    Prepared,
    Reading,
    Rules,
    Schema,
    binning_of,
    bytes_of,
    encode,
    open_table,
    prepare,
    read,
)
from galileomix._table.blocks.store import DiskBlocks, PackedBlocks
from galileomix._table.read.sources import BatchSource
from galileomix.errors import CacheError, TableError, TableTypeError
from table.helpers import schema_of

N = 2 * BLOCK_ROWS + 1000
CUTS = [0, 5000, 5001, 12_000, N]


def table() -> pa.Table:
    rng = np.random.default_rng(0)
    words = [f"word {i}" for i in range(300)]
    hole = rng.random(N) < 0.1
    return pa.table(
        {
            "color": pa.array(rng.choice(["red", "green", "blue"], N)),
            "word": pa.array(rng.choice(words, N), mask=hole),
            "size": pa.array(rng.integers(0, 5, N)),
            "width": pa.array(np.round(rng.normal(size=N), 3), mask=rng.random(N) < 0.1),
            "late": pa.array(np.where(np.arange(N) < N - 9, 1.0, 2.5)),
        }
    )


TABLE = table()
PARTS = [TABLE[first:last] for first, last in pairwise(CUTS)]


def csv_files(folder: Path) -> list[Path]:
    """In one file a column is of integers, as it is written, and in the last it is not."""
    paths = [folder / f"part-{number}.csv" for number in range(len(PARTS))]
    for path, part in zip(paths, PARTS, strict=True):
        late = pa.array([str(x).removesuffix(".0") for x in part["late"].to_pylist()])
        csv.write_csv(part.set_column(4, "late", late), path)
    return paths


def parquet_files(folder: Path) -> list[Path]:
    paths = [folder / f"part-{number}.parquet" for number in range(len(PARTS))]
    for path, part in zip(paths, PARTS, strict=True):
        parquet.write_table(part, path, row_group_size=3000)
    return paths


def batches(folder: Path) -> Iterator[pa.RecordBatch]:
    return (batch for part in PARTS for batch in part.to_batches())


SOURCES: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda folder: TABLE.to_pandas(),
    "arrow": lambda folder: TABLE,
    "CSV files": csv_files,
    "CSV pattern": lambda folder: (csv_files(folder), str(folder / "*.csv"))[1],
    "CSV directory": lambda folder: (csv_files(folder), folder)[1],
    "Csv": lambda folder: Csv(csv_files(folder), separator=","),
    "Parquet files": parquet_files,
    "Parquet pattern": lambda folder: (parquet_files(folder), str(folder / "part-*"))[1],
    "Parquet directory": lambda folder: (parquet_files(folder), str(folder))[1],
    "dataset": lambda folder: dataset.dataset(parquet_files(folder)),
    "batches": batches,
    "list of batches": lambda folder: TABLE.to_batches(5000),
    "list of tables": lambda folder: PARTS,
    "reader": lambda folder: TABLE.to_reader(5000),
    "pandas frames": lambda folder: (part.to_pandas() for part in PARTS),
    "polars frames": lambda folder: (pl.from_arrow(part) for part in PARTS),
}


def ready(source: Any, folder: Folder, limit: int = 10**9, **options: Any) -> Prepared:
    return prepare(open_table(source), folder, Rules(limit), **options)


def same(ours: Block, theirs: Block) -> bool:
    return (
        ours.codes.dtype == theirs.codes.dtype
        and np.array_equal(ours.codes, theirs.codes)
        and np.array_equal(ours.numbers, theirs.numbers, equal_nan=True)
        and np.array_equal(ours.weights, theirs.weights)
    )


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place of its own for temporary folders, so that one can see whether any is left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


@pytest.fixture(scope="module")
def expected() -> Iterator[Prepared]:
    with Folder() as folder:
        yield ready(TABLE, folder)


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("limit", [1, 10**9])
def test_every_source_gives_the_same_blocks(
    kind: str, limit: int, tmp_path: Path, expected: Prepared
) -> None:
    with Folder() as folder:
        got = ready(SOURCES[kind](tmp_path), folder, limit)
        assert repr(got.schema) == repr(expected.schema)
        assert isinstance(got.blocks, DiskBlocks) is (limit == 1)
        assert [len(block) for block in got.blocks] == [BLOCK_ROWS, BLOCK_ROWS, 1000]
        assert all(map(same, got.blocks, expected.blocks))
        assert same(got.blocks[-1], expected.blocks[-1])
        assert all(map(same, got.every(), expected.blocks))
        assert all(each.codes.flags.c_contiguous for each in got.blocks)
        assert all(each.numbers.flags.writeable for each in got.blocks)
    assert not list(Path(tempfile.gettempdir()).iterdir())


@pytest.mark.parametrize("kind", ["pandas", "CSV files", "batches"])
def test_weights_flow_across_the_borders_of_chunks(kind: str, tmp_path: Path) -> None:
    weights = np.arange(N) % 3.0
    kept = TABLE.filter(pa.array(weights > 0))
    with Folder() as folder, Folder() as other:
        got = ready(SOURCES[kind](tmp_path), folder, 1, sample_weight=weights)
        whole = ready(kept, other, sample_weight=weights[weights > 0])
        assert got.schema == whole.schema
        assert all(map(same, got.blocks, whole.blocks))
        assert sum(map(len, got.every())) == N
    for wrong in (np.ones(N + 1), np.ones(N - 1), np.ones(3)):
        with Folder() as folder, pytest.raises(TableError, match=r"sample_weight(.shape| has)"):
            ready(SOURCES[kind](tmp_path), folder, sample_weight=wrong)


def test_columns_of_files_may_stand_in_another_order(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\nx,1\n")
    (tmp_path / "b.csv").write_text("b,a\n2,y\n")
    assert [set(each.values) for each in read(tmp_path).columns] == [
        {"x", "y", None},
        {1, 2, None},
    ]


def test_files_that_are_not_of_one_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\nx,1\n")
    (tmp_path / "b.csv").write_text("a,c\ny,2\n")
    with pytest.raises(TableError, match=r"b.csv' has no 'b', which .*a.csv' has"):
        read(tmp_path)
    parquet.write_table(pa.table({"a": ["x"], "b": [1]}), tmp_path / "c.parquet")
    with pytest.raises(TableError, match=r"one format: .*a.csv' and .*c.parquet' differ"):
        read([tmp_path / "a.csv", tmp_path / "c.parquet"])
    parquet.write_table(pa.table({"a": ["x"], "b": [1.5]}), tmp_path / "d.parquet")
    with pytest.raises(TableError, match=r"column 'b': int64 in .*c.parquet' and double in"):
        read(str(tmp_path / "*.parquet"))


def test_no_files(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="this directory has no CSV or Parquet files"):
        read(tmp_path)
    with pytest.raises(TableError, match=r"no files match .*\*.csv"):
        read(str(tmp_path / "*.csv"))
    with pytest.raises(TableError, match=r"no such file: .*b.csv"):
        read([str(tmp_path / "b.csv")])
    (tmp_path / "_temporary.csv").write_text("a\n1\n")
    with pytest.raises(TableError, match="no CSV or Parquet files"):
        read(tmp_path)


def test_files_without_rows_among_others(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n")
    with pytest.raises(TableError, match="a header but no rows"):
        read(tmp_path)
    (tmp_path / "b.csv").write_text("a,b\nx,1\n")
    assert read(tmp_path).n_rows == 1
    parquet.write_table(TABLE[:0], tmp_path / "a.parquet")
    with pytest.raises(TableError, match=r"0 sample\(s\)"):
        read(tmp_path / "a.parquet")


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
    day = pa.array(["2020-01-31", "2020-02-01"]).cast(pa.date32())
    parquet.write_table(pa.table({"day": day, "b": ["x", "y"]}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"t.parquet', column 'day': dates or times.*turn it into"):
        read(tmp_path / "t.parquet")
    assert open_table(tmp_path / "t.parquet").select(["b"]).names == ("b",)
    parquet.write_table(pa.table({"deep": [[1], [2]]}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"t.parquet', column 'deep': nested"):
        read(tmp_path / "t.parquet")
    parquet.write_table(pa.table({"x": [1.5] * 70_000 + [np.inf]}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"t.parquet', column 'x', row 70000: inf"):
        read(tmp_path / "t.parquet")


def test_iterators_of_something_else() -> None:
    with pytest.raises(TableTypeError, match="must give record batches or frames, not 'list'"):
        open_table(iter([["a", "b"]]))
    with pytest.raises(TableError, match="no batches"):
        open_table(iter([]))


def test_a_block_that_was_changed_on_disk() -> None:
    with Folder() as folder:
        blocks = ready(TABLE, folder, 1).blocks
        assert isinstance(blocks, DiskBlocks)
        with open(blocks.path, "r+b") as file:
            file.seek(os.path.getsize(blocks.path) // 2)
            file.write(b"\xff\xfe\xfd")
        assert len(blocks[0]) == BLOCK_ROWS
        with pytest.raises(CacheError, match=r"block 1 in .* is not what was written"):
            list(blocks)
        blocks.path.write_bytes(b"")
        with pytest.raises(CacheError, match="shorter than what was written"):
            _ = blocks[0]
        blocks.path.unlink()
        with pytest.raises(CacheError, match="cannot read"):
            _ = blocks[0]
        with pytest.raises(IndexError):
            _ = blocks[3]
        assert blocks[5:] == []


def test_a_disk_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("builtins.open", full)
    with Folder() as folder, pytest.raises(CacheError, match=r"No space left.*TMPDIR"):
        ready(TABLE, folder, 1)


@pytest.mark.filterwarnings("ignore:column 'id' looks like")
def test_each_column_is_as_narrow_on_disk_as_it_can_be() -> None:
    rows = 3 * BLOCK_ROWS
    wide = {f"s{m}": np.arange(rows) % 3 for m in range(9)} | {"id": np.arange(rows) * 7}
    with Folder() as folder:
        blocks = ready(wide, folder, 1).blocks
        assert isinstance(blocks, DiskBlocks)
        assert blocks.path.stat().st_size == rows * (9 * 1 + 2)
        assert blocks[0].codes.dtype == np.uint16


@pytest.mark.filterwarnings("ignore:column 'id' looks like")
def test_one_wide_column_makes_no_other_wider() -> None:
    """A block has one type for all codes, but only while it is used."""
    rows = BLOCK_ROWS + 10
    wide = {f"s{m}": np.arange(rows) % 3 for m in range(9)} | {"id": [f"c{i}" for i in range(rows)]}
    with Folder() as folder:
        blocks = ready(wide, folder).blocks
        assert isinstance(blocks, PackedBlocks)
        assert not isinstance(blocks, DiskBlocks)
        assert sum(map(len, blocks._data)) == rows * (9 * 1 + 2)
        plain = encode(read(wide), schema_of(read(wide)))
        assert all(map(same, blocks, plain))


def test_reading_is_told(tmp_path: Path) -> None:
    told: list[Reading] = []
    with Folder() as folder:
        ready(csv_files(tmp_path), folder, report=told.append)
    scans = [each for each in told if each.stage == "scan" and each.done]
    assert len(scans) == 2  # a column became numbers in the last file
    encoding = [each for each in told if each.stage == "encode"]
    assert [each.rows for each in encoding] == [*CUTS[1:], N]
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert encoding[-1].bytes_read == encoding[-1].bytes_total == total
    assert [each.bytes_read for each in encoding] == sorted(each.bytes_read for each in encoding)
    assert encoding[-1].seconds_left == 0
    assert str(encoding[-1]).startswith(f"encoding: {N} rows, ")


def test_sizes_of_memory() -> None:
    assert bytes_of(None) > 10**8
    assert bytes_of("2k") == 2000
    assert bytes_of("2 KiB") == 2048
    for wrong in ("lots", 0, -1, True, 2.5, "0MB", ""):
        with pytest.raises(ValueError, match="memory_limit"):
            bytes_of(wrong)  # type: ignore[arg-type]


def test_frames_of_an_iterator_may_differ_in_their_types() -> None:
    frames = [pd.DataFrame({"a": pd.Categorical(["x"])}), pd.DataFrame({"a": ["y"]})]
    with Folder() as folder:
        got = ready(iter(frames), folder)
        assert got.schema == Schema(got.schema.attributes)
        assert got.schema.categorical[0].values == ("x", "y")


def test_frames_of_an_iterator_that_arrow_has_no_type_for() -> None:
    with pytest.raises(TableError, match="a frame of the iterator cannot be used"):
        open_table(iter([pd.DataFrame({"a": ["x", 1]})]))


def test_the_index_of_pandas_is_no_column(tmp_path: Path) -> None:
    pd.DataFrame({"a": ["x", "y"]}, index=[5, 7]).to_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").names == ("a",)


def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\nx,1\ny,2\n")

    def append(reading: Reading) -> None:
        if reading.stage == "scan" and reading.done:
            path.write_text("a,b\nx,1\nnew,2\n")

    with Folder() as folder, pytest.raises(TableError, match=r"t.csv', line 3, column 'a': 'new'"):
        ready(path, folder, report=append)


def test_notes_on_many_files_are_not_all_shown(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / f"{number}.csv").write_bytes(b"a,b\n\xe9,1\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(tmp_path)
    assert len(caught) == 6
    assert "4 more such notes" in str(caught[-1].message)


def test_intervals_from_every_source(tmp_path: Path) -> None:
    rules = Rules(10**9, binning=binning_of("quantile"))
    with Folder() as folder, Folder() as other:
        one = prepare(open_table(csv_files(tmp_path)), folder, rules)
        two = prepare(open_table(TABLE), other, rules)
        assert repr(one.schema) == repr(two.schema)
        assert all(map(same, one.blocks, two.blocks))


def test_scanners_of_datasets(tmp_path: Path) -> None:
    scanners = [
        dataset.dataset(TABLE).scanner(),
        dataset.Scanner.from_batches(TABLE.to_batches(), schema=TABLE.schema),
    ]
    with Folder() as folder:
        expected = ready(TABLE, folder).schema
    for scanner in scanners:
        with Folder() as folder:
            assert ready(scanner, folder).schema == expected
    some = dataset.dataset(TABLE).scanner(columns=TABLE.schema.names[1:2])
    assert open_table(some).names == tuple(TABLE.schema.names[1:2])


def test_only_selected_columns_of_an_iterator_are_kept(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", "y"], "wide": ["w" * 100_000, "v" * 100_000]})
    source = open_table(iter(table.to_batches())).select(["a"])
    assert isinstance(source, BatchSource)
    again = source.spooled(tmp_path)
    assert (tmp_path / "batches").stat().st_size < 10_000
    assert [chunk.columns.n_rows for chunk in again.chunks()] == [2]


@pytest.mark.parametrize(
    ("later", "words"), [(["a"], "text"), ([1.5], "numbers"), ([True], "booleans")]
)
def test_batches_that_do_not_agree(later: list[Any], words: str) -> None:
    parts = [pa.table({"x": [1, 2]}), pa.table({"x": pa.nulls(3)}), pa.table({"x": later})]
    with pytest.raises(TableError, match=rf"column 'x': .* at row 5 holds {words}, .* integers"):
        read(iter(parts))
    assert read(iter(parts), categorical=["x"]).n_rows == 6


def test_too_few_weights_for_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n" + "x\ny\n" * 100)
    message = r"sample_weight has 5 weights, but the table has at least 200 rows: give one for each"
    with Folder() as folder, pytest.raises(TableError, match=message):
        ready(tmp_path / "t.csv", folder, sample_weight=np.ones(5))
