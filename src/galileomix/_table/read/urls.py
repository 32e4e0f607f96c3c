"""Tables that are named by URLs: files of this machine, or Parquet and Feather files elsewhere."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from glob import has_magic
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
from pyarrow import dataset, fs

from galileomix._table.read.file_formats import format_of
from galileomix.errors import TableError

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
"""How a URL begins; a single letter is a drive of Windows."""
FORMATS = {"parquet": "parquet", "arrow": "ipc"}
"""Formats that hold the types of their columns, as Arrow names them."""


def is_url(table: object) -> bool:
    """Return whether a table is named by a URL.

    >>> is_url("s3://claims/2026.parquet"), is_url("claims.parquet"), is_url("C://claims.parquet")
    (True, False, False)
    """
    return isinstance(table, str) and URL.match(table) is not None


def located(url: str) -> Path | Any:
    """Return what a URL stands for: a path of this machine, or an Arrow dataset elsewhere.

    Elsewhere is where Arrow has a filesystem for (``s3://``, ``gs://``, ``hdfs://``), or fsspec
    where that is installed. A pattern stands for the files of one directory that match it.
    """
    try:
        filesystem, path = _filesystem(url)
        if isinstance(filesystem, fs.LocalFileSystem):
            return Path(path)
        files = _files(filesystem, path)
        formats = {FORMATS.get(format_of(Path(file)), "") for file in files}
        if not files:
            raise TableError("no such files", file=url)
        if len(formats) > 1 or "" in formats:
            raise TableError("elsewhere only Parquet or Feather files can be read", file=url)
        return dataset.dataset(files, filesystem=filesystem, format=formats.pop())
    except TableError:
        raise
    except Exception as error:  # filesystems of fsspec raise whatever they like
        raise TableError(f"cannot be opened: {error}", file=url) from error


def _filesystem(url: str) -> tuple[Any, str]:
    try:
        return fs.FileSystem.from_uri(url)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise error from None
        found, path = url_to_fs(url)
        return fs.PyFileSystem(fs.FSSpecHandler(found)), str(path)


def _files(filesystem: Any, path: str) -> list[str]:
    """Return the files that a path, a directory or a pattern stands for, by their names."""
    if has_magic(path):
        folder = str(PurePosixPath(path).parent)
        found = filesystem.get_file_info(fs.FileSelector(folder))
        return sorted(info.path for info in found if fnmatch(info.path, path) and info.is_file)
    info = filesystem.get_file_info(path)
    if info.type != fs.FileType.Directory:
        return [path] if info.is_file else []
    found = filesystem.get_file_info(fs.FileSelector(path, recursive=True))
    return sorted(one.path for one in found if one.is_file and format_of(Path(one.path)))
