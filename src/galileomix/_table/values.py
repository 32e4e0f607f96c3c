"""What a category may be.

A value is a ``str``, ``int``, ``float``, ``bool`` or, where the cell is missing, ``None``. Values
of different types are different values: ``1``, ``1.0``, ``True`` and ``"1"`` are four, although
Python says that the first three are equal. So they are looked up by a *key* that has the type.
"""

from __future__ import annotations

import datetime
import math
import numbers
from decimal import Decimal

import numpy as np

from galileomix.errors import TableError, TableTypeError

Value = str | int | float | bool | None
Key = tuple[str, Value]

# The missing values of pandas; named, not imported, so that plain arrays do not need pandas.
MISSING_TYPES = frozenset({"NoneType", "NAType", "NaTType"})


def key(value: Value) -> Key:
    """Return what a value is looked up by: its type, then itself."""
    return (type(value).__name__, value)


def plain(value: object) -> Value:
    """Turn what a cell holds into a value; the caller adds column and row to an error.

    Examples
    --------
    >>> plain(np.int8(3)), plain(b"red"), plain(float("nan"))
    (3, 'red', None)
    """
    if type(value).__name__ in MISSING_TYPES:
        return None
    if isinstance(value, np.bool_ | bool):
        return bool(value)
    if isinstance(value, str):
        return check_text(str.__str__(value))  # itself, also where an Enum prints otherwise
    if isinstance(value, np.timedelta64):  # which numpy registers as an integer
        return _plain_other(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real | Decimal):
        number = math.inf if is_signal(value) else _float(value)
        if math.isinf(number):
            raise TableError(f"{value} cannot be modelled; use NaN for a missing value")
        # -0.0 becomes 0.0: equal values are one value.
        return None if math.isnan(number) else number + 0.0
    return _plain_other(value)


def _float(value: numbers.Real | Decimal) -> float:
    """Return a number as a float; infinite where none can hold it, as a fraction may be."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def is_signal(value: object) -> bool:
    """Return whether this is the NaN of Decimal that raises wherever it is touched."""
    return isinstance(value, Decimal) and value.is_snan()


def check_text(text: str) -> str:
    """Return text that can be written; raise TableError where half a surrogate pair is in it.

    Examples
    --------
    >>> check_text("naïve")
    'naïve'
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise TableError(
            f"{text[:40]!r} cannot be written: it holds half of a surrogate pair, which is no "
            f"character; text.encode('utf-8', 'replace').decode() takes it away"
        ) from None
    return text


def check_name(name: str) -> None:
    """Raise TableError where no column can have this name.

    Examples
    --------
    >>> check_name("size")
    """
    try:
        check_text(name)
    except TableError as error:
        raise TableError(f"the name of a column: {error.problem}") from None
    if "\0" in name:
        raise TableError(f"the name of a column, {name[:40]!r}, holds a NUL character: rename it")


def _plain_other(value: object) -> Value:
    if isinstance(value, np.datetime64 | np.timedelta64) and np.isnat(value):
        return None
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise TableError(f"{value[:40]!r} is not UTF-8 text") from None
    if type(value).__name__ == "Interval":  # what pandas.cut makes
        return str(value)
    dates = datetime.date | datetime.time | datetime.timedelta | np.datetime64 | np.timedelta64
    if isinstance(value, dates):
        return str(value)
    if isinstance(value, numbers.Complex):
        raise TableError(f"Complex data not supported: {value!r}")
    raise TableTypeError(
        f"{value!r} is not a category: the argument must be a string, a number, a boolean "
        f"or missing, not {type(value).__name__!r}; turn it into text first"
    )
