"""Columns as people write them in CSV files: read as a person would, or a note says what to do.

Variants of one kind stand side by side in one file, below them empty cells.
"""

import csv
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest

from galileomix._table import Column, Summary, cells, open_table, read
from galileomix._table.column import TextColumn
from galileomix._table.infer.column_summary import ColumnSummary
from galileomix._table.infer.notes import notes_of
from galileomix._table.infer.scan import scan
from galileomix.errors import TableError
from text_variants import (
    AMONG,
    CATEGORIES,
    DATES,
    INFINITE,
    NOTES,
    NUMBERS,
    SECONDS,
    SPELLED,
    SYMBOLS,
    WORDS,
)


class Found(NamedTuple):
    """How a column was taken: its type, its cells, and what was said of it."""

    type: str
    cells: list[Any]
    notes: str


@cache
def taken_from(columns: tuple[str, ...]) -> dict[str, Found]:
    """Write columns to one CSV file, read them as a fit does, and judge each by itself."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        with path.open("w", newline="") as file:
            rows = zip_longest(*(column.split("|") for column in columns), fillvalue="")
            csv.writer(file).writerows([[f"x{n}" for n in range(len(columns))], *rows])
        summary, texts = scan(open_table(path)), read(path).columns
    parts = zip(columns, summary.columns, texts, strict=True)
    return {column: _judged(column, found, text) for column, found, text in parts}


def _judged(column: str, summary: ColumnSummary, text: Column) -> Found:
    assert isinstance(text, TextColumn)
    schema = Summary(("x",), (summary,), len(text.codes)).schema()
    [found] = schema.columns
    values = cells(found.format.read(text)).tolist()[: len(column.split("|"))]
    notes = "\n".join(note.text for note in notes_of(schema, [summary]))
    return Found(found.type, [None if value != value else value for value in values], notes)


def taken(column: str, columns: Sequence[str]) -> Found:
    """Return how one of some columns is taken."""
    return taken_from(tuple(dict.fromkeys(columns)))[column]


def seconds(texts: str) -> list[float]:
    """Return dates as seconds since 1970."""
    since = datetime(1970, 1, 1)
    return [(datetime.fromisoformat(text) - since).total_seconds() for text in texts.split("|")]


@pytest.mark.parametrize("among", AMONG)
@pytest.mark.parametrize("spelling", [*SPELLED, *SYMBOLS])
def test_missing_values(spelling: str, among: str) -> None:
    type_, column, values = AMONG[among]
    found = taken(f"{column}|{spelling}", [f"{column}|{text}" for text in (*SPELLED, *SYMBOLS)])
    expected = seconds("|".join(map(str, values))) if type_ == "date" else values
    assert found[:2] == (type_, [*expected, None])
    assert bool(spelling.strip()) is ("missing (`default_missing=False`" in found.notes)


@pytest.mark.parametrize("word", WORDS)
def test_words_that_may_mean_missing(word: str) -> None:
    found = taken(f"1.5|2.5|{word}|3", [f"1.5|2.5|{text}|3" for text in WORDS])
    assert found[:2] == ("number", [1.5, 2.5, None, 3.0])
    assert f"1 cell among numbers ({word!r}) taken for missing" in found.notes
    assert "`categorical`" in found.notes
    assert "thousands" not in found.notes
    dates = "2020-01-31|{}|2020-02-01"
    found = taken(dates.format(word), [dates.format(text) for text in WORDS])
    assert f"1 cell among dates ({word!r}) taken for missing" in found.notes
    found = taken(f"low|{word}|high", [f"low|{text}|high" for text in WORDS])
    assert found == ("category", ["low", word, "high"], "")


@pytest.mark.parametrize(("column", "numbers"), NUMBERS)
def test_numbers(column: str, numbers: Sequence[float]) -> None:
    found = taken(column, [column for column, _ in NUMBERS])
    assert found.type == "number"
    np.testing.assert_allclose(found.cells, numbers, rtol=1e-15)


@pytest.mark.parametrize(("column", "dates"), DATES)
def test_dates(column: str, dates: str) -> None:
    found = taken(column, [column for column, _ in DATES])
    assert found == ("date", seconds(dates), "")


@pytest.mark.parametrize(("column", "expected"), SECONDS)
def test_times_and_durations(column: str, expected: list[float]) -> None:
    found = taken(column, [column for column, _ in SECONDS])
    assert found == ("date", expected, "")


@pytest.mark.parametrize(("column", "values"), CATEGORIES)
def test_categories(column: str, values: list[Any]) -> None:
    found = taken(column, [column for column, _ in CATEGORIES])
    assert found == ("category", values, "")
    kinds = [{type(value) for value in part} - {int, float} for part in (found.cells, values)]
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize(("column", "note"), NOTES)
def test_what_can_be_read_in_several_ways_is_noted(column: str, note: str) -> None:
    assert note in taken(column, [column for column, _ in NOTES]).notes


@pytest.mark.parametrize("column", INFINITE)
def test_infinite_numbers_are_refused_with_what_to_do(column: str) -> None:
    with pytest.raises(TableError, match=r"inf is infinite .* name it in `missing_values`"):
        taken(column, [column])


def test_there_are_enough_of_them() -> None:
    missing = len(SPELLED + SYMBOLS) * len(AMONG) + len(WORDS)
    others = (NUMBERS, DATES, SECONDS, CATEGORIES, NOTES)
    assert missing > 200
    assert sum(map(len, others)) > 200
