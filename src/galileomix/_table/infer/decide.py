"""What every column is, and why: the one place where types are decided.

The decision reads only the summary of all rows, so it depends neither on their order, nor on how
they were cut, nor on what held them. What the user says comes first.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from galileomix._table.infer.column_summary import ColumnSummary
from galileomix._table.infer.digest import SMALL, Digest
from galileomix._table.infer.make_attribute import all_rare, n_missing
from galileomix._table.schema import ColumnType, TypeName
from galileomix._table.text.date_text import in_words
from galileomix._table.text.text_format import TextFormat
from galileomix._words import counted
from galileomix.errors import TableError

FEW = 12
"""Whole numbers of no more different values than this are codes, grades or small counts."""
FEW_DECIMALS, HELD_OFTEN = 6, 10
"""Decimals of no more different values than this, each held by so many rows, are codes: prices."""
MANY_ROWS = 20
"""With fewer rows than this, values that all differ are nothing unusual."""
NEARLY_ALL = 0.9
"""Where more than this part of the rows have a value of their own, values are identifiers."""
OFTEN = 0.5
"""Text of more different values than this part of the rows is names or ids that repeat a little."""
REPEATED = 0.05
"""Ids of more different values than this part of the rows are no categories."""
SENTENCE = 4.0
"""Text of more words than this, on average, is sentences."""
ALIKE = 0.1
"""Steps from one date to the next that differ by no more than this part: months, years."""
_ID_NAME = re.compile(
    r"(?:^|[_ .-])(?:id|ids|idno|key|index|uuid|guid|row|rownames?)(?:$|[_ .-])"
    r"|^unnamed: ?\d+$|^$|(?-i:[a-z](?:Id|ID|Key)$)",
    re.IGNORECASE,
)
_NUMBERED_NAME = re.compile(
    r"(?:account|card|case|claim|client|customer|device|employee|invoice|item|loan|member|order"
    r"|patient|person|policy|product|record|sample|serial|session|student|subject|ticket"
    r"|transaction|user)[_ .-]?(?:id|no|nr|num|number)[.]?$|(?:^|[_ .-])(?:no|nr)[.]?$|#$"
    r"|^(?:ssn|isbn|iban|ean|upc|imei|vin)$",
    re.IGNORECASE,
)
"""Names of what is numbered: where nearly all numbers differ they are ids."""
_CODE_NAME = re.compile(r"zip|postal|postcode|(?:^|[_ .-])code$|[a-z]Code$|phone", re.IGNORECASE)


def decide(name: str, summary: ColumnSummary, n_rows: int, price: float = 0.0) -> ColumnType:
    """Return how a column is taken, given the summary of all its rows.

    `price` is what a free parameter costs: values that cannot pay it are rare.
    """
    type_, why, how = _declared(name, summary) if _said(summary) else _found(name, summary)
    found = ColumnType(name, type_, why, how)
    if not _said(summary) and all_rare(found, summary, price):
        found = replace(found, type="identifier", why=f"{why}, none of them common")
    return replace(found, missing=n_missing(found, summary) / max(n_rows, 1))


Decision = tuple[TypeName, str, TextFormat]


def _said(summary: ColumnSummary) -> bool:
    return summary.declared.type != "auto"


def _declared(name: str, summary: ColumnSummary) -> Decision:
    """Return what the user says."""
    match summary.declared.type:
        case "drop":
            return "dropped", "as you say", summary.format
        case "categorical":
            return "category", "as you say", summary.format
        case "ordered":
            _refuse_unordered(name, summary)
            return "ordered", "as you say", summary.format
        case _:
            dated = summary.unit in ("date", "time", "duration")
            return "date" if dated else "number", "as you say", summary.format


def _refuse_unordered(name: str, summary: ColumnSummary) -> None:
    """Refuse text to be ordered whose order nobody knows."""
    if summary.declared.order or summary.values.order or summary.rows == 0:
        return
    texts = sorted(value for value in summary.values.values if isinstance(value, str))
    if texts:
        raise TableError(
            f"the order of {', '.join(map(repr, texts[:4]))} is not known: give it, from the "
            f"lowest to the highest, as in ordered={{{name!r}: [...]}}",
            column=name,
        )


def _found(name: str, summary: ColumnSummary) -> Decision:
    """Return what the cells say."""
    if summary.rows == 0:
        return "category", "missing in every row", summary.format
    if summary.values.order:
        return "ordered", "its categories have an order", summary.format
    if summary.numbers is not None:
        return _of_numbers(name, summary, summary.numbers)
    return _of_values(name, summary)


def _of_numbers(name: str, summary: ColumnSummary, numbers: Digest) -> Decision:
    if summary.unit and not _mostly_words(summary):
        if summary.unit == "date" and _is_index(summary.rows, numbers):
            return "identifier", "one date after the other, each in one row", summary.format
        return "date", _moments(summary), summary.format
    if _mostly_words(summary):
        return _as_text(summary)
    if not (numbers.whole or (_are_huge(numbers) and _is_id_name(name))):
        return _of_decimals(summary, numbers)
    distinct = len(numbers.keys)
    spread = f"{counted(distinct, 'different whole number')} in {counted(summary.rows, 'row')}"
    if _is_identifier(name, summary.rows, numbers):
        return "identifier", spread, summary.format
    if distinct <= FEW or _is_code(name):
        return "category", spread, _category_format(summary)
    return "number", spread, summary.format


def _moments(summary: ColumnSummary) -> str:
    """Return what dates, times and durations are, and how they are written."""
    if summary.unit != "date":
        return {"time": "times of day", "duration": "durations"}[summary.unit]
    written = summary.evidence is not None
    return f"dates, {in_words(summary.format.layout)}" if written else "dates"


def _of_decimals(summary: ColumnSummary, numbers: Digest) -> Decision:
    distinct = len(numbers.keys)
    often = float(numbers.shares.min()) * summary.rows >= HELD_OFTEN
    if 1 < distinct <= FEW_DECIMALS and often:
        spread = f"{counted(distinct, 'different number')} in {counted(summary.rows, 'row')}"
        return "category", spread, _category_format(summary)
    return "number", "numbers with decimals", summary.format


def _category_format(summary: ColumnSummary) -> TextFormat:
    """Return how numbers are read as categories.

    Where the text says more than the number, as in "36 months", the text is the category.
    """
    evidence = summary.evidence
    if evidence is None or evidence.all_plain:
        return summary.format
    return evidence.category_format()


def _mostly_words(summary: ColumnSummary) -> bool:
    """Return whether most cells are words among few numbers or dates."""
    evidence = summary.evidence
    return evidence is not None and summary.rows <= evidence.cells - summary.rows


def _as_text(summary: ColumnSummary) -> Decision:
    """Return text that holds a number here and there as what it is as text."""
    assert summary.evidence is not None
    how = summary.evidence.category_format()
    if summary.values.overflow:
        return "identifier", f"more than {summary.values.most} different values", how
    return "category", f"{counted(len(summary.values), 'different value')}", how


def _are_huge(numbers: Digest) -> bool:
    """Return whether some numbers are beyond those of which a float holds every whole one."""
    return max(numbers.high, -numbers.low) > SMALL


def _is_id_name(name: str) -> bool:
    return bool(_ID_NAME.search(name) or _NUMBERED_NAME.search(name))


def _is_identifier(name: str, rows: int, numbers: Digest) -> bool:
    """Return whether whole numbers are row numbers or ids."""
    if rows <= MANY_ROWS:
        return False
    if _is_index(rows, numbers):
        return True
    distinct = len(numbers.keys) if numbers.exact else rows
    if _NUMBERED_NAME.search(name) and distinct > NEARLY_ALL * rows:
        return True
    return bool(_ID_NAME.search(name)) and distinct > max(FEW, rows * REPEATED)


def _is_index(rows: int, numbers: Digest) -> bool:
    """Return whether numbers or dates only count the rows: each once, one step after the other."""
    if rows <= MANY_ROWS:
        return False
    if not numbers.exact:  # more than can be held: they must fill their range
        return numbers.high - numbers.low + 1 <= rows / NEARLY_ALL and _is_even(numbers)
    distinct = len(numbers.keys)
    steps = np.diff(numbers.numbers)
    usual = float(np.median(steps)) if len(steps) else 0.0
    regular = float(np.mean(np.abs(steps - usual) <= ALIKE * usual)) if usual else 0.0
    return distinct > NEARLY_ALL * rows and regular > NEARLY_ALL


def _is_even(numbers: Digest) -> bool:
    """Return whether numbers are spread evenly over their range."""
    expected = (numbers.numbers - numbers.low) / (numbers.high - numbers.low)
    found = np.cumsum(numbers.shares) - numbers.shares
    return bool(np.abs(found - expected).max() < 0.01)


def _is_code(name: str) -> bool:
    """Return whether many different whole numbers are codes, which only their name can say."""
    return bool(_CODE_NAME.search(name) or _ID_NAME.search(name))


def _of_values(name: str, summary: ColumnSummary) -> Decision:
    values, evidence = summary.values, summary.evidence
    rows, distinct = summary.rows, len(values)
    shown = f"{counted(distinct, 'different value')} in {counted(rows, 'row')}"
    if values.overflow:
        return "identifier", f"more than {values.most} different values", summary.format
    texts = evidence is not None or all(isinstance(value, str) for value in values.values)
    if texts and rows > MANY_ROWS:
        words = 1.0 + _blanks(summary) / rows
        if words > SENTENCE and distinct > 0.2 * rows:
            return "text", f"text of {words:.0f} words", summary.format
        if distinct > (REPEATED if _ID_NAME.search(name) else OFTEN) * rows:
            return "identifier", shown, summary.format
    return "category", shown, summary.format


def _blanks(summary: ColumnSummary) -> int:
    if summary.evidence is not None:
        return summary.evidence.blanks
    counts = summary.values.counts.items()
    return sum(str(value).count(" ") * rows for (_, value), rows in counts)
