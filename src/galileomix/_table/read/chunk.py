"""A table as a sequence of chunks, each of them some rows: what every source of rows gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Columns
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.missing_values import MissingValues
from galileomix.errors import TableError

FindLine = Callable[[int], int | None]


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows of a table, and where they stand."""

    columns: Columns
    first: int = 0  # the number of the first row, in the file where there is one
    file: str | None = None
    line: FindLine | None = None  # returns the line of the file that a row begins on, or None
    bytes_read: int = 0  # how much of all files has been read
    raw: Any = None  # the same rows as they stand in the file
    weights: NDArray[np.float64] | None = None  # of the rows, where they come with them

    def placed(self) -> AbstractContextManager[None]:
        """Let errors in these rows say where they are in the whole table."""
        return placed(self.first, self.file, self.line)


@contextmanager
def placed(first: int, file: str | None = None, line: FindLine | None = None) -> Generator[None]:
    """Let errors in a chunk's rows say where these are in the whole table."""
    try:
        yield
    except TableError as error:
        if error.file is None:
            error.file = file
            if error.row is not None:
                error.row += first
                error.line = line(error.row) if line is not None else None
        raise


@dataclass(frozen=True, eq=False, kw_only=True)
class Source(ABC):
    """Where the rows of a table come from."""

    names: tuple[str, ...]
    named: bool  # whether the names are the user's own
    # What the user says of each column.
    declared: tuple[Declared, ...]
    # What means missing, where rows are still to be read.
    missing: MissingValues = field(default_factory=MissingValues)
    n_rows: int | None = None  # the number of rows, where it is known beforehand
    once: bool = False  # whether `chunks` can be called only once

    @property
    def bytes_total(self) -> int:
        """The size of the files; zero where there are none."""
        return 0

    @property
    def first_file(self) -> str | None:
        """The first of its files, where there are any."""
        return None

    @property
    def weighted(self) -> bool:
        """Whether chunks come with the weights of their rows."""
        return False

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of how the table is read."""
        return ()

    def select(self, names: Sequence[str]) -> Self:
        """Return some of the columns, in the order given."""
        declared = dict(zip(self.names, self.declared, strict=True))
        return replace(self, names=tuple(names), declared=tuple(map(declared.__getitem__, names)))

    @abstractmethod
    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows. A column of a CSV file comes as text."""


def no_rows(source: Source) -> TableError:
    """Return the error for a table without rows."""
    shape = (0, len(source.names))
    return TableError(
        f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required.",
        file=source.first_file,
    )
