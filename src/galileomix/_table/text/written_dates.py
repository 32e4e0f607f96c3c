"""Dates, times and durations as a column of text writes them: the inverse of `date_text`.

A date is written into the place of another one: each part of a text of the column, its year, its
month or its hour, gives way to that of the date, and all signs between them stay.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice

from galileomix._table.text.date_text import LAYOUTS, UNITS, as_date
from galileomix._table.text.written_numbers import by_length

EPOCH = datetime(1970, 1, 1)
DAY, HOUR, MINUTE = 86400, 3600, 60
NOON = 12
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CLOCKS = ("", " 04:05:06", " 040506")
EXAMPLES = {
    "year-month-day": "2001-02-03",
    "month/day/year": "02/03/2001",
    "day.month.year": "03.02.2001",
    "month-day-year": "02-03-2001",
    "year name day": "2001 Feb 03",
    "day name year": "03 Feb 2001",
    "name day year": "Feb 03, 2001",
    "name day time year": "Feb 03 04:05:06 2001",
    "year-month": "2001-02",
    "month/year": "02/2001",
    "name year": "Feb 2001",
    "name-year": "Feb-01",
    "year quarter": "2001 Q1",
    "quarter year": "Q1 2001",
    "year week": "2001-W05-6",
    "yearmonthday": "20010203",
    "time": "04:05:06",
    "duration": "1 days +04:05:06",
}
"""A text of each layout, for a column that has none."""
SHORT_YEARS = range(1969, 2069)
"""What years of two digits stand for."""
LONGEST_ABBREVIATION = 4  # Sept
LOOKED_AT = 64
"""How many of the shortest texts are looked at."""


@dataclass(frozen=True)
class DateNotation:
    """How one column writes dates: as in an example, and whether 3 is written 03."""

    layout: str
    example: re.Match[str]
    padded_date: bool = True
    padded_hour: bool = True

    @classmethod
    def of(cls, texts: Iterable[str], layout: str, clock: bool = False) -> DateNotation:
        """Look at the texts of a column: the longest has all parts, short ones show zeros.

        `clock` says whether the time of day matters, for a column that has no text.
        """
        shortest_first = by_length(texts)
        longest = next(_dates(reversed(shortest_first), layout), None)
        if longest is None:
            possible = _dates((EXAMPLES[layout] + time for time in CLOCKS), layout)
            return cls(layout, list(possible)[-1 if clock else 0])
        some = [found.groupdict() for found in islice(_dates(shortest_first, layout), LOOKED_AT)]
        date, hour = _padded(some, ("day", "month")), _padded(some, ("hour",))
        return cls(layout, longest, date, hour)

    def write(self, seconds: float) -> str:
        """Return seconds, as `read_dates` gives them, as text; to what the example has.

        Examples
        --------
        >>> DateNotation.of(["Jan 31, 2020 1:05 PM"], "name day year").write(86400.0)
        'Jan 02, 1970 12:00 AM'
        >>> DateNotation.of(["2:30", "100:15"], "duration").write(5400.0)
        '1:30'
        """
        ticks = self._ticks(seconds if self.layout in UNITS else seconds + _offset(self.example))
        if self.layout == "duration":
            return self._with_letters(seconds) if self._has_letters else self._duration(ticks)
        if self.layout == "time":
            return self._filled(self._clock(min(max(ticks, 0), self._day - self._step)))
        day, of_day = divmod(ticks, self._day)
        moment = EPOCH + timedelta(days=day)
        if len(self.example["year"]) == 2 and moment.year not in SHORT_YEARS:
            return DateNotation.of((), LAYOUTS[0], of_day > 0).write(seconds)
        return self._filled({**self._date(moment), **self._clock(of_day)})

    @cached_property
    def _fraction(self) -> str:
        """The fraction of a second that the example has, with its sign."""
        return (self.example.groupdict().get("second") or "")[2:]

    @property
    def _second(self) -> int:
        """How many ticks a second has: the last digit of the example is one."""
        return 10 ** max(len(self._fraction) - 1, 0)

    @property
    def _day(self) -> int:
        return DAY * self._second

    @property
    def _step(self) -> int:
        """How many ticks the example's last part has."""
        parts = self.example.groupdict()
        if parts.get("second"):
            return 1
        return MINUTE if parts.get("minute") else DAY

    def _ticks(self, seconds: float) -> int:
        """Return seconds as fine as the example: the day, or the nearest minute or tick."""
        steps = seconds * self._second / self._step
        whole_day = self._step == DAY and self.layout not in UNITS
        return (math.floor(steps) if whole_day else round(steps)) * self._step

    def _date(self, moment: datetime) -> dict[str, str]:
        """Return the parts of a date, by the names of the groups of `date_text`."""
        width, short = 1 + self.padded_date, len(self.example["year"]) == 2
        weeks = moment.isocalendar()
        year = weeks.year if "week" in self._names else moment.year
        return {
            "year": f"{year % 100:02d}" if short else f"{year:04d}",
            "week": f"{weeks.week:02d}",
            "of_week": str(weeks.weekday),
            "month": f"{moment.month:0{width}d}",
            "day": f"{moment.day:0{width}d}",
            "quarter": str((moment.month + 2) // 3),
            "name": self._name("name", MONTHS[moment.month - 1]),
            "weekday": self._name("weekday", WEEKDAYS[moment.weekday()]),
            "ordinal": _ordinal(moment.day),
        }

    def _name(self, part: str, name: str) -> str:
        """Return a name as long as in the example, in its letters."""
        shown = self.example.groupdict().get(part) or ""
        name = name if len(shown) > LONGEST_ABBREVIATION else name[:3]
        return name.upper() if shown.isupper() else name.lower() if shown.islower() else name

    def _clock(self, ticks: int) -> dict[str, str]:
        """Return the parts of a time of day, or of hours of any number."""
        whole, fraction = divmod(ticks, self._second)
        hour, rest = divmod(whole, HOUR)
        minute, second = divmod(rest, MINUTE)
        half, digits = self.example.groupdict().get("half"), len(self._fraction) - 1
        shown = (hour + 11) % 12 + 1 if half else hour
        after = f"{self._fraction[0]}{fraction:0{digits}d}" if self._fraction else ""
        letter = "P" if hour >= NOON else "A"
        return {
            "hour": f"{shown:0{1 + self.padded_hour}d}",
            "minute": f"{minute:02d}",
            "second": f"{second:02d}{after}",
            "half": letter if half and half.isupper() else letter.lower(),
        }

    def _duration(self, ticks: int) -> str:
        with_days = "days" in self._names
        if ticks < 0 and not with_days:  # hours are never below zero
            return DateNotation.of((), self.layout).write(ticks / self._second)
        days, rest = divmod(ticks, self._day) if with_days else (0, ticks)
        parts = {"plus": "+" if days < 0 else ""}
        if with_days:
            singular = days == 1 and not self.example["plural"]
            parts |= {"days": str(days), "plural": "" if singular else "s"}
        return self._filled({**parts, **self._clock(rest)})

    @property
    def _has_letters(self) -> bool:
        """Whether the parts of a duration have letters or names: PT2H3M, 2h 3m, 2 hours."""
        return "days" in self._names and "plural" not in self._names

    def _with_letters(self, seconds: float) -> str:
        if seconds < 0:  # such hours are never below zero
            return DateNotation.of((), self.layout).write(seconds)
        hour, rest = divmod(seconds, HOUR)
        pairs = zip("hms", (hour, *divmod(rest, MINUTE)), strict=True)
        parts = [f"{amount:.6f}".rstrip("0").rstrip(".") + letter for letter, amount in pairs]
        parts = [part for part in parts if part[:-1] != "0"] or ["0s"]
        iso = self.example.string.startswith("P")
        return f"PT{''.join(parts)}".upper() if iso else " ".join(parts)

    def _filled(self, parts: Mapping[str, str]) -> str:
        """Return the example with other parts in the places of its own."""
        text, end, pieces = self.example.string, 0, list[str]()
        spans = {name: self.example.span(name) for name in parts if name in self._names}
        for name, (start, stop) in sorted(spans.items(), key=lambda item: item[1]):
            if start >= 0:
                pieces += (text[end:start], parts[name])
                end = stop
        return "".join((*pieces, text[end:]))

    @property
    def _names(self) -> Iterable[str]:
        return self.example.re.groupindex


def _dates(texts: Iterable[str], layout: str) -> Iterator[re.Match[str]]:
    return filter(None, (as_date(text, layout) for text in texts))


def _padded(dates: Iterable[Mapping[str, str | None]], parts: Iterable[str]) -> bool:
    """Return whether no date has one digit where there could be two."""
    return all(len(date.get(part) or "00") > 1 for date in dates for part in parts)


def _offset(example: re.Match[str]) -> float:
    """Return the seconds by which an example's zone is ahead of universal time."""
    parts = example.groupdict()
    zone, minutes = float(parts.get("zone") or 0), float(parts.get("zone_minutes") or 0)
    return zone * HOUR + math.copysign(minutes * MINUTE, zone)


def _ordinal(day: int) -> str:
    """Return what stands after the number of a day.

    >>> [_ordinal(day) for day in (1, 2, 11, 23, 30)]
    ['st', 'nd', 'th', 'rd', 'th']
    """
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
