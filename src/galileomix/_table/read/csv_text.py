"""The text of a CSV file: opened, its encoding found, its rows split."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from galileomix._table.read.csv_quirks import LONGEST_ROW, Quirks
from galileomix._table.read.file_formats import open_bytes
from galileomix.errors import TableError

BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
FALLBACK = "cp1252"
"""The encoding of text that is not UTF-8: that of Windows, which has all letters of Latin-1."""
PIECE = 1 << 22
WIDE = ("utf-16", "utf-32")
"""All other encodings write quotes, separators and line ends as ASCII does."""
REGULAR = Quirks()
_FIELD_LIMIT = Lock()


def open_text(path: Path, encoding: str, errors: str = "strict") -> io.TextIOWrapper:
    """Open a file as text, its line ends as they are."""
    return as_text(open_bytes(path)[0], encoding, errors)


def as_text(contents: Any, encoding: str, errors: str = "strict") -> io.TextIOWrapper:
    """Read the bytes of a file as text, its line ends as they are."""
    without_bom = "utf-8-sig" if encoding.lower().replace("-", "") == "utf8" else encoding
    return io.TextIOWrapper(contents, encoding=without_bom, errors=errors, newline="")


def find_quirks(path: Path, encoding: str, separator: str) -> Quirks:
    """Return what is odd in the text of a whole file."""
    if codecs.lookup(encoding).name.startswith(WIDE):
        with open_text(path, encoding, "replace") as text:
            return Quirks.of(text.read, separator)
    contents, _ = open_bytes(path)
    with contents:
        return Quirks.of(lambda size: contents.read(size).decode("latin-1"), separator)


def split_rows(
    lines: Any, separator: str, quirks: Quirks = REGULAR
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the line it begins on, counted from 1."""
    if quirks:
        yield from quirks.split_rows(lines, separator)
        return
    reader = csv.reader(lines, delimiter=separator)
    line = 1
    while (row := _next_row(reader)) is not None:
        if row:
            yield line, row
        line = reader.line_num + 1


def _next_row(reader: Any) -> list[str] | None:
    """Return the next row, with fields as long as `LONGEST_ROW`; None after the last.

    Python's limit on the length of a field is one for the whole process. It is raised for as long
    as one row is split, and given back; a limit that another thread sets meanwhile stays.
    """
    with _FIELD_LIMIT:
        usual = csv.field_size_limit()
        raised = max(usual, LONGEST_ROW)
        csv.field_size_limit(raised)
        try:
            return next(reader, None)
        finally:
            if csv.field_size_limit() == raised:
                csv.field_size_limit(usual)


def find_encoding(path: Path) -> tuple[str, list[str]]:
    """Return the encoding of a whole file, since its last bytes may decide it, and notes."""
    contents, _ = open_bytes(path)
    with contents:
        piece = contents.read(PIECE)
        marked = next((BOMS[mark] for mark in BOMS if piece.startswith(mark)), None)
        if marked is not None:
            return marked, []
        decoders = {name: codecs.getincrementaldecoder(name)() for name in ("utf-8", FALLBACK)}
        while piece and decoders:
            if b"\0" in piece:
                raise _not_text(path, "not text, or UTF-16 without a byte-order mark", "utf-16-le")
            _drop_those_that_fail(decoders, piece)
            piece = contents.read(PIECE)
        _drop_those_that_fail(decoders, b"", final=True)
    if not decoders:
        raise _not_text(path, f"neither UTF-8 nor {FALLBACK} text", "latin-1")
    if "utf-8" in decoders:
        return "utf-8", []
    return FALLBACK, [
        f"this file is not UTF-8 and is read as {FALLBACK}; if that is wrong, name its encoding: "
        f"Csv(path, encoding=...)"
    ]


def _not_text(path: Path, what: str, encoding: str) -> TableError:
    advice = f"name its encoding: Csv(path, encoding={encoding!r})"
    return TableError(f"this is {what}: {advice}", file=str(path))


def _drop_those_that_fail(decoders: dict[str, Any], piece: bytes, final: bool = False) -> None:
    for encoding in list(decoders):
        try:
            if final or not (encoding == "utf-8" and piece.isascii()):
                decoders[encoding].decode(piece, final)
        except UnicodeDecodeError:
            del decoders[encoding]
