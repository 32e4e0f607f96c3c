"""The same rows from wherever they come: the same schema and the same blocks, to the bit."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import dataset

from galileomix import Progress
from galileomix._table import (
    BLOCK_ROWS,
    AttributeRules,
    Csv,
    Folder,
    Prepared,
    Rules,
    binning_of,
    open_table,
    prepare,
)
from galileomix._table.blocks.store import DiskBlocks
from galileomix.errors import TableError
from table.helpers import (
    CUTS,
    IN_MEMORY,
    ON_DISK,
    PARTS,
    TABLE,
    N,
    csv_files,
    parquet_files,
    ready,
    same,
)

pytestmark = pytest.mark.usefixtures("temporary")


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


@pytest.fixture(scope="module")
def expected() -> Iterator[Prepared]:
    with Folder() as folder:
        yield ready(TABLE, folder)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("rules", [ON_DISK, IN_MEMORY])
def test_every_source_gives_the_same_blocks(
    source: str, rules: Rules, tmp_path: Path, expected: Prepared
) -> None:
    with Folder() as folder:
        got = ready(SOURCES[source](tmp_path), folder, rules)
        assert repr(got.schema) == repr(expected.schema)
        assert isinstance(got.blocks, DiskBlocks) is (rules is ON_DISK)
        assert [len(block) for block in got.blocks] == [BLOCK_ROWS, BLOCK_ROWS, 1000]
        assert all(map(same, got.blocks, expected.blocks))
        assert same(got.blocks[-1], expected.blocks[-1])
        assert all(map(same, got.every(), expected.blocks))
        assert all(block.codes.flags.c_contiguous for block in got.blocks)
        assert all(block.numbers.flags.writeable for block in got.blocks)
    assert not list(Path(tempfile.gettempdir()).iterdir())


@pytest.mark.parametrize("source", ["pandas", "CSV files", "batches"])
def test_weights_flow_across_the_borders_of_chunks(source: str, tmp_path: Path) -> None:
    weights = np.arange(N) % 3.0
    kept = TABLE.filter(pa.array(weights > 0))
    with Folder() as folder, Folder() as other:
        got = ready(SOURCES[source](tmp_path), folder, ON_DISK, sample_weight=weights)
        whole = ready(kept, other, sample_weight=weights[weights > 0])
        assert got.schema == whole.schema
        assert all(map(same, got.blocks, whole.blocks))
        assert sum(map(len, got.every())) == N
    for wrong in (np.ones(N + 1), np.ones(N - 1), np.ones(3)):
        with Folder() as folder, pytest.raises(TableError, match=r"sample_weight(.shape| has)"):
            ready(SOURCES[source](tmp_path), folder, sample_weight=wrong)


def test_too_few_weights_for_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n" + "x\ny\n" * 100)
    message = r"sample_weight has 5 weights, but the table has at least 200 rows: give one for each"
    with Folder() as folder, pytest.raises(TableError, match=message):
        ready(tmp_path / "t.csv", folder, sample_weight=np.ones(5))


def test_reading_is_reported(tmp_path: Path) -> None:
    reports: list[Progress] = []
    with Folder() as folder:
        ready(csv_files(tmp_path), folder, report=reports.append)
    scans = [step for step in reports if step.phase == "reading" and step.done]
    assert len(scans) == 2  # a column became text in the last file
    encoding = [step for step in reports if step.phase == "encoding"]
    assert [step.rows for step in encoding] == [*CUTS[1:-1], N]
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert encoding[-1].bytes_read == encoding[-1].bytes_total == total
    read = [step.bytes_read for step in encoding]
    assert read == sorted(read)
    assert [step.share for step in encoding] == [size / total for size in read]
    assert encoding[-1].seconds_left == 0
    assert str(encoding[-1]).startswith(f"encoding: {N:,} rows (")


def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\nx,1\ny,2\n")

    def append(step: Progress) -> None:
        if step.phase == "reading" and step.done:
            path.write_text("a,b\nx,1\nnew,2\n")

    with Folder() as folder, pytest.raises(TableError, match=r"t.csv', line 3, column 'a': 'new'"):
        ready(path, folder, report=append)


def test_intervals_from_every_source(tmp_path: Path) -> None:
    rules = Rules(10**9, AttributeRules(binning=binning_of("quantile")))
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


def test_frames_of_an_iterator_may_differ_in_their_types() -> None:
    frames = [pd.DataFrame({"a": pd.Categorical(["x"])}), pd.DataFrame({"a": ["y"]})]
    with Folder() as folder:
        got = ready(iter(frames), folder)
        assert got.schema.categorical[0].values == ("x", "y")
