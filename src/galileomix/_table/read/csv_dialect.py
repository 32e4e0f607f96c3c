"""How a CSV file is written: its separator and header, found by looking at its first rows."""

from __future__ import annotations

import codecs
import io
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from galileomix._table.read.csv_text import LONGEST_ROW, find_encoding, open_text, split_rows
from galileomix._table.read.declared_types import some
from galileomix.errors import ParameterError, TableError

SEPARATORS = (",", ";", "\t", "|")
SAMPLE = 1 << 16


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
                codecs.lookup(self.encoding)
            except LookupError:
                raise ParameterError(f"encoding={self.encoding!r}: no such encoding") from None


@dataclass(frozen=True)
class Dialect:
    """How one file is written, what its columns are called, and on which line it begins."""

    separator: str
    encoding: str
    header: bool
    names: tuple[str, ...]
    first_line: int
    empty: bool
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """The number of fields of a row."""
        return len(self.names)

    @property
    def skipped(self) -> int:
        """The lines above the rows."""
        return self.first_line if self.header else 0


def sniff(path: Path, options: Csv) -> Dialect:
    """Find out how a file is written; refuse one that is empty, not text, or has a name twice."""
    encoding, notes = (options.encoding, []) if options.encoding else find_encoding(path)
    with open_text(path, encoding) as text:
        sample = _Sample.of(text)
    order = sorted(SEPARATORS, key=lambda separator: separator != "\t" or ".tsv" not in path.name)
    separator = options.separator or sample.separator(order)
    found = sample.rows(separator)
    if not found:
        raise TableError("the file is empty", file=str(path))
    first_line, first = found[0]
    below = [row for _, row in found[1:]]
    if options.header:
        names, data = _header(path, first_line, first), below
        if below and _is_data(first, below):
            notes.append(
                f"{str(path)!r}: the first line ({', '.join(first[:3])}, ...) looks like data, but "
                f"is taken for the header; if there is none, say so: Csv(path, header=False)"
            )
    else:
        names, data = tuple(f"x{m}" for m in range(len(first))), [first, *below]
    notes += _decimal_commas(path, names, data)
    if options.separator and len(names) == 1:
        notes += _other_separator(path, separator, sample)
    return Dialect(separator, encoding, options.header, names, first_line, not data, tuple(notes))


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
        rows = list(split_rows(io.StringIO(self.text, newline=""), separator))
        return rows if self.whole or len(rows) < 2 else rows[:-1]

    def separator(self, order: Sequence[str] = SEPARATORS) -> str:
        """Return the one that cuts most rows into as many fields as the first, and into most."""

        def score(separator: str) -> tuple[float, int]:
            widths = [len(row) for _, row in self.rows(separator)]
            if not widths or widths[0] == 1:
                return 0.0, 0
            return sum(width == widths[0] for width in widths) / len(widths), widths[0]

        return max(order, key=score)


def _other_separator(path: Path, given: str, sample: _Sample) -> list[str]:
    """Return a note where another separator than the given one makes more than one column."""
    better = sample.separator()
    width = len(sample.rows(better)[0][1])
    if width == 1:
        return []
    return [
        f"{str(path)!r}: one column was found with the separator {given!r}; {better!r} splits it "
        f"into {width}"
    ]


def _header(path: Path, line: int, header: list[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in header)
    if twice := twice_named(names):
        raise TableError(twice, file=str(path), line=line)
    return names


def twice_named(names: Sequence[str]) -> str:
    """Return what is wrong where a name occurs more than once; nothing where none does."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    return f"{len(twice)} column name(s) occur more than once: {some(twice)}" if twice else ""


def _is_data(first: list[str], below: list[list[str]]) -> bool:
    """Return whether each field of the first line could stand in its column."""
    columns = zip(first, *(row for row in below if len(row) == len(first)), strict=True)
    return all(_fits(cell, set(cells)) for cell, *cells in columns)


def _fits(cell: str, cells: set[str]) -> bool:
    present = cells - {""}
    numbers = bool(present) and all(map(_is_number, present))
    return (numbers and _is_number(cell)) or cell in cells


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _decimal_commas(path: Path, names: Sequence[str], rows: list[list[str]]) -> list[str]:
    notes: list[str] = []
    columns = zip(*(row for row in rows if len(row) == len(names)), strict=True)
    for name, cells in zip(names, columns, strict=False):
        present = [cell for cell in cast("Sequence[str]", cells) if cell]
        if present and all(map(_has_decimal_comma, present)):
            notes.append(
                f"{str(path)!r}: column {name!r} looks like numbers with decimal commas "
                f"({present[0]!r}) and is read as text; write them with points to have numbers"
            )
    return notes


def _has_decimal_comma(cell: str) -> bool:
    return cell.count(",") == 1 and "." not in cell and _is_number(cell.replace(",", "."))
