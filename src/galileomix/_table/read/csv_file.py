"""A CSV file as record batches of text, and where in it something is wrong.

All cells are text here: what they stand for, and which mean missing, depends on the whole column.
Empty lines are skipped, and blanks around a cell do not count: many files have some after each
separator.
"""

from __future__ import annotations

import csv as python_csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pyarrow as pa
from pyarrow import csv

from galileomix._table.column import TextColumn, without_texts
from galileomix._table.read.convert import Raw, text_column
from galileomix._table.read.csv_quirks import LONGEST_ROW, Quirks
from galileomix._table.read.csv_text import REGULAR, as_text, open_text, split_rows
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.file_formats import open_bytes
from galileomix._table.read.missing_values import MissingValues
from galileomix._table.read.table_file import BATCH_ROWS, Batches, TableFile, readable
from galileomix._table.text.arrow import compute, trimmed
from galileomix._words import counted
from galileomix.errors import TableError

BLOCK_BYTES = 1 << 21
"""How much of a file is parsed at a time; the memory to read one is some fifty times that."""
# Arrow's words for a row that is longer than a block.
TOO_LONG = "straddling object"
# What stands for bytes that cannot be decoded.
INVALID = "\ufffd"
TEXT = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True)
class CsvFile(TableFile):
    """A file of delimited text, with a header where it is `named`.

    The first line is that of the header or of the first row, counted from 1. It is `empty` where
    it has a header only; `notes` are what a user should know of how it is read.
    """

    separator: str
    encoding: str
    first_line: int
    empty: bool
    notes: tuple[str, ...]
    quirks: Quirks = REGULAR

    def batches(self, names: Sequence[str]) -> Batches:
        """Yield the rows of some columns, as coded text."""
        if self.empty:
            return
        positions = [self.names.index(name) for name in names]
        with readable(self.path):
            try:
                yield from (self._split if self.quirks else self._batches)(positions)
            except pa.ArrowInvalid as error:
                raise self._diagnosis(error) from None

    def _batches(self, positions: Sequence[int]) -> Batches:
        done = 0
        try:
            for batch, read in self._parsed(positions, BLOCK_BYTES):
                yield batch, read
                done += batch.num_rows
            return
        except pa.ArrowInvalid as error:
            if TOO_LONG not in str(error):
                raise
        # Again in the largest blocks, from where it stopped.
        for batch, read in self._parsed(positions, LONGEST_ROW):
            skipped = min(done, batch.num_rows)
            done -= skipped
            if skipped < batch.num_rows:
                yield batch[skipped:], read

    def _parsed(self, positions: Sequence[int], block_bytes: int) -> Batches:
        names = [str(position) for position in range(len(self.names))]
        chosen = [names[position] for position in positions]
        reading = csv.ReadOptions(
            use_threads=False,
            block_size=block_bytes,
            column_names=names,
            skip_rows_after_names=self.first_line if self.named else 0,
            encoding="utf8" if self.encoding.startswith("utf-8") else self.encoding,
        )
        parsing = csv.ParseOptions(delimiter=self.separator, newlines_in_values=True)
        converting = csv.ConvertOptions(
            column_types=dict.fromkeys(chosen, TEXT),
            include_columns=chosen,
            null_values=[""],
            strings_can_be_null=True,
        )
        contents, bytes_read = open_bytes(self.path)
        with contents, csv.open_csv(contents, reading, parsing, converting) as opened:
            for batch in opened:
                if batch.num_rows:
                    yield batch, bytes_read()

    def _split(self, positions: Sequence[int]) -> Batches:
        """Yield the rows of text that Arrow would break."""
        contents, bytes_read = open_bytes(self.path)
        with as_text(contents, self.encoding) as text:
            rows = islice(split_rows(text, self.separator, self.quirks), int(self.named), None)
            while batch := list(islice(rows, BATCH_ROWS)):
                for line, row in batch:
                    if len(row) != len(self.names):
                        raise TableError(self._ragged(row), file=str(self.path), line=line)
                columns = ([row[position] or None for _, row in batch] for position in positions)
                arrays = [pa.array(cells, pa.string()).dictionary_encode() for cells in columns]
                yield (
                    pa.record_batch(arrays, [str(position) for position in positions]),
                    bytes_read(),
                )

    def column(self, name: str, raw: Raw, declared: Declared, missing: MissingValues) -> TextColumn:
        """Read one column of a batch as text: its type depends on all batches."""
        return missing.in_text(_without_blanks(text_column(name, raw)))

    def line(self, row: int) -> int:
        """Return the line on which a row begins, counted from 1; the rows are from 0."""
        with open_text(self.path, self.encoding) as text:
            rows = split_rows(text, self.separator, self.quirks)
            return next(islice(rows, row + self.named, None))[0]

    def _diagnosis(self, error: Exception) -> TableError:
        """Return the error for a file that Arrow does not read: it is exact, if slow."""
        path = str(self.path)
        try:
            with open_text(self.path, self.encoding, "replace") as text:
                for line, row in split_rows(text, self.separator, self.quirks):
                    if len(row) != len(self.names):
                        return TableError(self._ragged(row), file=path, line=line)
                    if INVALID in (cells := "".join(row)):
                        wrong = f"{cells[:40]!r} is not {self.encoding} text"
                        advice = "name its encoding: Csv(path, encoding=...)"
                        return TableError(f"{wrong}; {advice}", file=path, line=line)
        except python_csv.Error:
            pass  # then Arrow's own words must do
        return TableError(f"cannot be read: {error}", file=path)

    def _ragged(self, row: list[str]) -> str:
        first = f"{'the header' if self.named else 'the first row'} (line {self.first_line})"
        advice = ""
        if any("\n" in cell or "\r" in cell for cell in row):
            advice = "; a quote that is never closed may be the cause"
        elif len(self.names) == 1:
            advice = "; remove titles and comments above the header"
        return (
            f"{counted(len(row), 'field')} where {first} has {len(self.names)} "
            f"(separator {self.separator!r}){advice}"
        )


def _without_blanks(column: TextColumn) -> TextColumn:
    """Return a column of text without the blanks around its cells; missing where nothing is left.

    Examples
    --------
    >>> column = _without_blanks(text_column("x", pa.array([" p", "q", "p", " "])))
    >>> column.texts.to_pylist(), column.codes.tolist()
    (['p', 'q'], [0, 1, 0, -1])
    """
    bare = trimmed(column.texts)
    if bare.equals(column.texts):
        return column
    coded = bare.dictionary_encode()
    codes = np.append(coded.indices.to_numpy(), -1)[column.codes].astype(column.codes.dtype)
    blank = compute.equal(coded.dictionary, "").to_numpy(zero_copy_only=False)
    return without_texts(replace(column, texts=coded.dictionary, codes=codes), blank)
