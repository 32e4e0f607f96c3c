"""Files, patterns and directories to one table: which files, of what kind, with what columns."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, cast

import pyarrow as pa
from pyarrow import parquet

from galileomix._table.read import csv_read
from galileomix._table.read.csv_dialect import COMPRESSIONS, Csv, Dialect, sniff
from galileomix.errors import TableError

TEXT_FILES = frozenset({".csv", ".tsv", ".txt", ".data"})
NOT_IN_FOLDERS = (".txt", ".data")
"""In a directory these may be anything; a pattern can name them."""
PARQUET_FILES = frozenset({".parquet", ".pq"})
PARQUET_MARK = b"PAR1"
"""How every Parquet file begins."""
BATCH_ROWS = 1 << 16
INDEX = "__index_level_"

Batches = Iterator[tuple[Any, int]]


class TableFile(Protocol):
    """One file: its columns, and its rows as record batches with the bytes read so far."""

    @property
    def path(self) -> Path:
        """Where it is."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""
        ...

    @property
    def n_bytes(self) -> int:
        """Its size."""
        ...

    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns."""
        ...


@dataclass(frozen=True)
class CsvFile:
    """A file of delimited text."""

    path: Path
    dialect: Dialect

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""
        return self.dialect.names

    @property
    def n_bytes(self) -> int:
        """Its size."""
        return self.path.stat().st_size

    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns, as coded text."""
        if self.dialect.empty:
            return
        wanted = [self.names.index(name) for name in names]
        with readable(self.path):
            yield from csv_read.batches(self.path, self.dialect, wanted)

    def line(self, row: int) -> int:
        """Return the line on which a row begins."""
        return csv_read.line_of(self.path, self.dialect, row)


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file; the schema is Arrow's."""

    path: Path
    schema: Any
    n_rows: int

    @classmethod
    def opened(cls, path: Path) -> ParquetFile:
        """Look at the columns of a file, and close it again: there may be thousands."""
        with parquet.ParquetFile(path) as opened:
            return cls(path, opened.schema_arrow, opened.metadata.num_rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns, but for the index that pandas may have put beside them."""
        return tuple(name for name in self.schema.names if not name.startswith(INDEX))

    @property
    def n_bytes(self) -> int:
        """Its size."""
        return self.path.stat().st_size

    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns, with their types."""
        done, size = 0, self.n_bytes
        with readable(self.path), parquet.ParquetFile(self.path) as opened:
            for batch in opened.iter_batches(BATCH_ROWS, columns=list(names)):
                done += batch.num_rows
                yield batch.select(list(names)), size * done // max(self.n_rows, 1)


@contextmanager
def readable(path: Path) -> Generator[None]:
    """Say which file it is that cannot be read."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError, EOFError) as error:
        raise TableError(f"cannot be read: {error}", file=str(path)) from error


def is_path(table: object) -> bool:
    """Return whether a table is given as a path, as several, or as CSV files."""
    if isinstance(table, str | os.PathLike | Csv):
        return True
    if not isinstance(table, list | tuple) or not table:
        return False
    paths = cast("Sequence[object]", table)
    if all(isinstance(each, os.PathLike) for each in paths):
        return True
    return all(isinstance(each, str | os.PathLike) and _kind(Path(each)) for each in paths)


def open_files(table: Any) -> list[TableFile]:
    """Return the files that a path, a pattern, a directory or a list of these stands for.

    Raises
    ------
    TableError
        Where there are none, or they are not files of one table.
    """
    options = table if isinstance(table, Csv) else Csv(table)
    given = options.path
    several = [given] if isinstance(given, str | os.PathLike) else given
    text = isinstance(table, Csv)
    paths = list(chain.from_iterable(_paths(Path(each), text) for each in several))
    if not paths:
        raise TableError("no files are given: an empty list")
    kinds = {"text" if text else _kind(path) for path in paths}
    if len(kinds) > 1:
        first, other = (next(str(p) for p in paths if _kind(p) == kind) for kind in sorted(kinds))
        raise TableError(f"files of one table are of one kind, not {first!r} and {other!r}")
    opened = [_opened(path, options, kinds == {"text"}) for path in paths]
    for other in opened[1:]:
        _check_same(opened[0], other)
    return opened


def _paths(path: Path, text: bool) -> list[Path]:
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if _is_part(each, path))
        if not found:
            raise TableError("this directory has no CSV or Parquet files", file=str(path))
        return found
    if path.exists():
        if not text and not _kind(path):
            raise TableError(
                f"cannot tell what {str(path)!r} holds: name it .csv, .tsv or .parquet, "
                f"or read it yourself and pass the frame"
            )
        return [path]
    if glob.has_magic(str(path)):
        found = sorted(Path(each) for each in glob.glob(str(path), recursive=True))
        if not found:
            raise TableError(f"no files match {str(path)!r}")
        return list(chain.from_iterable(_paths(each, text) for each in found))
    raise TableError(f"no such file: {str(path)!r}")


def _is_part(path: Path, folder: Path) -> bool:
    """Leave out what Spark and others write beside the data: names that begin with _ or a dot."""
    hidden = any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)
    ours = bool(_kind(path)) and not path.name.lower().endswith(NOT_IN_FOLDERS)
    return ours and not hidden and path.is_file()


def _kind(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    last = suffixes[-1] if suffixes else ""
    return "parquet" if last in PARQUET_FILES else "text" if last in TEXT_FILES else ""


def _opened(path: Path, options: Csv, text: bool) -> TableFile:
    with readable(path):
        if text and _is_parquet(path):
            raise TableError(
                "this is a Parquet file: a separator, an encoding and a header are of CSV files "
                "only; leave these options out, and name it .parquet",
                file=str(path),
            )
        return CsvFile(path, sniff(path, options)) if text else ParquetFile.opened(path)


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(PARQUET_MARK)) == PARQUET_MARK


def _check_same(first: TableFile, other: TableFile) -> None:
    """Refuse a file whose columns are not those of the first."""
    here, there = set(first.names), set(other.names)
    for names, having, lacking in ((here - there, first, other), (there - here, other, first)):
        if names:
            shown = ", ".join(map(repr, sorted(names)[:5]))
            raise TableError(
                f"files of one table must have the same columns: {str(lacking.path)!r} has no "
                f"{shown}, which {str(having.path)!r} has"
            )
    if isinstance(first, ParquetFile) and isinstance(other, ParquetFile):
        for name in first.names:
            kinds = first.schema.field(name).type, other.schema.field(name).type
            if len(set(map(family, kinds)) - {"any"}) > 1:
                raise TableError(
                    f"{kinds[0]} in {str(first.path)!r} and {kinds[1]} in "
                    f"{str(other.path)!r}: files of one table must agree",
                    column=name,
                )


def family(kind: Any) -> str:
    """Return what an Arrow type holds, in words; parts of one table must agree in it."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests: dict[str, Callable[[Any], bool]] = {
        "any": pa.types.is_null,
        "integers": pa.types.is_integer,
        "numbers": lambda each: pa.types.is_floating(each) or pa.types.is_decimal(each),
        "truth values": pa.types.is_boolean,
    }
    return next((name for name, test in tests.items() if test(kind)), "text")


def line_finder(file: TableFile) -> Callable[[int], int] | None:
    """Return what finds the line of a row, where a file has lines."""
    return partial(CsvFile.line, file) if isinstance(file, CsvFile) else None
