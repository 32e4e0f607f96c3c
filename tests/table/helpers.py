"""What the tests of tables share."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from galileomix._table import (
    BLOCK_ROWS,
    Block,
    Folder,
    Prepared,
    Rules,
    Schema,
    open_table,
    prepare,
    summarise,
)

N = 2 * BLOCK_ROWS + 1000
CUTS = [0, 5000, 5001, 12_000, N]


def schema_of(columns: Any, weights: Any = None, missing: Any = "category", binning: Any = None):
    """Return the schema that a fit would find in columns in memory, with its warnings."""
    summary = summarise(columns, weights, binning=binning)
    summary.warn(missing)
    schema = summary.schema(missing, binning)
    assert isinstance(schema, Schema)
    return schema


def written(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def ready(source: Any, folder: Folder, limit: int = 10**9, **options: Any) -> Prepared:
    """Make a table ready to be fitted."""
    return prepare(open_table(source), folder, Rules(limit), **options)


def same(ours: Block, theirs: Block) -> bool:
    """Return whether two blocks are the same to the bit."""
    return (
        ours.codes.dtype == theirs.codes.dtype
        and np.array_equal(ours.codes, theirs.codes)
        and np.array_equal(ours.numbers, theirs.numbers, equal_nan=True)
        and np.array_equal(ours.weights, theirs.weights)
    )


def table() -> pa.Table:
    rng = np.random.default_rng(0)
    words = [f"word {i}" for i in range(300)]
    missing = rng.random(N) < 0.1
    return pa.table(
        {
            "color": pa.array(rng.choice(["red", "green", "blue"], N)),
            "word": pa.array(rng.choice(words, N), mask=missing),
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
