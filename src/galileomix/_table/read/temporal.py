"""Dates, times and durations of frames to seconds, as numbers."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.column import NumberColumn
from galileomix._table.text.arrow import compute
from galileomix._table.text.date_text import DAY_SECONDS, LONGEST_DURATION
from galileomix.errors import TableError

MICROSECOND, SECOND = datetime.timedelta(microseconds=1), 10**6
EPOCH = datetime.datetime(1970, 1, 1)
EPOCH_IN_ZONE = EPOCH.replace(tzinfo=datetime.UTC)
DATES = (datetime.date, np.datetime64)
TIMES = (datetime.time,)
DURATIONS = (datetime.timedelta, np.timedelta64)
FINER = ("ns", "ps", "fs", "as")
"""The units of numpy that are finer than a microsecond."""
FAR = (1 << 63) - 1
"""Microseconds that stand for all that are out of range."""
FIRST_DATE, END_OF_DATES = -62135596800.0, 253402300800.0
LAST_DATE = float(np.nextafter(END_OF_DATES, 0.0))
_RANGES = {
    "date": (FIRST_DATE, LAST_DATE),
    "time": (0.0, float(np.nextafter(DAY_SECONDS, 0.0))),
    "duration": (-LONGEST_DURATION, LONGEST_DURATION),
}
_RANGE_IN_WORDS = {
    "date": "dates have years from 1 to 9999",
    "time": "times are less than 24 hours",
    "duration": "durations have up to 100,000,000 days",
}


def temporal_unit(arrow_type: Any) -> str:
    """Return "date", "time" or "duration" for an Arrow type that is one; nothing for others."""
    if pa.types.is_timestamp(arrow_type) or pa.types.is_date(arrow_type):
        return "date"
    if pa.types.is_time(arrow_type):
        return "time"
    return "duration" if pa.types.is_duration(arrow_type) else ""


def from_arrow(name: str, array: Any) -> NumberColumn:
    """Return an Arrow array of dates, times or durations as seconds."""
    if temporal_unit(array.type) != "time":
        return from_numpy(name, array.to_numpy(zero_copy_only=False))
    given = compute.cast(array, pa.time64("us"), safe=False).cast(pa.int64())
    missing = compute.is_null(given).to_numpy(zero_copy_only=False)
    ticks = compute.fill_null(given, 0).to_numpy(zero_copy_only=False)
    return _column(name, "time", ticks, missing, ticks.view("m8[us]"))


def from_numpy(name: str, array: NDArray[Any]) -> NumberColumn:
    """Return a numpy array of dates or durations as seconds."""
    unit = "date" if array.dtype.kind == "M" else "duration"
    return _column(name, unit, _microseconds(array), np.isnat(array), array)


def from_objects(name: str, cells: Sequence[object], unit: str) -> NumberColumn:
    """Return Python objects, each missing or of the unit, as seconds."""
    missing = np.array([_is_missing(cell) for cell in cells])
    ticks = [0 if gone else _ticks(cell) for cell, gone in zip(cells, missing, strict=True)]
    return _column(name, unit, np.array(ticks, np.int64), missing, cells)


def within_range(seconds: NDArray[np.float64], unit: str) -> NDArray[np.float64]:
    """Return seconds as the nearest that a date, with its time or not, or a duration can have.

    Examples
    --------
    >>> within_range(np.array([60.0, 1e12]), "date").astype("M8[s]").astype(str).tolist()
    ['1970-01-01T00:01:00', '9999-12-31T23:59:59']
    """
    return np.clip(seconds, *_RANGES["date" if unit == "datetime" else unit])


def _column(
    name: str, unit: str, ticks: NDArray[np.int64], missing: NDArray[np.bool_], given: Any
) -> NumberColumn:
    """Return microseconds as seconds; refuse those that are out of range, as they were given."""
    low, high = (round(seconds * SECOND) for seconds in _RANGES[unit])
    high = round(END_OF_DATES) * SECOND - 1 if unit == "date" else high
    outside = ~missing & ((ticks < low) | (ticks > high))
    if outside.any():
        row = int(np.argmax(outside))
        problem = f"{given[row]} is out of range: {_RANGE_IN_WORDS[unit]}"
        help_ = "make it a missing value, or leave the column out"
        raise TableError(f"{problem}; {help_}", column=name, row=row)
    # The last microseconds of the year 9999 have no float of their own before the year 10000.
    return NumberColumn(name, np.where(missing, np.nan, within_range(ticks / SECOND, unit)), unit)


def _microseconds(array: NDArray[Any]) -> NDArray[np.int64]:
    """Return dates or durations in microseconds; `FAR` where 64 bits cannot hold them.

    What is finer than a microsecond is cut off: a float has no place for it beside a date.
    """
    wide = array.astype(f"{array.dtype.kind}8[us]")
    if np.datetime_data(array.dtype)[0] in FINER:
        return wide.astype(np.int64)
    # numpy lets what is too large begin again at the other end.
    return np.where(wide.astype(array.dtype) == array, wide.astype(np.int64), FAR)


def _is_missing(cell: Any) -> bool:
    return cell is None or bool(cell != cell) or type(cell).__name__ in ("NAType", "NaTType")


def seconds_of(cell: Any) -> float:
    """Return a moment as seconds."""
    return _ticks(cell) / SECOND


def _ticks(cell: Any) -> int:
    """Return a moment in microseconds; no more than `FAR`."""
    if isinstance(cell, np.datetime64 | np.timedelta64):
        return int(_microseconds(np.array([cell]))[0])
    if isinstance(cell, datetime.time):
        whole = cell.hour * 3600 + cell.minute * 60 + cell.second
        return whole * SECOND + cell.microsecond
    if not isinstance(cell, datetime.timedelta):
        if not isinstance(cell, datetime.datetime):
            cell = datetime.datetime(cell.year, cell.month, cell.day)
        cell = cell - (EPOCH if cell.tzinfo is None else EPOCH_IN_ZONE)
    return max(-FAR, min(cell // MICROSECOND, FAR))
