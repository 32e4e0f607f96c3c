r"""Dates, times and durations as people write them, to numbers: seconds since 1970, or of a day.

Each way of writing is a `Layout` by name. ``03/04/2020`` is written in two of them; which one a
column has, its other cells say, and where they do not, what its separator usually means.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.text.arrow import compute, groups, python_pattern, trimmed

Doubles = NDArray[np.float64]

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAY_SECONDS = 86400.0
LONGEST_DURATION = 1e8 * DAY_SECONDS
"""The most seconds of a duration: in microseconds they are within 64 bits."""
_YEAR = r"(?P<year>[12][0-9]{3})"
_SHORT_YEAR = r"(?P<year>[12][0-9]{3}|[0-9]{2})"
_MONTH, _DAY = r"(?P<month>[0-9]{1,2})", r"(?P<day>[0-9]{1,2})"
_NAME, _ANY_SIGN = r"(?P<name>[A-Za-z]{3,9})[.]?", "[-/., ]{0,2}"
_TH = r"(?P<ordinal>st|nd|rd|th)?"
_WEEKDAY = r"(?:(?P<weekday>[A-Z][a-z]{2,8}),? )?"
_CLOCK = (
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9](?:[.,][0-9]+)?))?"
    r"(?: ?(?P<half>[AaPp])[.]?[Mm][.]?)?"
)
_ZONE = r"(?: ?(?:Z|UTC|GMT|(?P<zone>[+-][0-9]{2}):?(?P<zone_minutes>[0-9]{2})?))?"
_OF_DAY = rf"(?:(?:[Tt_:]|,? ){_CLOCK}{_ZONE})?"
_CLOCK_DIGITS = r"(?P<hour>[0-2][0-9])(?P<minute>[0-5][0-9])(?P<second>[0-5][0-9])"
_SIGNED_CLOCK = (
    r"(?P<plus>[+])?(?P<hour>[0-9]+):(?P<minute>[0-5][0-9])"
    r"(?::(?P<second>[0-5][0-9](?:[.][0-9]+)?))?"
)

# In the order of preference: where a column can be read by several, the first is taken.
_LAYOUTS = {
    "year-month-day": rf"{_YEAR}[-/. 年]{_MONTH}[-/. 月]{_DAY}日?{_OF_DAY}",
    "month/day/year": rf"{_MONTH}/{_DAY}/{_SHORT_YEAR}{_OF_DAY}",
    "day.month.year": rf"{_DAY}[-/. ]{_MONTH}[-/. ]{_SHORT_YEAR}{_OF_DAY}",
    "month-day-year": rf"{_MONTH}[-. ]{_DAY}[-. ]{_SHORT_YEAR}{_OF_DAY}",
    "year name day": rf"{_YEAR}{_ANY_SIGN}{_NAME}{_ANY_SIGN}{_DAY}{_OF_DAY}",
    "day name year": rf"{_WEEKDAY}{_DAY}{_TH}{_ANY_SIGN}{_NAME}{_ANY_SIGN}{_SHORT_YEAR}{_OF_DAY}",
    "name day year": rf"{_WEEKDAY}{_NAME}[ -]{_DAY}{_TH},?[ -]{_YEAR}{_OF_DAY}",
    "name day time year": rf"{_WEEKDAY}{_NAME} {{1,2}}{_DAY} {_CLOCK}{_ZONE} {_YEAR}",
    "year-month": rf"{_YEAR}[-/]{_MONTH}",
    "month/year": rf"{_MONTH}[-/]{_YEAR}",
    "name year": rf"{_NAME},?[ -]{_YEAR}",
    "name-year": rf"{_NAME}-(?P<year>[0-9]{{2}})",
    "year quarter": rf"{_YEAR}[- ]?[Qq](?P<quarter>[1-4])",
    "quarter year": rf"[Qq](?P<quarter>[1-4])[-/ ]?{_YEAR}",
    "year week": rf"{_YEAR}-?W(?P<week>[0-9]{{2}})(?:-?(?P<of_week>[1-7]))?",
    "yearmonthday": (
        r"(?P<year>19[0-9]{2}|20[0-9]{2})(?P<month>[01][0-9])(?P<day>[0-3][0-9])"
        rf"(?:[T ]?{_CLOCK_DIGITS}Z?)?"
    ),
    "time": _CLOCK,
}
_PATTERNS = {name: f"^{pattern}$" for name, pattern in _LAYOUTS.items()}
_AMOUNT = "[0-9]+(?:[.][0-9]+)?"
# RE2 has no group name twice: the forms of a duration are tried one after the other. Text of one
# form is surely a duration where it has so many parts: 45m may be metres, 1h 45m is none.
_DURATIONS = {
    rf"^(?P<days>-?[0-9]+) day(?P<plural>s?),?(?: {_SIGNED_CLOCK})?$": 1,
    rf"^{_SIGNED_CLOCK}$": 1,
    (
        rf"^P(?:(?P<days>{_AMOUNT})D)?T(?:(?P<hour>{_AMOUNT})H)?(?:(?P<minute>{_AMOUNT})M)?"
        rf"(?:(?P<second>{_AMOUNT})S)?$"
    ): 1,
    rf"^P(?P<days>{_AMOUNT})D$": 2,
    (
        rf"^(?:(?P<days>{_AMOUNT}) ?(?:d|days?))?(?:,? ?(?P<hour>{_AMOUNT}) ?(?:h|hrs?|hours?))?"
        rf"(?:,? ?(?P<minute>{_AMOUNT}) ?(?:m|mins?|minutes?))?"
        rf"(?:,? ?(?P<second>{_AMOUNT}) ?(?:s|secs?|seconds?))?$"
    ): 2,
}
LAYOUTS = (*_LAYOUTS, "duration")
# Arrow compiles a pattern every time it is used, which takes far longer than a look at few texts.
_COMPILED = {
    name: [python_pattern(pattern) for pattern in patterns]
    for name, patterns in [*((n, (p,)) for n, p in _PATTERNS.items()), ("duration", _DURATIONS)]
}
UNITS = {"time": "time", "duration": "duration"}
"""What the numbers of a layout are shown as; of all others a date."""
WRITTEN_AS = {"date": "year-month-day", "time": "time", "duration": "duration"}
"""The layout in which we write what has a unit."""
_IN_WORDS = {
    "day.month.year": "day/month/year",
    "month-day-year": "month/day/year",
    "name-year": "month-name year",
    "year week": "year and week",
    "yearmonthday": "year, month and day without signs",
}
SWAPPED = {
    "month/day/year": ("day.month.year",),
    "day.month.year": ("month/day/year", "month-day-year"),
}
"""The layouts in which a date is another one."""


def in_words(layout: str) -> str:
    """Return a layout of dates as a person would say it.

    Examples
    --------
    >>> in_words("day.month.year"), in_words("day name year")
    ('day/month/year', 'day month-name year')
    """
    return _IN_WORDS.get(layout) or layout.replace("name", "month-name")


class Fit(NamedTuple):
    """How well a layout fits: how many rows are surely such dates, and the few texts not so."""

    rows: int = 0
    others: tuple[str, ...] = ()


def possible(texts: Any, counts: NDArray[np.int64], most_others: int) -> dict[str, Fit]:
    """Return the layouts that all but a few texts have, each text held by so many rows."""
    texts = trimmed(texts)
    first = texts[: most_others + 1].to_pylist()
    found: dict[str, Fit] = {}
    for layout in LAYOUTS:
        if not any(pattern.match(text) for text in first for pattern in _COMPILED[layout]):
            if len(texts) <= most_others:  # other parts of the table may be dates
                found[layout] = Fit(0, tuple(sorted(first)))
            continue
        seconds, sure = _durations(texts) if layout == "duration" else _dates(texts, layout)
        wrong = np.isnan(seconds)
        if np.count_nonzero(wrong) <= most_others:
            others = texts.filter(pa.array(wrong)).to_pylist()
            found[layout] = Fit(int(counts[sure].sum()), tuple(sorted(others)))
    return found


def mixed(texts: Sequence[str], most_others: int) -> list[str]:
    """Return the layouts of texts that are dates, but not all in one; none where they are not.

    Examples
    --------
    >>> mixed(["2020-01-31", "31.01.2020", "2020-02-01"], most_others=0)
    ['year-month-day', 'day.month.year']
    """
    left, found = pa.array(texts, pa.string()), list[str]()
    while len(left) > most_others:
        read = {layout: ~np.isnan(read_dates(left, layout)) for layout in LAYOUTS}
        layout = max(LAYOUTS, key=lambda name: np.count_nonzero(read[name]))
        if np.count_nonzero(read[layout]) <= most_others:
            return []
        found.append(layout)
        left = left.filter(pa.array(~read[layout]))
    return found if len(found) > 1 else []


def as_date(text: str, layout: str) -> re.Match[str] | None:
    """Return the parts of a date as people write it; None where a text has another layout."""
    return next(filter(None, (pattern.match(text) for pattern in _COMPILED[layout])), None)


def read_dates(texts: Any, layout: str) -> Doubles:
    """Return texts as seconds: since 1970, since midnight, or of a duration; NaN where none.

    Examples
    --------
    >>> read_dates(pa.array(["1970-01-02", "1970-02-30", "1970-01-01 1:30 pm"]), "year-month-day")
    array([86400.,    nan, 48600.])
    """
    texts = trimmed(texts)
    return (_durations(texts) if layout == "duration" else _dates(texts, layout)).seconds


class _Read(NamedTuple):
    """Texts in seconds, NaN where they are none, and which of them can be nothing else."""

    seconds: Doubles
    sure: NDArray[np.bool_]


def _durations(texts: Any) -> _Read:
    seconds, sure = np.full(len(texts), np.nan), np.zeros(len(texts), np.bool_)
    for pattern, least_parts in _DURATIONS.items():
        form = groups(texts, pattern)
        parts = np.sum([_is_given(form[name]) for name in form], axis=0)
        found = _number(form, "days", 0.0) * DAY_SECONDS + _of_day(form)
        sound = (parts > 0) & (np.abs(found) <= LONGEST_DURATION)
        seconds = np.where(np.isnan(seconds) & sound, found, seconds)
        sure |= parts >= least_parts
    return _Read(seconds, sure)


def _is_given(group: Any) -> NDArray[np.bool_]:
    """Return which texts have a group."""
    given = compute.fill_null(compute.not_equal(group, ""), False)
    return given.to_numpy(zero_copy_only=False)


def _dates(texts: Any, layout: str) -> _Read:
    seconds = _seconds(texts, layout)
    return _Read(seconds, ~np.isnan(seconds))


def _seconds(texts: Any, layout: str) -> Doubles:
    found = groups(texts, _PATTERNS[layout])
    if np.isnan(_flag(found)).all():
        return _flag(found)
    of_day = _of_day(found)
    if layout == "time":
        return np.where((of_day < DAY_SECONDS) & ~np.isnan(_flag(found)), of_day, np.nan)
    return _days(found) * DAY_SECONDS + of_day


def _flag(found: dict[str, Any]) -> Doubles:
    """Return zero for texts that match, NaN for others."""
    some = next(iter(found.values()))
    return np.where(compute.is_valid(some).to_numpy(zero_copy_only=False), 0.0, np.nan)


def _number(found: dict[str, Any], name: str, absent: float) -> Doubles:
    """Return a group as numbers; `absent` where it is not in a text, or not in the layout."""
    if name not in found:
        return np.full(len(next(iter(found.values()))), absent)
    texts = compute.replace_substring(found[name], ",", ".")
    texts = compute.if_else(compute.equal(texts, ""), str(absent), texts)
    return texts.cast("float64").to_numpy(zero_copy_only=False)


def _days(found: dict[str, Any]) -> Doubles:
    """Return days since 1970; NaN where there is no such day."""
    if "week" in found:
        return _days_by_week(found)
    year, day = _number(found, "year", np.nan), _number(found, "day", 1.0)
    month = _month(found)
    year = np.where(year < 69, year + 2000, np.where(year < 100, year + 1900, year))
    sound = (month >= 1) & (month <= 12) & (day >= 1) & ~np.isnan(year)
    months = np.where(sound, (year - 1970) * 12 + month - 1, 0).astype(np.int64)
    first = months.astype("M8[M]").astype("M8[D]").astype(np.int64)
    following = (months + 1).astype("M8[M]").astype("M8[D]").astype(np.int64)
    days = first + np.where(sound, day, 1) - 1
    return np.where(sound & (days < following), days, np.nan)


def _days_by_week(found: dict[str, Any]) -> Doubles:
    """Return days since 1970 of the weeks of ISO 8601, whose first has the 4th of January."""
    year, week = _number(found, "year", np.nan), _number(found, "week", np.nan)
    sound = ~np.isnan(year)
    first = _first_monday(np.where(sound, year, 1970))
    following = _first_monday(np.where(sound, year, 1970) + 1)
    days = first + 7 * (week - 1)
    sound &= (days >= first) & (days < following)
    return np.where(sound, days + _number(found, "of_week", 1.0) - 1, np.nan)


def _first_monday(year: Doubles) -> Doubles:
    """Return the days since 1970 on which the years of ISO 8601 begin."""
    fourth = (year - 1970).astype(np.int64).astype("M8[Y]").astype("M8[D]").astype(np.int64) + 3
    return (fourth - (fourth + 3) % 7).astype(np.float64)


def _month(found: dict[str, Any]) -> Doubles:
    if "quarter" in found:
        return 3 * _number(found, "quarter", np.nan) - 2
    if "name" not in found:
        return _number(found, "month", np.nan)
    names = compute.utf8_slice_codeunits(compute.utf8_lower(found["name"]), 0, 3)
    known = {name: float(number) for number, name in enumerate(MONTHS, 1)}
    return np.array([known.get(name, np.nan) for name in names.to_pylist()])


def _of_day(found: dict[str, Any]) -> Doubles:
    """Return the seconds since midnight, in universal time where the zone is given."""
    hour, minute = _number(found, "hour", 0.0), _number(found, "minute", 0.0)
    if "half" in found:
        half = compute.utf8_lower(found["half"])
        noon = compute.fill_null(compute.equal(half, "p"), False).to_numpy(zero_copy_only=False)
        given = _is_given(half)
        hour = np.where(given & (hour > 12), np.nan, np.where(given, hour % 12 + 12 * noon, hour))
    zone, minutes = _number(found, "zone", 0.0), _number(found, "zone_minutes", 0.0)
    offset = zone * 3600 + np.copysign(minutes * 60, zone)
    seconds = hour * 3600 + minute * 60 + _number(found, "second", 0.0)
    return np.where((hour < 24) | ("year" not in found), seconds - offset, np.nan)
