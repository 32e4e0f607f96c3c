"""Numbers and dates as a column writes them: read back, they are the same."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from galileomix._table import NumberColumn
from galileomix._table.column import TextColumn
from galileomix._table.text.date_text import LAYOUTS
from galileomix._table.text.text_evidence import TextEvidence
from galileomix._table.text.text_format import TextFormat
from text_variants import DATES, NUMBERS, SECONDS

EDGES = [0.0, 0.1, -1.0, 999.0, 1000.0, -1234567.0, 1e-7, 1e16, -2.5e30, 1 / 3, 27.417]
DAY = 86400.0


def format_of(texts: list[str]) -> TextFormat:
    return TextEvidence.of(pa.array(texts), np.ones(len(texts), np.int64)).number_format()


def read(how: TextFormat, texts: list[str]) -> list[float]:
    column = how.read(TextColumn("x", pa.array(texts, pa.string()), np.arange(len(texts))))
    assert isinstance(column, NumberColumn)
    return [float(value) for value in column.values]


@pytest.mark.parametrize("column", [column for column, _ in NUMBERS])
def test_numbers_are_read_back_to_the_bit(column: str) -> None:
    texts = column.split("|")
    how = format_of(texts)
    written = how.write(EDGES, texts)
    assert read(how, [*texts, *written])[len(texts) :] == EDGES
    assert [number for text in written for number in read(how, [text])] == EDGES


@settings(max_examples=200)
@given(
    column=st.sampled_from([column for column, _ in NUMBERS]),
    number=st.floats(-(2.0**300), 2.0**300),
)
def test_any_number_is_read_back_in_any_column(column: str, number: float) -> None:
    texts = column.split("|")
    how = format_of(texts)
    assert read(how, [*texts, *how.write([number], texts)])[-1] == number


@pytest.mark.parametrize("column", [column for column, _ in [*DATES, *SECONDS]])
def test_dates_are_read_back_as_fine_as_the_column_has_them(column: str) -> None:
    texts = column.split("|")
    how = format_of(texts)
    seconds = read(how, texts)
    assert read(how, how.write(seconds, texts)) == seconds


@given(day=st.integers(-700, 35000), layout=st.sampled_from(LAYOUTS[:8]))
def test_any_day_is_read_back_in_a_column_that_has_no_text(day: int, layout: str) -> None:
    how = TextFormat("date", layout=layout)
    for seconds in (day * DAY, day * DAY + 47109.0):
        assert read(how, how.write([seconds], [])) == [seconds]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_can_be_written_without_an_example(layout: str) -> None:
    how = TextFormat("date", layout=layout)
    assert read(how, how.write([0.0], [])) == [0.0]


@pytest.mark.parametrize(
    ("texts", "number", "expected"),
    [
        ("$1,216|$310", 27000.5, "$27,000.5"),
        ("28,13|-", 27.4171, "27,4171"),
        ("5.8%|12%", 6.0, "6%"),
        ("(1,200.50)|3", -4000.0, "(4,000)"),
        ("unknown value|12 kg", 3.5, "3.5 kg"),
        ("15.04.2020|3.4.2020", 0.0, "1.1.1970"),
        ("23/12/2019|unknown date", DAY, "02/01/1970"),
        ("Fri, 31 Jan 2020", DAY, "Fri, 02 Jan 1970"),
        ("31-Jan-20", -DAY * 3650, "1960-01-04"),
        ("January 31st, 2020", DAY, "January 02nd, 1970"),
        ("1:05 PM|12:00 AM", 43200.0 + 29.0, "12:00 PM"),
        ("13:05", DAY - 1, "23:59"),
        ("25:10:00", -1.0, "-1 days +23:59:59"),
        ("2020-01-31T13:05:09+02:00", 0.0, "1970-01-01T02:00:00+02:00"),
        ("2020-01|1999-12", DAY * 45, "1970-02"),
    ],
)
def test_the_notation_is_that_of_the_column(texts: str, number: float, expected: str) -> None:
    given = texts.split("|")
    how = format_of([text for text in given if "unknown" not in text])
    assert how.write([number], given) == [expected]


def test_what_is_read_does_not_depend_on_other_cells() -> None:
    """``1.200`` is no number as programs write it where commas are decimal."""
    how = TextFormat("number", ",")
    assert read(how, ["1.200"]) == [1200.0] and read(how, ["1.200", "1,5"])[0] == 1200.0
    assert read(how, ["1.25"]) == [1.25] and how.write([1234.5], ["1.25", "NA"]) == ["1234.5"]
