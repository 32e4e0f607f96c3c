"""How a CSV file is written: its encoding, separator and header, found by looking at it."""

from __future__ import annotations

import codecs
import csv
import io
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from galileomix.errors import ParameterError, TableError

SEPARATORS = (",", ";", "\t", "|")
COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4", ".br": "brotli"}
BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
FALLBACK = "cp1252"
"""What text is that is not UTF-8: the code page of Windows, which has all letters of Latin-1."""
SAMPLE = 1 << 16
PIECE = 1 << 22
LONGEST_ROW = 1 << 26
"""No row of a CSV file may be longer than this many bytes."""


@dataclass(frozen=True)
class Csv:
    """CSV files, with what is to be known of how they are written.

    A plain path is enough where the separator can be told from the contents, the encoding is
    UTF-8 (or UTF-16 with a byte-order mark) and the first line is a header.

    Parameters
    ----------
    path : str, path, or list of them
        A file, a directory, a pattern such as ``"logs/*.csv"``, or several files.
    separator : str, optional
        The one character between fields; found by itself among comma, semicolon, tab and bar.
    encoding : str, optional
        Such as ``"latin-1"``. By itself: what a byte-order mark says, else UTF-8, else cp1252
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
        """Refuse what no file can be written in."""
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
    """Find out how a file is written.

    Raises
    ------
    TableError
        Where it is empty or no text, or its header has a name twice.
    """
    encoding, notes = (options.encoding, []) if options.encoding else _encoding(path)
    with open_text(path, encoding) as text:
        sample, whole = _sample(text)
    by_suffix = sorted(SEPARATORS, key=lambda each: not (each == "\t" and ".tsv" in path.name))
    separator = options.separator or _separator(sample, whole, by_suffix)
    found = _complete(sample, separator, whole)
    if not found:
        raise TableError("the file is empty", file=str(path))
    rows = [row for _, row in found]
    names = (
        _names(path, *found[0]) if options.header else tuple(f"x{m}" for m in range(len(rows[0])))
    )
    below = rows[1:]
    if options.header and below and _is_data(rows[0], below):
        notes.append(
            f"{str(path)!r}: the first line ({', '.join(rows[0][:3])}, ...) looks like data, but "
            f"is taken for the header; if there is none, say so: Csv(path, header=False)"
        )
    notes += _decimal_commas(path, names, below if options.header else rows)
    if options.separator and len(names) == 1:
        notes += _other_separator(path, separator, sample, whole)
    header, line = options.header, found[0][0]
    return Dialect(separator, encoding, header, names, line, header and not below, tuple(notes))


def open_bytes(path: Path) -> tuple[Any, Any]:
    """Open a file for reading: its contents, and the file itself to ask how far one has read."""
    raw = pa.OSFile(str(path))
    kind = COMPRESSIONS.get(path.suffix.lower())
    return (pa.CompressedInputStream(raw, kind) if kind else raw), raw


def open_text(path: Path, encoding: str, errors: str = "strict") -> io.TextIOWrapper:
    """Open a file as text, its line ends as they are."""
    contents, _ = open_bytes(path)
    plain = "utf-8-sig" if encoding.lower().replace("-", "") == "utf8" else encoding
    return io.TextIOWrapper(contents, encoding=plain, errors=errors, newline="")


def rows_of(lines: Any, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the line it begins on, counted from 1."""
    if csv.field_size_limit() < LONGEST_ROW:
        # For the whole process, and for good: another thread may be reading too.
        csv.field_size_limit(LONGEST_ROW)
    reader = csv.reader(lines, delimiter=separator)
    line = 1
    for row in reader:
        if row:
            yield line, row
        line = reader.line_num + 1


