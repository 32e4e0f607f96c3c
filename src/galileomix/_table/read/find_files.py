"""Paths, patterns and directories to the files of one table: which, and of what format."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, cast

from galileomix._table.read.convert import family
from galileomix._table.read.csv_dialect import Csv, sniff
from galileomix._table.read.csv_text import COMPRESSIONS
from galileomix._table.read.declared_types import some
from galileomix._table.read.parquet_file import ParquetFile, is_parquet
from galileomix._table.read.table_file import TableFile, readable
from galileomix.errors import TableError

Format = Literal["csv", "parquet", ""]
FORMATS: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".data"), "csv"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
}
NOT_IN_FOLDERS = (".txt", ".data")
"""In a directory these may be anything; a pattern can name them."""


def is_path(table: object) -> bool:
    """Return whether a table is given as a path, as several, or as CSV files."""
    if isinstance(table, str | os.PathLike | Csv):
        return True
    if not isinstance(table, list | tuple) or not table:
        return False
    paths = cast("Sequence[object]", table)
    if all(isinstance(path, os.PathLike) for path in paths):
        return True
    return all(isinstance(path, str | os.PathLike) and format_of(Path(path)) for path in paths)


def open_files(table: Any) -> tuple[TableFile, ...]:
    """Return the files that a path, a pattern, a directory or a list of these stands for.

    Raises
    ------
    TableError
        Where there are none, or they are not files of one table.
    """
    options = table if isinstance(table, Csv) else Csv(table)
    given = [options.path] if isinstance(options.path, str | os.PathLike) else options.path
    csv = isinstance(table, Csv)
    paths = list(chain.from_iterable(_paths(Path(path), csv) for path in given))
    if not paths:
        raise TableError("no files are given: an empty list")
    formats = {"csv" if csv else format_of(path) for path in paths}
    if len(formats) > 1:
        one, two = (next(str(p) for p in paths if format_of(p) == f) for f in sorted(formats))
        raise TableError(f"files of one table have one format: {one!r} and {two!r} differ")
    files = tuple(_opened(path, options, formats == {"csv"}) for path in paths)
    for other in files[1:]:
        _check_same(files[0], other)
    return files


def _paths(path: Path, csv: bool) -> list[Path]:
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if _is_part(file, path))
        if not found:
            raise TableError("this directory has no CSV or Parquet files", file=str(path))
        return found
    if path.exists():
        if not csv and not format_of(path):
            raise TableError(
                f"the format of {str(path)!r} is not known: name it .csv, .tsv or .parquet, "
                f"or read it yourself and pass the frame"
            )
        return [path]
    if glob.has_magic(str(path)):
        found = sorted(map(Path, glob.glob(str(path), recursive=True)))
        if not found:
            raise TableError(f"no files match {str(path)!r}")
        return list(chain.from_iterable(_paths(file, csv) for file in found))
    raise TableError(f"no such file: {str(path)!r}")


def _is_part(path: Path, folder: Path) -> bool:
    """Leave out what Spark and others write beside the data: names that begin with _ or a dot."""
    hidden = any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)
    ours = bool(format_of(path)) and not path.name.lower().endswith(NOT_IN_FOLDERS)
    return ours and not hidden and path.is_file()


def format_of(path: Path) -> Format:
    """Return the format that the name of a file says, compressed or not; nothing where unknown."""
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    return FORMATS.get(suffixes[-1], "") if suffixes else ""


def _opened(path: Path, options: Csv, csv: bool) -> TableFile:
    with readable(path):
        if csv and is_parquet(path):
            raise TableError(
                "this is a Parquet file: a separator, an encoding and a header are of CSV files "
                "only; leave these options out, and name it .parquet",
                file=str(path),
            )
        return sniff(path, options) if csv else ParquetFile.opened(path)


def _check_same(first: TableFile, other: TableFile) -> None:
    """Refuse a file whose columns are not those of the first."""
    here, there = set(first.names), set(other.names)
    for names, having, lacking in ((here - there, first, other), (there - here, other, first)):
        if names:
            raise TableError(
                f"files of one table must have the same columns: {str(lacking.path)!r} has no "
                f"{some(sorted(names), 5)}, which {str(having.path)!r} has"
            )
    if isinstance(first, ParquetFile) and isinstance(other, ParquetFile):
        for name in first.names:
            types = first.schema.field(name).type, other.schema.field(name).type
            if len(set(map(family, types)) - {"any"}) > 1:
                raise TableError(
                    f"{types[0]} in {str(first.path)!r} and {types[1]} in "
                    f"{str(other.path)!r}: files of one table must agree",
                    column=name,
                )
