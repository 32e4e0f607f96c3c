"""CSV text that other readers break: a blank before a quote, a carriage return in a field.

``x, "a, b"`` is two fields for whoever wrote it, and three for a parser that wants the quote to
follow the separator at once. A carriage return without a line feed ends a row where it ends most
of them, and is part of a field in a file whose rows end in line feeds. Files with such rows are
rare, and are split here, by a regular expression; all others by Arrow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from galileomix.errors import TableError

PIECE = 1 << 20
LONGEST_ROW = 1 << 26
"""No row of a CSV file may be longer than this many bytes."""
TOO_LONG = "this row is too long; a quote that is never closed may be the cause"
LONGEST_FIELD_START = 256
"""How many characters a separator, blanks and a quote may take."""


@dataclass(frozen=True)
class Quirks:
    r"""What is odd in the text of a CSV file.

    Examples
    --------
    >>> import io
    >>> Quirks.of(io.StringIO('x, "a, b"\ny,z\n', newline="").read, ",")
    Quirks(blank_before_quote=True, stray_returns=False)
    """

    blank_before_quote: bool = False
    stray_returns: bool = False

    def __bool__(self) -> bool:
        return self.blank_before_quote or self.stray_returns

    @classmethod
    def of(cls, read: Callable[[int], str], separator: str) -> Self:
        """Look at all of a text; `read` gives the next characters of it."""
        before, blank, returns, feeds = "\n", False, 0, 0
        while piece := read(PIECE):
            while piece.endswith("\r") and (more := read(1)):
                piece += more
            blank = blank or _has_blank_before_quote(before + piece, separator)
            feeds += piece.count("\n")
            if "\r" in piece:
                ends = piece.count("\r\n") + piece.count("\r\r\n")
                returns += piece.count("\r") - ends
            before = (before + piece)[-LONGEST_FIELD_START:]
        blank = blank or _has_blank_before_quote(before + "\n", separator)
        return cls(blank, 0 < returns <= feeds)

    def split_rows(self, text: Any, separator: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that are not empty, each with the line it begins on, counted from 1."""
        fields = _Fields(separator, self.stray_returns)
        buffer, start, line, whole = "", 0, 1, False
        while True:
            row, end = fields.row(buffer, start, whole)
            if row is None:
                more = text.read(max(PIECE, len(buffer) - start))
                buffer, start, whole = buffer[start:] + more, 0, not more
                if len(buffer) > LONGEST_ROW:
                    raise TableError(TOO_LONG, line=line)
                continue
            if end > start and (row != [""] or '"' in buffer[start:end]):
                yield line, row
            elif end == start:
                return
            line += fields.lines(buffer, start, end)
            start = end


class _Fields:
    """Splits text into fields: quoted, with blanks around the quotes, or bare."""

    def __init__(self, separator: str, stray_returns: bool) -> None:
        mark, blanks = re.escape(separator), _blanks(separator)
        end = r"\r*\n|\r+\Z" if stray_returns else r"\r\n?|\n"  # the text may end within one
        bare = rf"[^{mark}\n]*?" if stray_returns else rf"[^{mark}\r\n]*"
        quoted = rf'[{blanks}]*"([^"]*(?:""[^"]*)*)"[{blanks}]*'
        self._field = re.compile(rf"(?:{quoted}|({bare}))({mark}|{end}|\Z)")
        self._unclosed = re.compile(rf'[{blanks}]*"[^"]*(?:""[^"]*)*("[{blanks}]*\r*)?\Z')
        self._end = re.compile(end)
        self._separator = separator

    def row(self, text: str, start: int, whole: bool) -> tuple[list[str] | None, int]:
        """Return the row that begins at a position and where it ends; None where more is needed."""
        row: list[str] = []
        while True:
            found = self._field.match(text, start)
            assert found is not None, "a bare field may be empty"
            quoted, bare, after = found.groups()
            # What reaches the end of the text may go on: a quote, the second half of a line end.
            unclosed = quoted is None and self._unclosed.match(text, start)
            if not whole and (unclosed or found.end() == len(text)):
                return None, start
            row.append(bare if quoted is None else quoted.replace('""', '"'))
            start = found.end()
            if after != self._separator:
                return row, start

    def lines(self, text: str, start: int, end: int) -> int:
        """Return how many lines there are between two positions."""
        return sum(1 for _ in self._end.finditer(text, start, end))


def _blanks(separator: str) -> str:
    return " \t".replace(separator, "")


def _has_blank_before_quote(text: str, separator: str) -> bool:
    """Return whether there is a blank before a field in quotes; two quotes within one are none."""
    if '"' not in text or (' "' not in text and '\t"' not in text):
        return False
    mark = re.escape(separator)
    pattern = rf'[{mark}\r\n][{_blanks(separator)}]+"(?:[^"]|"["{mark}\r\n])'
    return re.search(pattern, text) is not None
