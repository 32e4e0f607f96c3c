"""One file of a table: what every format of file gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile
from zlib import error as ZlibError

import pyarrow as pa

from galileomix._table.column import Column
from galileomix._table.read.convert import Raw, to_column
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.missing_values import MissingValues
from galileomix.errors import TableError

BATCH_ROWS = 1 << 16
"""The most rows of a batch."""
Batches = Iterator[tuple[Any, int]]
"""Record batches, each with the bytes of the file that have been read so far."""


@dataclass(frozen=True)
class TableFile(ABC):
    """One file: the names of its columns, and its rows as record batches.

    `named` says whether the names stand in the file.
    """

    path: Path
    names: tuple[str, ...]
    named: bool

    @property
    def n_bytes(self) -> int:
        """Its size."""
        with readable(self.path):
            return self.path.stat().st_size

    @abstractmethod
    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns."""

    def column(self, name: str, raw: Raw, declared: Declared, missing: MissingValues) -> Column:
        """Read one column of a batch."""
        return to_column(name, raw, declared, missing)

    def line(self, row: int) -> int | None:
        """Return the line on which a row begins, counted from 1; None in a file without lines."""
        return None


@dataclass(frozen=True)
class TypedFile(TableFile):
    """A file whose columns have types of their own: an Arrow schema, which all batches have."""

    schema: Any


@contextmanager
def readable(path: Path) -> Generator[None]:
    """Name the file in errors of reading it."""
    try:
        yield
    except TableError as error:
        error.file = error.file or str(path)
        raise
    except (pa.ArrowException, BadZipFile, ZlibError, OSError, UnicodeError, EOFError) as error:
        raise TableError(f"cannot be read: {error}", file=str(path)) from error