def _encoding(path: Path) -> tuple[str, list[str]]:
    """Return the encoding of a whole file, a few bytes far below may decide it, and a note."""
    contents, _ = open_bytes(path)
    with contents:
        piece = contents.read(PIECE)
        marked = next((BOMS[mark] for mark in BOMS if piece.startswith(mark)), None)
        if marked is not None:
            return marked, []
        decoders = {each: codecs.getincrementaldecoder(each)() for each in ("utf-8", FALLBACK)}
        while piece and decoders:
            if b"\0" in piece:
                raise _no_text(path, "no text, or UTF-16 without a byte-order mark", "utf-16-le")
            _drop_those_that_fail(decoders, piece)
            piece = contents.read(PIECE)
        _drop_those_that_fail(decoders, b"", final=True)
    if not decoders:
        raise _no_text(path, f"neither UTF-8 nor {FALLBACK} text", "latin-1")
    if "utf-8" in decoders:
        return "utf-8", []
    return FALLBACK, [
        f"{str(path)!r} is not UTF-8 and is read as {FALLBACK}; if that is wrong, name its "
        f"encoding (Csv(path, encoding=...), or --encoding)"
    ]


def _no_text(path: Path, what: str, encoding: str) -> TableError:
    advice = f"name its encoding, such as {encoding!r}"
    return TableError(f"this is {what}: {advice}", file=str(path))


def _drop_those_that_fail(decoders: dict[str, Any], piece: bytes, final: bool = False) -> None:
    for encoding in list(decoders):
        try:
            if final or not (encoding == "utf-8" and piece.isascii()):
                decoders[encoding].decode(piece, final)
        except UnicodeDecodeError:
            del decoders[encoding]


def _sample(text: Any) -> tuple[str, bool]:
    """Return the first rows, at least two lines of them, and whether that is the whole file."""
    sample = text.read(SAMPLE)
    while sample.count("\n") + sample.count("\r") < 4 and len(sample) < LONGEST_ROW:
        more = text.read(len(sample) or 1)
        if not more:
            return sample, True
        sample += more
    return sample, text.read(1) == ""


def _complete(sample: str, separator: str, whole: bool) -> list[tuple[int, list[str]]]:
    """Return the rows of a sample, without a last one that may have been cut."""
    rows = list(rows_of(io.StringIO(sample, newline=""), separator))
    return rows if whole or len(rows) < 2 else rows[:-1]


def _separator(sample: str, whole: bool, order: Sequence[str]) -> str:
    """Return what cuts most rows into as many fields as the first, and into most fields."""

    def score(separator: str) -> tuple[float, int]:
        widths = [len(row) for _, row in _complete(sample, separator, whole)]
        if not widths or widths[0] == 1:
            return 0.0, 0
        return sum(width == widths[0] for width in widths) / len(widths), widths[0]

    return max(order, key=score)


def _other_separator(path: Path, given: str, sample: str, whole: bool) -> list[str]:
    """Return a note where another separator than the given one makes more than one column."""
    better = _separator(sample, whole, SEPARATORS)
    width = len(_complete(sample, better, whole)[0][1])
    if width == 1:
        return []
    return [
        f"{str(path)!r}: one column was found with the separator {given!r}; {better!r} splits it "
        f"into {width}"
    ]


def _names(path: Path, line: int, header: list[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in header)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        shown = ", ".join(map(repr, twice[:10]))
        raise TableError(
            f"{len(twice)} column name(s) occur more than once: {shown}", file=str(path), line=line
        )
    return names


def _is_data(first: list[str], below: list[list[str]]) -> bool:
    """Return whether each field of the first line could stand in its column."""
    columns = zip(first, *(row for row in below if len(row) == len(first)), strict=True)
    return all(_fits(cell, set(cells)) for cell, *cells in columns)


def _fits(cell: str, cells: set[str]) -> bool:
    known = cells - {""}
    numbers = bool(known) and all(_is_number(each) for each in known)
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
        known = [cell for cell in cast("Sequence[str]", cells) if cell]
        if known and all(_has_decimal_comma(cell) for cell in known):
            notes.append(
                f"{str(path)!r}: column {name!r} looks like numbers with decimal commas "
                f"({known[0]!r}) and is read as text; write them with points to have numbers"
            )
    return notes


def _has_decimal_comma(cell: str) -> bool:
    return cell.count(",") == 1 and "." not in cell and _is_number(cell.replace(",", "."))
