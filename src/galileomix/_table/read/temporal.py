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

MICROSECONDS = 1e6
EPOCH = datetime.datetime(1970, 1, 1)
EPOCH_IN_ZONE = EPOCH.replace(tzinfo=datetime.UTC)
DATES = (datetime.date, np.datetime64)
TIMES = (datetime.time,)
DURATIONS = (datetime.timedelta, np.timedelta64)


def temporal_unit(arrow_type: Any) -> str:
    """Return "date", "time" or "duration" for an Arrow type that is one; nothing for others."""
    if pa.types.is_timestamp(arrow_type) or pa.types.is_date(arrow_type):
        return "date"
    if pa.types.is_time(arrow_type):
        return "time"
    return "duration" if pa.types.is_duration(arrow_type) else ""


def from_arrow(name: str, array: Any) -> NumberColumn:
    """Return an Arrow array of dates, times or durations as seconds."""
    unit = temporal_unit(array.type)
    wide: dict[str, Any] = {
        "date": pa.timestamp("us", getattr(array.type, "tz", None)),
        "time": pa.time64("us"),
        "duration": pa.duration("us"),
    }
    # What is finer than a microsecond is cut off: a float has no place for it beside a date.
    microseconds = compute.cast(array, wide[unit], safe=False).cast(pa.int64())
    floats = microseconds.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return NumberColumn(name, np.asarray(floats) / MICROSECONDS, unit)


def from_numpy(name: str, array: NDArray[Any]) -> NumberColumn:
    """Return a numpy array of dates or durations as seconds."""
    unit = "date" if array.dtype.kind == "M" else "duration"
    microseconds = array.astype(f"{array.dtype.kind}8[us]")
    seconds = microseconds.astype(np.int64) / MICROSECONDS
    return NumberColumn(name, np.where(np.isnat(microseconds), np.nan, seconds), unit)


def from_objects(name: str, cells: Sequence[object], unit: str) -> NumberColumn:
    """Return Python objects, each missing or of the unit, as seconds."""
    seconds = [np.nan if _is_missing(cell) else seconds_of(cell) for cell in cells]
    return NumberColumn(name, np.array(seconds, dtype=np.float64), unit)


def _is_missing(cell: Any) -> bool:
    return cell is None or bool(cell != cell) or type(cell).__name__ in ("NAType", "NaTType")


def seconds_of(cell: Any) -> float:
    """Return a moment as seconds."""
    if isinstance(cell, np.datetime64 | np.timedelta64):
        return float(from_numpy("", np.array([cell])).values[0])
    if isinstance(cell, datetime.timedelta):
        return cell.total_seconds()
    if isinstance(cell, datetime.time):
        return cell.hour * 3600 + cell.minute * 60 + cell.second + cell.microsecond / MICROSECONDS
    if not isinstance(cell, datetime.datetime):
        cell = datetime.datetime(cell.year, cell.month, cell.day)
    return (cell - (EPOCH if cell.tzinfo is None else EPOCH_IN_ZONE)).total_seconds()
