"""Paths, patterns and directories to the files of one table: which, and of what format."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast

from galileomix._table.read.arrow_file import ArrowFile
from galileomix._table.read.convert import family
from galileomix._table.read.csv_dialect import Csv, sniff
from galileomix._table.read.declared_types import some
from galileomix._table.read.file_formats import (
    ZIP,
    begins_with,
    format_of,
    is_compressed,
    is_part_of_folder,
)
from galileomix._table.read.json_file import JsonFile
from galileomix._table.read.parquet_file import ParquetFile
from galileomix._table.read.table_file import TableFile, TypedFile, readable
from galileomix.errors import TableError

NOT_CSV = {b"PAR1": "a Parquet", b"ARROW1": "an Arrow"}
"""How files begin that no option of CSV files applies to."""


def is_path(table: object) -> bool:
    """Return whether a table is given as a path, as several, or as CSV files."""
    if isinstance(table, str | os.PathLike | Csv):
        return True
    if not isinstance(table, list | tuple) or not table:
        return False
    paths = cast("Sequence[object]", table)
    if all(isinstance(path, os.PathLike) for path in paths):
        return True
    return all(isinstance(path, str | os.PathLike) and _is_named(Path(path)) for path in paths)


def _is_named(path: Path) -> bool:
    return path.suffix.lower() == ZIP or bool(format_of(path))


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
    formats = {"csv" if csv else _format(path) for path in paths}
    if len(formats) > 1:
        one, two = (next(str(p) for p in paths if _format(p) == f) for f in sorted(formats)[:2])
        raise TableError(f"files of one table have one format: {one!r} and {two!r} differ")
    files = tuple(_opened(path, options, formats == {"csv"}) for path in paths)
    lines = [file for file in files if isinstance(file, JsonFile)]
    if lines:
        return JsonFile.joined(lines)
    for other in files[1:]:
        _check_same(files[0], other)
    return files


def _paths(path: Path, csv: bool) -> list[Path]:
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if is_part_of_folder(file, path))
        if not found:
            raise TableError(
                "this directory has no CSV, Parquet, JSON lines or Feather files", file=str(path)
            )
        return found
    if path.exists():
        if path.suffix == ".galileo":
            raise TableError(
                f"{str(path)!r} is a saved model, not a table: a command that fits takes it as "
                f"--model, and `galileomix.load` loads it"
            )
        if not csv and not _format(path):
            raise TableError(
                f"the format of {str(path)!r} is not known: name it .csv, .tsv, .parquet, .jsonl "
                f"or .feather, or read it yourself and pass the frame"
            )
        return [path]
    if glob.has_magic(str(path)):
        found = sorted(map(Path, glob.glob(str(path), recursive=True)))
        if not found:
            raise TableError(f"no files match {str(path)!r}")
        return list(chain.from_iterable(_paths(file, csv) for file in found))
    raise TableError(f"no such file: {str(path)!r}")


def _format(path: Path) -> str:
    with readable(path):
        return format_of(path)


def _opened(path: Path, options: Csv, csv: bool) -> TableFile:
    with readable(path):
        if csv:
            _refuse_other_formats(path)
            return sniff(path, options)
        format = format_of(path)
        if format == "json":
            return JsonFile.opened(path)
        if is_compressed(path):
            raise TableError(f"a compressed {format} file cannot be read: decompress it first")
        return ParquetFile.opened(path) if format == "parquet" else ArrowFile.opened(path)


def _refuse_other_formats(path: Path) -> None:
    found = next((name for mark, name in NOT_CSV.items() if begins_with(path, mark)), "")
    if found or format_of(path) == "json":
        raise TableError(
            f"this is {found or 'a JSON'} file: a separator, an encoding and a header are of CSV "
            f"files only; leave these options out, and name it as what it is"
        )


def _check_same(first: TableFile, other: TableFile) -> None:
    """Refuse a file whose columns are not those of the first."""
    here, there = set(first.names), set(other.names)
    for names, having, lacking in ((here - there, first, other), (there - here, other, first)):
        if names:
            raise TableError(
                f"files of one table must have the same columns: {str(lacking.path)!r} has no "
                f"{some(sorted(names), 5)}, which {str(having.path)!r} has"
            )
    if isinstance(first, TypedFile) and isinstance(other, TypedFile):
        for name in first.names:
            types = first.schema.field(name).type, other.schema.field(name).type
            if len(set(map(family, types)) - {"any"}) > 1:
                raise TableError(
                    f"{types[0]} in {str(first.path)!r} and {types[1]} in "
                    f"{str(other.path)!r}: files of one table must agree",
                    column=name,
                )
