"""What the tests of tables share."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from galileomix._table import (
    BLOCK_ROWS,
    AttributeRules,
    Block,
    Folder,
    MissingValues,
    Prepared,
    Rules,
    Schema,
    Summary,
    TypeChoices,
    cells,
    open_table,
    prepare,
    read,
)
from galileomix._table.column import Column, TextColumn
from galileomix._table.infer.scan import scan

N = 2 * BLOCK_ROWS + 1000
CUTS = [0, 5000, 5001, 12_000, N]


IN_MEMORY, ON_DISK = Rules(10**9), Rules(1)
NOTHING_SAID, USUAL_MISSING = TypeChoices(), MissingValues()


def summary_of(
    table: Any,
    weights: Any = None,
    *,
    choices: TypeChoices = NOTHING_SAID,
    missing_values: MissingValues = USUAL_MISSING,
) -> Summary:
    """Return the summary of a table, or of columns that have been read."""
    return scan(open_table(table, choices, missing_values), weights)


def schema_of(
    table: Any,
    weights: Any = None,
    *,
    choices: TypeChoices = NOTHING_SAID,
    missing_values: MissingValues = USUAL_MISSING,
    **rules: Any,
) -> Schema:
    """Return the schema that a fit would find, with its warnings."""
    summary = summary_of(table, weights, choices=choices, missing_values=missing_values)
    schema = summary.schema(AttributeRules(**rules))
    summary.warn(schema)
    return schema


def types_of(table: Any, **said: Any) -> dict[str, str]:
    """Return the type of every column by its name."""
    return {column.name: column.type for column in schema_of(table, **said).columns}


def columns_of(
    table: Any, choices: TypeChoices = NOTHING_SAID, missing_values: MissingValues = USUAL_MISSING
) -> dict[str, Column]:
    """Return the columns as a fit reads them: text as what its schema says that it stands for."""
    said = summary_of(table, choices=choices, missing_values=missing_values)
    found, columns = said.schema().columns, read(table, choices, missing_values).columns
    return {
        column.name: taken.format.read(column) if isinstance(column, TextColumn) else column
        for column, taken in zip(columns, found, strict=True)
    }


def rows_of(table: Any, **said: Any) -> list[tuple[Any, ...]]:
    """Return the rows as a fit reads them; None where a cell is missing."""
    columns = [cells(column).tolist() for column in columns_of(table, **said).values()]
    rows = zip(*columns, strict=True)
    return [tuple(None if cell != cell else cell for cell in row) for row in rows]


def written(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def ready(
    source: Any,
    folder: Folder,
    rules: Rules = IN_MEMORY,
    choices: TypeChoices = NOTHING_SAID,
    **options: Any,
) -> Prepared:
    """Make a table ready to be fitted."""
    return prepare(open_table(source, choices), folder, rules, **options)


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
            "late": pa.array(["1"] * (N - 9) + [f"not {i % 5}" for i in range(9)]),
        }
    )


TABLE = table()
PARTS = [TABLE[first:last] for first, last in pairwise(CUTS)]


def csv_files(folder: Path) -> list[Path]:
    """In all files but the last, one column is of numbers, as far as one can see."""
    paths = [folder / f"part-{number}.csv" for number in range(len(PARTS))]
    for path, part in zip(paths, PARTS, strict=True):
        csv.write_csv(part, path)
    return paths


def parquet_files(folder: Path) -> list[Path]:
    paths = [folder / f"part-{number}.parquet" for number in range(len(PARTS))]
    for path, part in zip(paths, PARTS, strict=True):
        parquet.write_table(part, path, row_group_size=3000)
    return paths
