"""A Parquet file as record batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyarrow import parquet

from galileomix._table.read.table_file import BATCH_ROWS, Batches, TypedFile, readable

INDEX = "__index_level_"
"""How pandas names an index that it writes beside the columns."""


@dataclass(frozen=True)
class ParquetFile(TypedFile):
    """A Parquet file."""

    n_rows: int

    @classmethod
    def opened(cls, path: Path) -> ParquetFile:
        """Look at the columns of a file, and close it again: there may be thousands."""
        with parquet.ParquetFile(path) as opened:
            schema = opened.schema_arrow
            return cls(path, column_names(schema), True, schema, opened.metadata.num_rows)

    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns, with their types."""
        done, size = 0, self.n_bytes
        with readable(self.path), parquet.ParquetFile(self.path) as opened:
            for batch in opened.iter_batches(BATCH_ROWS, columns=list(names)):
                done += batch.num_rows
                yield batch.select(list(names)), size * done // max(self.n_rows, 1)


def column_names(schema: Any) -> tuple[str, ...]:
    """Return the names of columns, without an index."""
    return tuple(name for name in schema.names if not name.startswith(INDEX))
