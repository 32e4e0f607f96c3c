"""Where rows come from: a table in memory, files, datasets, iterators of record batches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa

from galileomix._table.column import Column, Columns, NumberColumn, TextColumn
from galileomix._table.read.arrow_cells import check_cells
from galileomix._table.read.chunk import Chunk, Source, no_rows, placed
from galileomix._table.read.convert import as_categories, family, text_column, to_column
from galileomix._table.read.csv_file import CsvFile
from galileomix._table.read.dataset_batches import ReadBatches, not_there
from galileomix._table.read.declared_types import Declared, some, undeclared
from galileomix._table.read.factor import factor_parts
from galileomix._table.read.table_file import TableFile
from galileomix.errors import TableError

ReadColumn = Callable[..., Column]


@dataclass(frozen=True, eq=False, kw_only=True)
class HeldSource(Source):
    """A table in memory: one chunk."""

    columns: Columns

    @classmethod
    def of(cls, columns: Columns, declared: tuple[Declared, ...] = ()) -> HeldSource:
        """Return the source of columns that have been read."""
        return cls(
            names=columns.names,
            named=columns.named,
            declared=declared or columns.declared or undeclared(columns.names),
            n_rows=columns.n_rows,
            columns=columns,
        )

    def select(self, names: Sequence[str]) -> Self:
        """Return some of the columns, in the order given."""
        return replace(super().select(names), columns=self.columns.select(names))

    def chunks(self) -> Iterator[Chunk]:
        """Yield all rows."""
        yield Chunk(self.columns)


@dataclass(frozen=True, eq=False, kw_only=True)
class FileSource(Source):
    """Rows of one or more files, one after the other.

    Columns of `passed_through` are in the raw rows of a chunk; they are looked at only for
    cells that cannot be written. What is `sent` is read by a worker of a cluster.
    """

    files: tuple[TableFile, ...]
    passed_through: tuple[str, ...] = ()
    sent: bool = False

    @property
    def bytes_total(self) -> int:
        """The size of the files."""
        return sum(file.n_bytes for file in self.files)

    @property
    def first_file(self) -> str:
        """The first of the files."""
        return str(self.files[0].path)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of how they are read."""
        csv_files = (file for file in self.files if isinstance(file, CsvFile))
        return tuple(note for file in csv_files for note in file.notes)

    def passing(self, names: Sequence[str]) -> FileSource:
        """Return some of the columns, with the others passed through."""
        others = tuple(name for name in self.names if name not in names)
        return replace(self.select(names), passed_through=others)

    def apart(self) -> list[Source]:
        """Return each file as a source of its own, for a worker of a cluster to read."""
        files = [replace(file, path=file.path.absolute()) for file in self.files]
        return [replace(self, files=(file,), sent=True) for file in files]

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows, as many at a time as are read at once."""
        before, names = 0, (*self.names, *self.passed_through)
        for file in self.files:
            first, path = 0, str(file.path)
            if self.sent and not os.access(path, os.R_OK):
                raise not_there(path)
            for batch, read in file.batches(names):
                with placed(first, path, file.line):
                    columns = _columns(self, batch, file.column)
                    raw = batch.rename_columns(list(names))
                    for name in self.passed_through:
                        check_cells(name, raw.column(name))
                yield Chunk(columns, first, path, file.line, before + read, raw)
                first += batch.num_rows
            before += file.n_bytes


@dataclass(frozen=True, eq=False, kw_only=True)
class BatchSource(Source):
    """Rows of record batches, and those of each of the files that they lie in, if any."""

    batches: ReadBatches
    of_files: tuple[ReadBatches, ...] = ()

    def apart(self) -> list[Source]:
        """Return each file as a source of its own, for a worker of a cluster to read."""
        return [replace(self, batches=file, of_files=()) for file in self.of_files]

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows, as they come."""
        first = 0
        families: dict[str, str] = {}
        for batch in self.batches(self.names):
            if batch.num_rows:
                self._check(batch.schema, first, families)
                with placed(first):
                    columns = _columns(self, batch.select(list(self.names)), to_column)
                yield Chunk(columns, first)
                first += batch.num_rows

    def _check(self, schema: Any, first: int, families: dict[str, str]) -> None:
        """Refuse a batch whose columns are not those of the batches before it."""
        where = f"the batch that begins at row {first}"
        absent = set(self.names) - set(schema.names)
        if absent:
            raise TableError(f"{where} has no column {some(sorted(absent), 5)}, which others have")
        for name, declared in zip(self.names, self.declared, strict=True):
            found = family(schema.field(name).type)
            before = families.setdefault(name, found) if found != "any" else found
            if declared.type == "auto" and found != before:
                raise TableError(
                    f"{where} holds {found}, batches before it {before}: make them agree, or say "
                    f"in `categorical` which columns are categorical",
                    column=name,
                )

    def spooled(self, folder: Path) -> BatchSource:
        """Return the same rows, stored on disk to be read again."""
        path = folder / "batches"
        with pa.OSFile(str(path), "wb") as sink:
            for batch in self.batches(self.names):
                # A column that is absent is an error when the rows are read.
                batch = batch.select([name for name in batch.schema.names if name in self.names])
                with pa.ipc.new_stream(sink, batch.schema) as writer:
                    writer.write(batch)
        return replace(self, batches=partial(_spooled, path), once=False)


def _spooled(path: Path, names: Sequence[str]) -> Iterator[Any]:
    """Yield streams of record batches, one after the other in a file: their types may differ."""
    with pa.OSFile(str(path)) as source:
        while source.tell() < source.size():
            with pa.ipc.open_stream(source) as reader:
                yield from reader


def _columns(source: Source, batch: Any, read_column: ReadColumn) -> Columns:
    columns = tuple(
        read_column(name, raw, declared, source.missing)
        for name, raw, declared in zip(source.names, batch.columns, source.declared, strict=False)
    )
    return Columns(columns, batch.num_rows, source.named)


def whole(source: Source) -> Columns:
    """Return all rows of a source."""
    if isinstance(source, HeldSource):
        return source.columns
    chunks = list(source.chunks())
    if not chunks:
        raise no_rows(source)
    parts = [chunk.columns.columns for chunk in chunks]
    columns = tuple(map(_joined, zip(*parts, strict=True)))
    return Columns(columns, sum(chunk.columns.n_rows for chunk in chunks), source.named)


def _joined(parts: Sequence[Column]) -> Column:
    if len(parts) == 1:
        return parts[0]
    name = parts[0].name
    texts = [part for part in parts if isinstance(part, TextColumn)]
    if len(texts) == len(parts):
        return _joined_texts(name, texts)
    numbers = [part for part in parts if isinstance(part, NumberColumn)]
    if len(numbers) == len(parts):
        return NumberColumn(name, np.concatenate([n.values for n in numbers]), numbers[0].unit)
    categories = [as_categories(part) for part in parts]
    ordered = all(part.ordered for part in categories)
    return factor_parts(name, [(part.values, part.codes) for part in categories], ordered)


def _joined_texts(name: str, parts: Sequence[TextColumn]) -> TextColumn:
    """Return one column of text, each text once."""
    arrays = [pa.DictionaryArray.from_arrays(_indices(part), part.texts) for part in parts]
    joined = text_column(name, pa.chunked_array(arrays).unify_dictionaries())
    return replace(joined, spelled=frozenset().union(*(part.spelled for part in parts)))


def _indices(part: TextColumn) -> Any:
    return pa.array(part.codes, mask=part.codes < 0)
