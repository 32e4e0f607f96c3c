"""An Arrow IPC file as record batches: what Feather writes, or a stream of batches."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from galileomix._table.read.file_formats import begins_with
from galileomix._table.read.parquet_file import column_names
from galileomix._table.read.table_file import BATCH_ROWS, Batches, TypedFile, readable
from galileomix.errors import TableError

FILE_MARK, OLD_FEATHER_MARK = b"ARROW1", b"FEA1"


@dataclass(frozen=True)
class ArrowFile(TypedFile):
    """An Arrow IPC file."""

    @classmethod
    def opened(cls, path: Path) -> ArrowFile:
        """Look at the columns of a file, and close it again."""
        if begins_with(path, OLD_FEATHER_MARK):
            raise TableError("this is Feather of version 1: write it again as version 2")
        with _reader(path) as (reader, _):
            return cls(path, column_names(reader.schema), True, reader.schema)

    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns, with their types."""
        with readable(self.path), _reader(self.path) as (reader, file):
            for batch in _record_batches(reader):
                chosen = batch.select(list(names))
                for first in range(0, batch.num_rows, BATCH_ROWS):
                    yield chosen.slice(first, BATCH_ROWS), file.tell()


@contextmanager
def _reader(path: Path) -> Generator[tuple[Any, Any]]:
    """Open a file, of which there are two kinds: with a list of its batches, and without."""
    opened = pa.ipc.open_file if begins_with(path, FILE_MARK) else pa.ipc.open_stream
    with pa.OSFile(str(path)) as file, opened(file) as reader:
        yield reader, file


def _record_batches(reader: Any) -> Iterator[Any]:
    if isinstance(reader, pa.ipc.RecordBatchFileReader):
        return map(reader.get_batch, range(reader.num_record_batches))
    return iter(reader)
