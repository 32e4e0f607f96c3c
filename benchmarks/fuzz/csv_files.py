"""Random CSV files: read as pandas reads them, or refused in one line."""

from __future__ import annotations

import csv
import io
import tempfile
import warnings
from pathlib import Path
from random import Random

import pandas as pd

from galileomix import GalileoError
from galileomix._table import cells, read
from galileomix._table.column import TextColumn

TEXTS = ("red", "green", "a b", "x,y", 'say "so"', "two\nlines", "ß", "😀", "'", "#", "")
DAMAGE = (
    *("", "", "", "", "bom", "cut", "long row", "short row", "quote", "nul", "latin"),
    *("blank lines", "twice", "no rows", "empty", "carriage returns"),
)


def verdict_of_file(seed: int, number: int) -> tuple[str, list[str]]:
    """Return "read" or "refused", and what is wrong."""
    data = drawn_file(Random(f"csv {seed} {number}"))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "table.csv"
        path.write_bytes(data)
        try:
            found = read(path)
        except GalileoError as error:
            told = str(error)
            good = len(told) > 30 and "\n" not in told and path.name in told
            return "refused", [] if good else [f"it says {told!r}"]
        except Exception as error:
            return "read", [f"{type(error).__name__}: {error}"[:200]]
        return "read", _otherwise(found, data)


def drawn_file(rng: Random) -> bytes:
    """Return a random file: a table as a program would write it, and often some damage."""
    n_rows, n_columns = rng.randint(1, 12), rng.randint(1, 5)
    names = [rng.choice(("", "name ", "ß ")) + f"c{m}" for m in range(n_columns)]
    few = rng.sample(TEXTS, 4)
    rows = [[rng.choice(few) + rng.choice(("", "z")) for _ in names] for _ in range(n_rows)]
    text = io.StringIO()
    mark, ends = rng.choice(",,,;\t|"), rng.choice(("\n", "\r\n"))
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    csv.writer(text, delimiter=mark, lineterminator=ends, quoting=quoting).writerows([names, *rows])
    return _damaged(text.getvalue().encode(), rng)


def _damaged(data: bytes, rng: Random) -> bytes:
    damage = rng.choice(DAMAGE)
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines) + 1)
    match damage:
        case "bom":
            return b"\xef\xbb\xbf" + data
        case "cut":
            return data[: rng.randrange(len(data))]
        case "long row" | "short row":
            extra = b",1,2,3,4,5,6\n" if damage == "long row" else b"1\n"
            return b"".join([*lines[:at], extra, *lines[at:]])
        case "quote":
            return b"".join([*lines[:at], b'"', *lines[at:]])
        case "nul" | "latin":
            byte, place = (b"\0" if damage == "nul" else b"\xe9"), rng.randrange(len(data) + 1)
            return data[:place] + byte + data[place:]
        case "blank lines":
            return b"".join([*lines[:at], b"\n\n", *lines[at:]])
        case "twice":
            return data + lines[0]
        case "no rows":
            return lines[0]
        case "empty":
            return b""
        case "carriage returns":
            return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r")  # as long ago
        case _:
            return data


def _otherwise(found: object, data: bytes) -> list[str]:
    """Return where the cells of text differ from those that pandas reads with the same mark."""
    columns = getattr(found, "columns")  # noqa: B009
    for mark in ",;\t|":
        try:
            frame = pd.read_csv(io.BytesIO(data), sep=mark, dtype=str, keep_default_na=False)
        except (ValueError, UnicodeError):
            continue
        names = [str(name) for name in frame.columns]
        if names == [column.name for column in columns]:
            pairs = zip(columns, names, strict=True)
            return [wrong for column, name in pairs if (wrong := _differs(column, frame[name]))]
    return []  # pandas has no table like it


def _differs(column: object, expected: pd.Series) -> str:
    if not isinstance(column, TextColumn):
        return ""
    ours = ["" if cell is None else cell.strip() for cell in cells(column)]
    theirs = [cell.strip() for cell in expected]  # blanks around a cell do not count with us
    return "" if ours == theirs else f"{ours[:6]} instead of {theirs[:6]}"
