"""Paths to write to, checked before any work is done."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

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
    if Path(path).is_dir():
        raise IsADirectoryError(f"{path!r}: this is a directory, not a file to write")
    if not Path(path).resolve().parent.is_dir():
        raise FileNotFoundError(f"{path!r}: no such folder")


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
