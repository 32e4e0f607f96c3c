"""Files to raw columns.

What is missing in a CSV file is the empty cell and nothing else: ``NA``, ``null``, ``n/a`` and
``?`` are text like any other, so that no category is lost because of how it is spelt.

A CSV column is text, and becomes something else only where no two cells that differ would turn
into one category:

- booleans, where its cells are ``true`` and ``false``, all in one of the spellings of `SPELLINGS`;
- integers, where each cell is exactly how its integer is written;
- numbers, where each cell is a finite number. Not so where one has leading zeros, as ``007``, nor
  where all are whole, as article numbers of twenty digits are: these stay text, and so do dates
  and columns in which a word such as ``nan`` or ``inf`` stands among the numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute
from pyarrow import csv, parquet

from galileomix.errors import TableError
from galileomix.table.frames import from_arrow
from galileomix.table.rows import RawTable

# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute

DELIMITERS = {".csv": ",", ".tsv": "\t"}
COMPRESSIONS = frozenset({".gz", ".bz2", ".zst", ".lz4", ".br"})
# No row of a CSV file may be longer than this many bytes.
LARGEST_BLOCK = 1 << 26
# Arrow's words for a file of one line that does not end.
ONE_LINE = "Empty CSV file or block"

SPELLINGS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"))
LEADING_ZEROS = r"^[+-]?0[0-9]"
WHOLE = r"^[+-]?[0-9]+$"


def from_file(path: Path) -> RawTable:
    """Read a ``.csv`` (also compressed), ``.tsv`` or ``.parquet`` file."""
    if not path.exists():
        raise TableError(f"no such file: {str(path)!r}")
    if path.is_dir():
        raise TableError(f"{str(path)!r} is a directory, not a file")
    try:
        return _read(path)
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise TableError(f"cannot read {str(path)!r}: {error}") from error


def _read(path: Path) -> RawTable:
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    kind = suffixes[-1] if suffixes else ""
    if kind in COMPRESSIONS and len(suffixes) == 2:
        kind = suffixes[0]
    if kind == ".parquet":
        return from_arrow(parquet.read_table(path))
    if kind not in DELIMITERS:
        raise TableError(
            f"cannot tell what {str(path)!r} holds: name it .csv, .tsv or .parquet, "
            f"or read it yourself and pass the frame"
        )
    return _read_csv(path, DELIMITERS[kind])


def _read_csv(path: Path, delimiter: str) -> RawTable:
    parsing = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    try:
        table = _read_bytes(path, parsing, csv.ReadOptions())
    except pa.ArrowInvalid as error:
        if ONE_LINE in str(error):
            raise _no_rows(path) from None
        # Either a row does not fit into a block, or it is wrong: one thread can say which it is.
        reading = csv.ReadOptions(use_threads=False, block_size=LARGEST_BLOCK)
        table = _read_bytes(path, parsing, reading)
    if table.num_rows == 0:
        raise _no_rows(path)
    names, n_rows, columns = table.schema.names, table.num_rows, table.columns
    del table  # so that the text of each column goes as soon as the column is typed
    for position in range(len(columns)):
        columns[position] = _typed(columns[position])
    return RawTable(names, columns, n_rows)


def _no_rows(path: Path) -> TableError:
    return TableError(f"{str(path)!r} has a header but no rows")


def _read_bytes(path: Path, parsing: Any, reading: Any) -> Any:
    """Read every cell as it stands; the header first, since Arrow wants a type for each name."""
    with csv.open_csv(path, reading, parsing) as opened:
        names = opened.schema.names
    converting = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.binary()), null_values=[""], strings_can_be_null=True
    )
    return csv.read_csv(path, reading, parsing, converting)


def _typed(cells: Any) -> Any:
    """Turn a column of bytes into booleans, integers or numbers where nothing is lost, or text."""
    text = _cast(cells, pa.string())
    if text is None:
        return cells  # no UTF-8: who knows the name of the column will say so
    if text.null_count == len(text):
        return text
    for attempt in (_booleans, _integers, _numbers):
        found = attempt(text)
        if found is not None:
            return found
    return text


def _cast(cells: Any, kind: Any) -> Any:
    try:
        return cells.cast(kind)
    except pa.ArrowInvalid:
        return None


def _booleans(text: Any) -> Any:
    for true, false in SPELLINGS:
        if _all(compute.is_in(text, value_set=pa.array([true, false, None]))):
            return compute.equal(text, true)
    return None


def _integers(text: Any) -> Any:
    integers = _cast(text, pa.int64())
    if integers is None or not _all(compute.equal(integers.cast(pa.string()), text)):
        return None
    return integers


def _numbers(text: Any) -> Any:
    floats = _cast(text, pa.float64())
    if floats is None or not _all(compute.is_finite(floats)):
        return None
    whole = _all(compute.match_substring_regex(text, WHOLE))
    zeros = compute.any(compute.match_substring_regex(text, LEADING_ZEROS)).as_py()
    return None if whole or zeros else floats


def _all(flags: Any) -> bool:
    """Return whether all are true, missing cells aside."""
    return compute.all(flags).as_py()
