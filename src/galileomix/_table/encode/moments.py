"""Seconds to dates, times and durations, as a frame holds them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.read.temporal import seconds_of, within_range
from galileomix._table.text.date_text import DAY_SECONDS


def as_moments(seconds: NDArray[np.float64], unit: str) -> NDArray[Any]:
    """Return seconds as what their unit says; NaN as a missing moment.

    Dates and durations are of numpy's types, and as far as a table can hold them. A date is that
    of the nearest midnight; a time is an object, None where it is missing.

    Examples
    --------
    >>> as_moments(np.array([86399.0, np.nan]), "date")
    array(['1970-01-02T00:00:00',                 'NaT'], dtype='datetime64[s]')
    >>> as_moments(np.array([45000.0]), "time").tolist()
    [datetime.time(12, 30)]
    """
    step = DAY_SECONDS if unit == "date" else 1.0
    missing = np.isnan(seconds)
    nearest = np.round(np.where(missing, 0.0, seconds) / step) * step
    if unit != "time":
        nearest = np.floor(within_range(nearest, unit) / step) * step
    whole = nearest.astype(np.int64)
    if unit == "time":
        found = [None if gone else _time(s) for s, gone in zip(whole, missing, strict=True)]
        return np.array([*found, None], dtype=object)[:-1]
    moments = whole.astype("m8[s]" if unit == "duration" else "M8[s]")
    moments[missing] = np.timedelta64("NaT") if unit == "duration" else np.datetime64("NaT")
    return moments


def as_written_numbers(values: Iterable[Any], exact: bool = False) -> list[float]:
    """Return values of a frame as the numbers that text stands for: moments as seconds.

    Unless they are to be exact, fractions have six digits, as many as are shown of them.

    Examples
    --------
    >>> as_written_numbers([27.41713452, 1234567.0, datetime.time(12, 30)])
    [27.4171, 1234567.0, 45000.0]
    """
    shown = float if exact else _six_digits
    return [
        shown(value) if isinstance(value, int | float) else seconds_of(value) for value in values
    ]


def _six_digits(value: float) -> float:
    return float(value if float(value).is_integer() else f"{value:.6g}")


def _time(seconds: Any) -> datetime.time:
    within = int(seconds) % int(DAY_SECONDS)
    return datetime.time(within // 3600, within % 3600 // 60, within % 60)
