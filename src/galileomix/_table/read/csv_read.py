"""A CSV file as parts of text, and where in it something is wrong.

What is missing in a CSV file is the empty cell, and what the user names, and nothing else: ``NA``,
``null``, ``n/a`` and ``?`` are text like any other, so that no category is lost because of how it
is spelt. Empty lines are skipped.
"""

from __future__ import annotations

import csv as python_csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv

from galileomix._table.read.csv_dialect import LONGEST_ROW, Dialect, open_bytes, open_text, rows_of
from galileomix._words import counted
from galileomix.errors import TableError

BLOCK_BYTES = 1 << 21
"""How much of a file is taken up at a time; the memory to read one is some fifty times that."""
# Arrow's words for a row that is longer than a block.
TOO_LONG = "straddling object"
# What stands for bytes that cannot be decoded.
INVALID = "\ufffd"
TEXT = pa.dictionary(pa.int32(), pa.string())


def batches(path: Path, dialect: Dialect, wanted: Sequence[int]) -> Iterator[tuple[Any, int]]:
    """Yield record batches of coded text, each with the bytes of the file read so far.

    Parameters
    ----------
    wanted : sequence of int
        The positions of the columns to read.
    """
    done = 0
    try:
        for batch, read in _batches(path, dialect, wanted, BLOCK_BYTES):
            yield batch, read
            done += batch.num_rows
    except pa.ArrowInvalid as error:
        if TOO_LONG not in str(error):
            raise _diagnosis(path, dialect, error) from None
    else:
        return
    try:  # again in the largest blocks, from where it stopped
        for batch, read in _batches(path, dialect, wanted, LONGEST_ROW):
            skipped = min(done, batch.num_rows)
            done -= skipped
            if skipped < batch.num_rows:
                yield batch[skipped:], read
    except pa.ArrowInvalid as error:
        raise _diagnosis(path, dialect, error) from None


def _batches(
    path: Path, dialect: Dialect, wanted: Sequence[int], size: int
) -> Iterator[tuple[Any, int]]:
    names = [str(position) for position in range(dialect.width)]
    chosen = [names[position] for position in wanted]
    reading = csv.ReadOptions(
        use_threads=False,
        block_size=size,
        column_names=names,
        skip_rows_after_names=dialect.skipped,
        encoding="utf8" if dialect.encoding.startswith("utf-8") else dialect.encoding,
    )
    parsing = csv.ParseOptions(delimiter=dialect.separator, newlines_in_values=True)
    converting = csv.ConvertOptions(
        column_types=dict.fromkeys(chosen, TEXT),
        include_columns=chosen,
        null_values=[""],
        strings_can_be_null=True,
    )
    contents, raw = open_bytes(path)
    with contents, csv.open_csv(contents, reading, parsing, converting) as opened:
        for batch in opened:
            if batch.num_rows:
                yield batch, raw.tell()


def line_of(path: Path, dialect: Dialect, row: int) -> int:
    """Return the line on which a row of data begins, counted from 1; the rows are from 0."""
    with open_text(path, dialect.encoding) as text:
        rows = rows_of(text, dialect.separator)
        return next(islice(rows, row + dialect.header, None))[0]


def _diagnosis(path: Path, dialect: Dialect, error: Exception) -> TableError:
    """Return what to say of a file that Arrow does not read: it is exact, if slow."""
    try:
        with open_text(path, dialect.encoding, "replace") as text:
            for line, row in rows_of(text, dialect.separator):
                if len(row) != dialect.width:
                    return _ragged(path, line, row, dialect)
                if INVALID in (cells := "".join(row)):
                    wrong = f"{cells[:40]!r} is not {dialect.encoding} text; name another encoding"
                    return TableError(wrong, file=str(path), line=line)
    except python_csv.Error:
        pass  # then Arrow's own words must do
    return TableError(f"cannot be read: {error}", file=str(path))


def _ragged(path: Path, line: int, row: list[str], dialect: Dialect) -> TableError:
    first = f"{'the header' if dialect.header else 'the first row'} (line {dialect.first_line})"
    advice = ""
    if any("\n" in cell or "\r" in cell for cell in row):
        advice = "; a quote that is never closed may be the cause"
    elif dialect.width == 1:
        advice = "; take out titles and comments above the header"
    return TableError(
        f"{counted(len(row), 'field')} where {first} has {dialect.width} "
        f"(separator {dialect.separator!r}){advice}",
        file=str(path),
        line=line,
    )
