"""Sources of rows that come in chunks: files, datasets, iterators of record batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from galileomix._table.column import Column, Columns, TextColumn
from galileomix._table.read.chunk import Chunk, placed
from galileomix._table.read.convert import Raw, to_column
from galileomix._table.read.missing_cells import Holes
from galileomix._table.read.table_files import BATCH_ROWS, CsvFile, TableFile, family, line_finder
from galileomix._table.read.text_meaning import Kind
from galileomix.errors import TableError


@dataclass(frozen=True, eq=False)
class FileSource:
    """Rows of one or more files, one after the other.

    Columns that are `beside` the others are not looked at, but are in the raw rows of a chunk.
    """

    files: tuple[TableFile, ...]
    names: tuple[str, ...]
    named: bool
    kinds: tuple[Kind, ...]
    missing_values: tuple[str, ...] = ()
    n_rows: int | None = None
    once: bool = False
    beside: tuple[str, ...] = ()

    @property
    def bytes_total(self) -> int:
        """The size of the files."""
        return sum(file.n_bytes for file in self.files)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of how they are read."""
        dialects = [file.dialect for file in self.files if isinstance(file, CsvFile)]
        return tuple(note for dialect in dialects for note in dialect.notes)

    def select(self, names: Sequence[str]) -> FileSource:
        """Return some of the columns, in the order given."""
        return replace(self, names=tuple(names), kinds=_selected(self.names, self.kinds, names))

    def passing(self, names: Sequence[str]) -> FileSource:
        """Return some of the columns, with the others beside them."""
        others = tuple(name for name in self.names if name not in names)
        return replace(self.select(names), beside=others)

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows, as many at a time as are read at once."""
        before, every = 0, (*self.names, *self.beside)
        for file in self.files:
            first, name, line = 0, str(file.path), line_finder(file)
            for batch, read in file.batches(every):
                with placed(first, name, line):
                    columns = _columns(batch, self)
                raw = batch.rename_columns(list(every))
                yield Chunk(columns, first, name, line, before + read, raw)
                first += batch.num_rows
            before += file.n_bytes


@dataclass(frozen=True, eq=False)
class BatchSource:
    """Rows of record batches, which a function yields.

    Parameters
    ----------
    batches : callable
        Takes the names of columns and yields record batches or tables.
    names, named, kinds, missing_values, n_rows
        As of every source.
    once : bool
        Whether the function can be called only once.
    """

    batches: Callable[[Sequence[str]], Iterator[Any]]
    names: tuple[str, ...]
    named: bool
    kinds: tuple[Kind, ...]
    missing_values: tuple[str, ...] = ()
    once: bool = False
    n_rows: int | None = None
    bytes_total: int | None = None
    notes: tuple[str, ...] = ()

    def select(self, names: Sequence[str]) -> BatchSource:
        """Return some of the columns, in the order given."""
        return replace(self, names=tuple(names), kinds=_selected(self.names, self.kinds, names))

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows, as they come."""
        first = 0
        families: dict[str, str] = {}
        for batch in self.batches(self.names):
            if batch.num_rows:
                self._check(batch.schema, first, families)
                with placed(first):
                    columns = _columns(batch.select(list(self.names)), self)
                yield Chunk(columns, first)
                first += batch.num_rows

    def _check(self, schema: Any, first: int, families: dict[str, str]) -> None:
        """Refuse a batch whose columns are not those of the batches before it."""
        where = f"the batch that begins at row {first}"
        absent = set(self.names) - set(schema.names)
        if absent:
            shown = ", ".join(map(repr, sorted(absent)[:5]))
            raise TableError(f"{where} has no column {shown}, which others have")
        for name, kind in zip(self.names, self.kinds, strict=True):
            found = family(schema.field(name).type)
            before = families.setdefault(name, found) if found != "any" else found
            if kind == "auto" and found != before:
                raise TableError(
                    f"{where} holds {found}, batches before it {before}: make them agree, or say "
                    f"in `categorical` which columns are categorical",
                    column=name,
                )

    def spooled(self, folder: Path) -> BatchSource:
        """Return the same rows, kept on disk to be read again."""
        path = folder / "batches"
        with pa.OSFile(str(path), "wb") as sink:
            for batch in self.batches(self.names):
                # What is absent is told of when the rows are read.
                batch = batch.select([name for name in batch.schema.names if name in self.names])
                with pa.ipc.new_stream(sink, batch.schema) as writer:
                    writer.write(batch)
        return replace(self, batches=_Spool(path), once=False)


@dataclass(frozen=True)
class _Spool:
    """Streams of record batches, one after the other in a file: their types may differ."""

    path: Path

    def __call__(self, names: Sequence[str]) -> Iterator[Any]:
        with pa.OSFile(str(self.path)) as source:
            while source.tell() < source.size():
                with pa.ipc.open_stream(source) as reader:
                    yield from reader


def dataset_batches(dataset: Any) -> Callable[[Sequence[str]], Iterator[Any]]:
    """Return what yields the rows of an Arrow dataset, few at a time."""

    def batches(names: Sequence[str]) -> Iterator[Any]:
        return dataset.to_batches(
            columns=list(names), batch_size=BATCH_ROWS, batch_readahead=2, fragment_readahead=1
        )

    return batches


def _selected(
    names: Sequence[str], kinds: Sequence[Kind], chosen: Sequence[str]
) -> tuple[Kind, ...]:
    by_name = dict(zip(names, kinds, strict=True))
    return tuple(by_name[name] for name in chosen)


def _columns(batch: Any, source: FileSource | BatchSource) -> Columns:
    text = isinstance(source, FileSource) and isinstance(source.files[0], CsvFile)
    read = _text_column if text else to_column
    columns = tuple(
        read(name, raw, kind, source.missing_values)
        for name, raw, kind in zip(source.names, batch.columns, source.kinds, strict=False)
    )
    return Columns(columns, batch.num_rows, source.named)


def _text_column(name: str, raw: Raw, kind: Kind, missing_values: Sequence[str]) -> Column:
    filled = raw.indices.fill_null(-1) if raw.null_count else raw.indices
    codes = np.asarray(filled.to_numpy(zero_copy_only=False))
    texts = raw.dictionary
    if missing_values and len(texts):
        kept = ~Holes.of(missing_values).written(texts)
        table = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1).astype(codes.dtype)
        texts, codes = texts.filter(kept), table[codes]
    return TextColumn(name, texts, codes)
