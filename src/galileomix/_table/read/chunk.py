"""A table as a sequence of chunks, each of them some rows: what every source of rows gives."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from galileomix._table.column import Column, Columns, NumberColumn, TextColumn
from galileomix._table.read.convert import as_categories
from galileomix._table.read.factor import factor_parts
from galileomix._table.read.text_meaning import Evidence, Kind, Meaning, understood
from galileomix.errors import TableError


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows of a table, and where they stand.

    Parameters
    ----------
    columns : Columns
    first : int
        The number of the first row, in the file where there is one.
    file : str, optional
    line : callable, optional
        Returns the line of the file that a row begins on.
    bytes_read : int
        How much of all files has been read.
    raw : record batch, optional
        The same rows as they stand in the file.
    """

    columns: Columns
    first: int = 0
    file: str | None = None
    line: Callable[[int], int] | None = None
    bytes_read: int = 0
    raw: Any = None

    def placed(self) -> AbstractContextManager[None]:
        """Let errors in these rows say where they are in the whole table."""
        return placed(self.first, self.file, self.line)


@contextmanager
def placed(
    first: int, file: str | None = None, line: Callable[[int], int] | None = None
) -> Generator[None]:
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


class Source(Protocol):
    """Where the rows of a table come from.

    `chunks` may be called again and again, unless the source is read `once`. A column of a CSV
    file comes as text, as it is written; `kinds` says what the user knows about columns.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        ...

    @property
    def named(self) -> bool:
        """Whether the names are the user's own."""
        ...

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What the user says of each column."""
        ...

    @property
    def n_rows(self) -> int | None:
        """The number of rows, where it is known beforehand."""
        ...

    @property
    def bytes_total(self) -> int | None:
        """The size of the files, where there are any."""
        ...

    @property
    def once(self) -> bool:
        """Whether the rows can be read only once."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of how it is read."""
        ...

    def select(self, names: Sequence[str]) -> Source:
        """Return some of the columns, in the order given."""
        ...

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows."""
        ...


@dataclass(frozen=True, eq=False)
class HeldSource:
    """A table in memory: one chunk."""

    columns: Columns
    once: bool = False
    bytes_total: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.columns.names

    @property
    def named(self) -> bool:
        """Whether the names are the user's own."""
        return self.columns.named

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Nothing is left to be said of columns that have been read."""
        return ("auto",) * len(self.names)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.columns.n_rows

    def select(self, names: Sequence[str]) -> HeldSource:
        """Return some of the columns, in the order given."""
        return HeldSource(self.columns.select(names))

    def chunks(self) -> Iterator[Chunk]:
        """Yield all rows."""
        yield Chunk(self.columns)


def whole(source: Source) -> Columns:
    """Return all rows of a source, text as what it means."""
    if isinstance(source, HeldSource):
        return source.columns
    chunks = list(source.chunks())
    if not chunks:
        raise no_rows(len(source.names))
    meanings = _meanings(chunks, source.kinds)
    parts = [_understood(chunk, meanings) for chunk in chunks]
    columns = tuple(map(_joined, zip(*parts, strict=True)))
    return Columns(columns, sum(chunk.columns.n_rows for chunk in chunks), source.named)


def _meanings(chunks: Sequence[Chunk], kinds: Sequence[Kind]) -> list[Meaning]:
    """Return what text means in each column, all chunks considered."""
    meanings: list[Meaning] = []
    for m, kind in enumerate(kinds):
        parts = (chunk.columns.columns[m] for chunk in chunks)
        texts = (part.texts for part in parts if isinstance(part, TextColumn))
        evidence = sum(map(Evidence.of, texts), Evidence())
        # An infinite number among others is found, and refused, when they are read as numbers.
        meanings.append("number" if evidence.spoilt(kind) else evidence.meaning(kind))
    return meanings


def _understood(chunk: Chunk, meanings: Sequence[Meaning]) -> list[Column]:
    with chunk.placed():
        return [
            understood(column, meaning) if isinstance(column, TextColumn) else column
            for column, meaning in zip(chunk.columns.columns, meanings, strict=True)
        ]


def _joined(parts: Sequence[Column]) -> Column:
    if len(parts) == 1:
        return parts[0]
    name = parts[0].name
    numbers = [part.values for part in parts if isinstance(part, NumberColumn)]
    if len(numbers) == len(parts):
        return NumberColumn(name, np.concatenate(numbers))
    return factor_parts(name, [(part.values, part.codes) for part in map(as_categories, parts)])


def no_rows(n_columns: int) -> TableError:
    """Return the error for a table without rows."""
    return TableError(
        f"Found array with 0 sample(s) (shape=(0, {n_columns})) while a minimum of 1 is required."
    )
