"""Numbers as a column of text writes them: the inverse of `number_text`.

What the decimal sign does not say, the column's own texts do: what stands before and after its
numbers, what stands between groups of digits, and how it writes what is below zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from galileomix._table.text.arrow import SPACES
from galileomix._table.text.number_text import MAGNITUDES, Decimal, as_number

_GROUP_SIGN = {".": re.compile(r"[^0-9.]"), ",": re.compile(r"[^0-9,]")}
_SIGNS = str.maketrans("", "", "(+-\u2212")
_THREES = re.compile(r"\B(?=(?:[0-9]{3})+$)")
_TWOS_BEFORE_THREE = re.compile(r"\B(?=(?:[0-9]{2})*[0-9]{3}$)")  # in India
MINUS: tuple[str, str] = ("-", "")
DEBIT: tuple[str, str] = ("(", ")")


def by_length(texts: Iterable[str]) -> list[str]:
    """Return texts without the spaces around them, the longest last."""
    return sorted((text.strip(SPACES) for text in texts), key=lambda text: (len(text), text))


@dataclass(frozen=True)
class NumberNotation:
    """How one column writes numbers."""

    decimal: Decimal
    before: str = ""
    after: str = ""
    group: str = ""  # between groups of digits
    indian: bool = False
    negative: tuple[str, str] = MINUS  # what stands around a number below zero

    @classmethod
    def of(cls, texts: Iterable[str], decimal: Decimal, scaled: bool = False) -> NumberNotation:
        """Look at the texts of a column: the longest number shows all that there may be.

        What stands for a power of ten (``scaled``) is not written: 1.2M is 1200000 as well.
        """
        matches = (as_number(text, decimal) for text in reversed(by_length(texts)))
        numbers = [found for found in matches if found is not None]
        if not numbers:
            return cls(decimal)
        longest = numbers[0]
        grouped = filter(None, (_GROUP_SIGN[decimal].search(found["digits"]) for found in numbers))
        group = next(grouped, None)
        after = longest.string[longest.end("power") : longest.end("after")]
        return cls(
            decimal,
            before=longest.string[: longest.start("digits")].translate(_SIGNS).lstrip(),
            after="" if scaled and after.strip(SPACES) in MAGNITUDES else after,
            group=group[0] if group else "",
            indian=group is not None and re.search(",[0-9]{2},", group.string) is not None,
            negative=_negative(found.string for found in numbers),
        )

    def write(self, number: float) -> str:
        """Return a number as text that is read as the same number, to the bit.

        Examples
        --------
        >>> NumberNotation.of(["$1,216", "($0.5)"], ".").write(-27000.25)
        '($27,000.25)'
        >>> NumberNotation.of(["3,5 %"], ",").write(4.25)
        '4,25 %'
        """
        mantissa, e, power = repr(abs(float(number))).partition("e")
        whole, _, fraction = mantissa.partition(".")
        whole = (_TWOS_BEFORE_THREE if self.indian else _THREES).sub(self.group, whole)
        fraction = "" if fraction in ("", "0") else self.decimal + fraction
        text = f"{self.before}{whole}{fraction}{e}{power}{self.after}"
        first, last = self.negative if number < 0 else ("", "")
        return f"{first}{text}{last}"


def _negative(numbers: Iterable[str]) -> tuple[str, str]:
    """Return what stands around the numbers below zero of a column."""
    first = next((text[0] for text in numbers if text[0] in "(\u2212"), "-")
    return DEBIT if first == "(" else (first, "")
