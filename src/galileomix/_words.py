"""Short pieces of text that messages are made of."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence

DAY, HOUR, MINUTE = 86400.0, 3600.0, 60.0
EPOCH = datetime.datetime(1970, 1, 1)
CRITERIA = {"aic": "AIC", "bic": "BIC", "density": "density"}
"""How criteria are written."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "row"), counted(2, "row"), counted(0, "pass", "passes")
    ('1 row', '2 rows', '0 passes')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def about_duration(seconds: float) -> str:
    """Return how long something takes, in as few digits as an estimate deserves.

    Examples
    --------
    >>> about_duration(3.2), about_duration(37.0), about_duration(100.0)
    ('a few seconds', 'about 40 s', 'about 2 min')
    >>> about_duration(1450.0), about_duration(9000.0)
    ('about 25 min', 'about 2 h')
    """
    if seconds < 7.5:
        return "a few seconds"
    if seconds < 55.0:
        return f"about {10 * round(seconds / 10)} s"
    minutes = round(seconds / MINUTE)
    if minutes < 55:
        return f"about {minutes if minutes < 10 else 5 * round(minutes / 5)} min"
    return f"about {max(round(seconds / HOUR), 1)} h"


def shown_value(value: object) -> str:
    """Return a value as a person reads it: short, and "missing" where there is none.

    Examples
    --------
    >>> shown_value("foul"), shown_value(0.1 + 0.2), shown_value(None)
    ('foul', '0.3', 'missing')
    """
    if value is None or value != value:
        return "missing"
    if isinstance(value, datetime.datetime):
        return f"{value:%Y-%m-%d}" if value.time() == datetime.time() else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, datetime.timedelta):
        return shown_number(value.total_seconds(), "duration")
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def named_value(name: str, value: object) -> str:
    """Return the value of a column as a person reads it; an interval is no value to be equal to.

    Examples
    --------
    >>> named_value("odor", "foul"), named_value("age", ">= 65"), named_value("age", "[18, 65)")
    ('odor=foul', 'age >= 65', 'age in [18, 65)')
    """
    shown = shown_value(value)
    if re.fullmatch(r"(<|>=) -?[\d.]+", shown):
        return f"{name} {shown}"
    between = re.fullmatch(r"\[-?[\d.]+, -?[\d.]+\)", shown)
    return f"{name} in {shown}" if between else f"{name}={shown}"


def shown_probability(p: float) -> str:
    """Return a probability in percent, never as none or all where it is not.

    Examples
    --------
    >>> shown_probability(0.1234), shown_probability(4e-74), shown_probability(0.99999)
    ('12.3%', '< 0.1%', '> 99.9%')
    >>> shown_probability(0.0), shown_probability(1.0)
    ('0.0%', '100.0%')
    """
    if 0.0 < p < 0.0005:
        return "< 0.1%"
    return "> 99.9%" if 0.9995 <= p < 1.0 else f"{p:.1%}"


def rounded(value: float, spread: float) -> float:
    """Return a number to two digits of its spread: more would be noise, fewer might hide much.

    Examples
    --------
    >>> rounded(3.14159, 0.5), rounded(3.14159, 0.0)
    (3.14, 3.14159)
    """
    if not 0 < spread < math.inf:
        return value
    return round(float(value), 1 - math.floor(math.log10(spread))) + 0.0  # no negative zero


def shown_number(value: float, unit: str = "", spread: float = 0.0) -> str:
    """Return a number as a person reads it: to two digits of its spread, with its unit.

    What is in seconds ("date", "time", "duration") is shown as what it is.

    Examples
    --------
    >>> shown_number(3.14159, "kg", 0.5), shown_number(1234.5, "$", 300.0), shown_number(0.25, "%")
    ('3.14 kg', '$1230', '0.25%')
    >>> shown_number(1.7e9, "date", 1e7), shown_number(1.7e9, "date", 60.0)
    ('2023-11-14', '2023-11-14 22:13')
    >>> shown_number(45000.0, "time"), shown_number(5400.0, "duration", 600.0)
    ('12:30', '90 min')
    """
    if value != value:
        return "missing"
    if unit in ("date", "datetime", "time"):
        return _shown_moment(value, unit, spread)
    if unit == "duration":
        return _shown_duration(value, spread)
    shown = f"{rounded(value, spread):.15g}" if spread > 0 else f"{value:.6g}"
    if not unit or unit == "%":
        return shown + unit
    return f"{unit}{shown}" if unit in "$£€¥" else f"{shown} {unit}"


def _shown_moment(seconds: float, unit: str, spread: float) -> str:
    if unit == "time":
        return f"{int(seconds // HOUR):02d}:{int(seconds % HOUR // MINUTE):02d}"
    try:
        moment = EPOCH + datetime.timedelta(seconds=seconds)
    except OverflowError:
        return f"{seconds:.6g} s"
    whole = spread >= DAY or (not spread > 0 and seconds % DAY == 0)
    return f"{moment:%Y-%m-%d}" if whole else f"{moment:%Y-%m-%d %H:%M}"


def _shown_duration(seconds: float, spread: float) -> str:
    names = {"days": DAY, "h": HOUR, "min": MINUTE, "s": 1.0}
    name = next((name for name, long in names.items() if abs(seconds) >= 2.0 * long), "s")
    return shown_number(seconds / names[name], name, spread / names[name])


def shown_times(ratio: float) -> str:
    """Return how many times as much something is, in few digits; far from one as a power of ten.

    Examples
    --------
    >>> shown_times(0.0712), shown_times(12345.0), shown_times(3e27), shown_times(2e-9)
    ('0.071', '12,000', '10^27', '10^-9')
    """
    if not 1e-3 <= ratio < 1e6:
        power = math.log10(ratio) if 0 < ratio < math.inf else math.copysign(math.inf, ratio - 1)
        return f"10^{power:.0f}"
    digits = 1 - math.floor(math.log10(ratio))
    return f"{round(ratio, digits):,.{max(digits, 0)}f}"


def either(texts: Sequence[str]) -> str:
    """Return alternatives in words.

    Examples
    --------
    >>> either(["foul"]), either(["foul", "musty", "none"])
    ('foul', 'foul, musty or none')
    """
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))
