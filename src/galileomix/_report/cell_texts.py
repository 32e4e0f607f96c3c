"""Cells as a report shows them: numbers with their units and digits, dates as dates."""

from __future__ import annotations

from galileomix._fitted.explanation import Reason
from galileomix._fitted.visible_text import shown
from galileomix._table import Attribute, Numeric
from galileomix._words import shown_number, shown_value


def shown_cell(attribute: Attribute, value: object) -> str:
    """Return the value of a cell, a number with no more digits than its column has.

    Examples
    --------
    >>> shown_cell(Numeric("pay", 0.0, 1.0, "$", decimals=2), 1234567.891)
    '$1234567.89'
    """
    if not _plain_number(attribute, value):
        return shown(shown_value(value))
    assert isinstance(attribute, Numeric) and isinstance(value, float)
    step = 0.0 if attribute.decimals is None else 10.0**-attribute.decimals
    number = value if attribute.decimals is None else round(value, attribute.decimals)
    return shown(shown_number(number, attribute.unit, step))


def shown_expectation(attribute: Attribute, reason: Reason) -> str:
    """Return what was expected of a cell, in the units of its column."""
    spread = reason.deviation
    if spread != spread or not _plain_number(attribute, reason.expected):
        return shown(reason.expectation)
    assert isinstance(attribute, Numeric)
    parts = (shown_number(x, attribute.unit, spread) for x in (reason.expected, spread))
    return shown(" ± ".join(parts))


def _plain_number(attribute: Attribute, value: object) -> bool:
    """Whether a value is a number of its column, and no date or duration."""
    return isinstance(attribute, Numeric) and isinstance(value, float)
