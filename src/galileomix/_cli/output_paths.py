"""Paths to write to, checked before any work is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from glob import glob
from pathlib import Path
from typing import Any, Literal

import click

from galileomix._atomic import check_replaceable
from galileomix.errors import ParameterError

Format = Literal["csv", "tsv", "jsonl", "parquet"]
SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
}


def check_writable(path: str) -> None:
    """Refuse a path at which no file can be."""
    from galileomix._table import is_url

    if is_url(path):
        raise ParameterError(f"{path!r}: files are written on this machine: give a path, no URL")
    check_replaceable(path)
    if not Path(path).resolve().parent.is_dir():
        raise FileNotFoundError(f"{path!r}: no such folder")
    if Path(path).exists() and any(map(Path(path).samefile, _inputs())):
        raise ParameterError(f"{path!r}: this file is read by the same command: write to another")


def _inputs() -> Iterator[Path]:
    """Yield the files that the command which is running was told to read."""
    context = click.get_current_context(silent=True)
    given: Mapping[str, Any] = context.params if context else {}
    for name in (given.get("model"), *(given.get("tables") or ())):
        if isinstance(name, str):
            folder = Path(name.removeprefix("file://"))
            found = [folder, *map(Path, glob(str(folder))), *map(Path, glob(str(folder / "*")))]
            yield from (path for path in found if path.is_file())


def format_of(path: str, as_json: bool = False) -> Format:
    """Return the format that the name of a file asks for; refuse a name that cannot be written.

    Examples
    --------
    >>> format_of("clusters.parquet"), format_of("-"), format_of("-", as_json=True)
    ('parquet', 'csv', 'jsonl')
    """
    if path == "-":
        return "jsonl" if as_json else "csv"
    check_writable(path)
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ParameterError(f"{path!r}: the name must end in {', '.join(SUFFIXES)}")
    if as_json and SUFFIXES[suffix] != "jsonl":
        raise ParameterError(f"{path!r}: with --json, the name must end in .jsonl")
    return SUFFIXES[suffix]
