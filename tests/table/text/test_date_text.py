"""Dates, times and durations in text; `test_variants` has the ways to write them."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix._table.text.date_text import LAYOUTS, Fit, possible, read_dates

moments = st.datetimes(datetime(1000, 1, 1), datetime(2999, 12, 31))
FORMS = {
    "%Y-%m-%d": "year-month-day",
    "%m/%d/%Y": "month/day/year",
    "%d.%m.%Y": "day.month.year",
    "%m-%d-%Y": "month-day-year",
    "%d %b %Y": "day name year",
    "%Y-%b-%d": "year name day",
    "%A, %B %d, %Y": "name day year",
}


def read_one(text: str, layout: str) -> float:
    return float(read_dates(pa.array([text]), layout)[0])


@pytest.mark.parametrize("form", FORMS)
@given(moment=moments)
def test_days_are_read_as_python_writes_them(form: str, moment: datetime) -> None:
    midnight = datetime(moment.year, moment.month, moment.day)
    expected = (midnight - datetime(1970, 1, 1)) / timedelta(seconds=1)
    # Some systems write years before 1000 in fewer digits; these are not among the moments.
    assert read_one(midnight.strftime(form), FORMS[form]) == expected


@given(moments, st.integers(-23, 23))
def test_moments_are_in_universal_time(moment: datetime, hours: int) -> None:
    text = f"{moment:%Y-%m-%dT%H:%M:%S}{hours:+03}:30"
    local = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z").astimezone(UTC)
    expected = (local - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1)
    if "-00:" not in text[19:]:
        assert read_one(text, "year-month-day") == expected


@given(st.timedeltas(timedelta(days=-900), timedelta(days=900)))
def test_durations_are_read_as_pandas_writes_them(duration: timedelta) -> None:
    rest = timedelta(seconds=duration.seconds)
    sign = "+" if duration.days < 0 else ""
    text = f"{duration.days} days {sign}{str(rest).zfill(8)}"
    assert read_one(text, "duration") == duration.days * 86400 + duration.seconds


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("2020-02-30", "year-month-day"),
        ("2020-13-01", "year-month-day"),
        ("2021-02-29", "year-month-day"),
        ("2020-00-10", "year-month-day"),
        ("13/01/2020", "month/day/year"),
        ("31 Foo 2020", "day name year"),
        ("2020-01-31 24:10", "year-month-day"),
        ("2020-01-31 13:05 PM", "year-month-day"),
        ("2020Q5", "year quarter"),
        ("25:00", "time"),
        ("12:60", "time"),
        ("", "year-month-day"),
    ],
)
def test_what_is_no_date(text: str, layout: str) -> None:
    assert np.isnan(read_one(text, layout))


def test_the_layouts_that_texts_can_have() -> None:
    counts = np.array([2, 3])
    found = possible(pa.array(["03/04/2020", "31/12/2020"]), counts, 3)
    assert found["day.month.year"] == Fit(5, ())
    assert found["month/day/year"] == Fit(2, ("31/12/2020",))
    assert found["year-month-day"] == Fit(0, ("03/04/2020", "31/12/2020"))


def test_few_words_are_no_evidence_against_dates_in_other_parts() -> None:
    few = possible(pa.array(["x", "y"]), np.array([1, 1]), 3)
    assert set(few) == set(LAYOUTS)
    assert set(few.values()) == {Fit(0, ("x", "y"))}
    many = possible(pa.array(["x", "y", "z", "u"]), np.ones(4, int), 3)
    assert many == {}
