"""How a CSV file is written: its separator and header, found by looking at its first rows."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from galileomix._table.read.csv_file import CsvFile
from galileomix._table.read.csv_quirks import LONGEST_ROW, Quirks
from galileomix._table.read.csv_text import find_encoding, find_quirks, open_text, split_rows
from galileomix._table.read.declared_types import named_twice
from galileomix.errors import ParameterError, TableError

SEPARATORS = (",", ";", "\t", "|")
SAMPLE = 1 << 16
NO_HEADER = "if the first line is no header, say so: Csv(path, header=False)"


@dataclass(frozen=True)
class Csv:
    """CSV files, with options for how they are written.

    A plain path is enough where the separator can be told from the contents, the encoding is
    UTF-8 (or UTF-16 with a byte-order mark) and the first line is a header.

    Parameters
    ----------
    path : str, path, or list of them
        A file, a directory, a pattern such as ``"logs/*.csv"``, or several files.
    separator : str, optional
        The one character between fields; by default chosen automatically among comma, semicolon,
        tab and bar.
    encoding : str, optional
        Such as ``"latin-1"``. By default what a byte-order mark says, else UTF-8, else cp1252
        with a warning.
    header : bool
        Whether the first line holds the names of the columns.

    Examples
    --------
    >>> Csv("survey.csv", separator=";", encoding="latin-1", header=False).separator
    ';'
    """

    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
    separator: str | None = None
    encoding: str | None = None
    header: bool = True

    def __post_init__(self) -> None:
        """Check the options."""
        if self.separator is not None and (
            len(self.separator) != 1 or self.separator in '"\r\n' or not self.separator.isascii()
        ):
            raise ParameterError(f"separator={self.separator!r}: it must be one character")
        if self.header not in (True, False):
            raise ParameterError(f"header={self.header!r}: it must be True or False")
        if self.encoding is not None:
            try:
                io.TextIOWrapper(io.BytesIO(), self.encoding).read()
            except (LookupError, ValueError, TypeError):
                problem = "no such encoding of text"
                raise ParameterError(f"encoding={self.encoding!r}: {problem}") from None


def sniff(path: Path, options: Csv) -> CsvFile:
    """Find out how a file is written; refuse one that is empty, not text, or has a name twice."""
    encoding, notes = (options.encoding, []) if options.encoding else find_encoding(path)
    with open_text(path, encoding) as text:
        sample = _Sample.of(text)
    order = sorted(SEPARATORS, key=lambda separator: separator != "\t" or ".tsv" not in path.name)
    separator = options.separator or sample.separator(order)
    found = sample.rows(separator)
    if not found:
        raise TableError("the file is empty", file=str(path))
    line, first = found[0]
    rows = [row for _, row in (found[1:] if options.header else found)]
    if options.header:
        names = tuple(name.strip() for name in first)
        notes += _header_like_data(first, rows)
    else:
        names = tuple(f"x{position}" for position in range(len(first)))
    if twice := named_twice(names):
        raise TableError(f"{twice}; {NO_HEADER}", file=str(path), line=line)
    if options.separator and len(names) == 1:
        notes += _other_separator(separator, sample)
    notes = tuple(f"{str(path)!r}: {note}" for note in notes)
    quirks = find_quirks(path, encoding, separator)
    return CsvFile(path, names, options.header, separator, encoding, line, not rows, notes, quirks)


@dataclass(frozen=True)
class _Sample:
    """The first rows of a file; `whole` where these are all."""

    text: str
    whole: bool

    @classmethod
    def of(cls, text: Any) -> _Sample:
        """Read the first rows, at least two lines of them."""
        sample = text.read(SAMPLE)
        while sample.count("\n") + sample.count("\r") < 4 and len(sample) < LONGEST_ROW:
            more = text.read(len(sample) or 1)
            if not more:
                return cls(sample, True)
            sample += more
        return cls(sample, text.read(1) == "")

    def rows(self, separator: str) -> list[tuple[int, list[str]]]:
        """Return the rows and their lines, without a last one that may have been cut."""
        quirks = Quirks.of(io.StringIO(self.text, newline="").read, separator)
        rows = list(split_rows(io.StringIO(self.text, newline=""), separator, quirks))
        return rows if self.whole or len(rows) < 2 else rows[:-1]

    def separator(self, order: Sequence[str] = SEPARATORS) -> str:
        """Return the one that cuts most rows into as many fields as the first, and into most."""

        def score(separator: str) -> tuple[float, int]:
            widths = [len(row) for _, row in self.rows(separator)]
            if not widths or widths[0] == 1:
                return 0.0, 0
            return sum(width == widths[0] for width in widths) / len(widths), widths[0]

        return max(order, key=score)


def _other_separator(given: str, sample: _Sample) -> list[str]:
    """Return a note where another separator than the given one makes more than one column."""
    better = sample.separator()
    width = len(sample.rows(better)[0][1])
    if width == 1:
        return []
    return [
        f"one column was found with the separator {given!r}; Csv(path, separator={better!r}) "
        f"splits it into {width}"
    ]


def _header_like_data(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return a note where each field of the header could stand in its column."""
    columns = zip(header, *(row for row in rows if len(row) == len(header)), strict=True)
    if not rows or not all(_fits(name, set(cells)) for name, *cells in columns):
        return []
    return [
        f"the first line ({', '.join(header[:3])}, ...) looks like data, but is taken for the "
        f"header; {NO_HEADER}"
    ]


def _fits(cell: str, cells: set[str]) -> bool:
    present = cells - {""}
    return cell in cells or (bool(present) and all(map(_is_number, {cell, *present})))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
