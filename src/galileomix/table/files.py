"""Files to raw columns.

What is missing in a CSV file is the empty cell and nothing else: ``NA``, ``null``, ``n/a`` and
``?`` are text like any other, so that no category is lost because of how it is spelt.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv, parquet

from galileomix.errors import TableError
from galileomix.table.frames import from_arrow
from galileomix.table.rows import RawTable

DELIMITERS = {".csv": ",", ".tsv": "\t"}
COMPRESSIONS = frozenset({".gz", ".bz2", ".zst", ".lz4", ".br"})
# Arrow infers types from its first block; a block may not be larger than this.
LARGEST_BLOCK = 1 << 30


def from_file(path: Path) -> RawTable:
    """Read a ``.csv`` (also compressed), ``.tsv`` or ``.parquet`` file."""
    if not path.exists():
        raise TableError(f"no such file: {str(path)!r}")
    if path.is_dir():
        raise TableError(f"{str(path)!r} is a directory, not a file")
    try:
        return from_arrow(_read(path))
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise TableError(f"cannot read {str(path)!r}: {error}") from error


def _read(path: Path) -> Any:
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    kind = suffixes[-1] if suffixes else ""
    if kind in COMPRESSIONS and len(suffixes) == 2:
        kind = suffixes[0]
    if kind == ".parquet":
        return parquet.read_table(path)
    if kind not in DELIMITERS:
        raise TableError(
            f"cannot tell what {str(path)!r} holds: name it .csv, .tsv or .parquet, "
            f"or read it yourself and pass the frame"
        )
    return _read_csv(path, DELIMITERS[kind])


def _read_csv(path: Path, delimiter: str) -> Any:
    parsing = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    converting = csv.ConvertOptions(null_values=[""], strings_can_be_null=True)
    reading = csv.ReadOptions()
    try:
        return csv.read_csv(path, reading, parsing, converting)
    except pa.ArrowInvalid:
        # Either a later block has values that the first did not lead Arrow to expect, so that
        # types must be inferred from all; or a row is wrong, which one thread can name.
        reading.use_threads = False
        size = path.stat().st_size
        reading.block_size = max(1 << 20, min(LARGEST_BLOCK, 1 + size))
        return csv.read_csv(path, reading, parsing, converting)
