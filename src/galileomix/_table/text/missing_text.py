"""Which texts mean missing without anybody saying so.

`SPELLINGS` do wherever they stand: they are those of pandas, R and SQL, and what spreadsheets and
C write for a number that cannot be had. `SYMBOLS` do among numbers and dates, and among words
where no other value is made of signs alone: ``-`` beside ``+`` is a value, ``-`` beside ``low``
and ``high`` is not.
"""

from __future__ import annotations

from typing import Any

from galileomix._table.text.arrow import matches

SPELLINGS = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "None", "NaT", "N.A.", "n.a."}
    | {"NaN", "nan", "NAN", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}
    | {"NULL", "Null", "null", "(null)", "<null>", "[NULL]", "\\N"}
    | {"#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"}
)
SYMBOLS = frozenset({"?", ".", "..", "...", "-", "--", "---", "\u2013", "\u2014"})
_SIGNS = r"^[!-/:-@\[-`{-~\x{a7}-\x{b1}\x{2000}-\x{2bff}]+$"


def has_signs(texts: Any) -> bool:
    """Return whether a text is made of signs alone.

    Examples
    --------
    >>> import pyarrow as pa
    >>> has_signs(pa.array(["low", "+"])), has_signs(pa.array(["low", "C++", "a-b"]))
    (True, False)
    """
    return bool(matches(texts, _SIGNS).any())
