"""Which texts mean missing without anybody saying so.

`SPELLINGS` do wherever they stand: they are those of pandas, R and SQL. `SYMBOLS` do among numbers
and dates, and among words where no other value is made of signs alone: ``-`` beside ``+`` is a
value, ``-`` beside ``low`` and ``high`` is not.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from galileomix._table.text.arrow import compute, matches

SPELLINGS = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NULL", "null", "NaN", "nan", "-NaN", "-nan"}
    | {"None", "NaT"}
)
SYMBOLS = frozenset({"?", ".", "-", "--"})
# A text without a letter, a digit or a space.
_SIGNS = r"^[^\pL\pN\s]+$"


def other_signs(texts: Any) -> bool:
    """Return whether a text that is no symbol for missing is made of signs alone."""
    signs = texts.filter(pa.array(matches(texts, _SIGNS)))
    return not bool(
        compute.all(compute.is_in(signs, pa.array(sorted(SYMBOLS), texts.type))).as_py()
    )
