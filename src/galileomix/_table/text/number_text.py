r"""Numbers as people write them: ``1,200.50``, ``1.200,50``, ``$5``, ``12 %``, ``(300)``, ``3 kg``.

A number has digits, a sign, groups of three digits, a decimal sign, a power of ten, and something
before or after it: a currency, a percent sign or a unit of a few letters. ``1,200`` has either a
group or a decimal comma; what it is, the other cells of its column say.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.text.arrow import cast, compute, groups, matches, python_pattern, trimmed

Decimal = Literal[".", ","]
DECIMALS: tuple[Decimal, ...] = (".", ",")

NUMBER_PATTERN = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
"""A number as programs write it."""
LEADING_ZEROS = r"^[+-]?0[0-9]"
WHOLE = r"^[+-]?[0-9]+$"
WHOLE_VALUED = r"^[+-]?[0-9]+([.]0*)?$"
MAGNITUDES = {"k": "e3", "K": "e3", "M": "e6", "B": "e9", "bn": "e9"}
"""What stands for a power of ten, where it is no unit (see `TextEvidence.scaled`)."""
MINUS = "[\u2212-]"
LOOKED_AT = 16
"""Texts that are looked at before all are."""
MOST_DIGITS = 15
"""A float tells whole numbers of so many digits apart, and no more."""
# What is beyond ASCII counts as a letter: a class of all letters would take long to compile.
_LETTER = r"[A-Za-z\x{a2}-\x{ffff}]"
_CURRENCY = (
    r"[A-Z]{0,2}[$\x{a2}-\x{a5}\x{20a0}-\x{20cf}\x{e3f}]|USD|EUR|GBP|CHF|CAD|AUD|JPY|CNY|INR|SEK|NOK"
    r"|DKK|PLN|kr|z\x{142}|Rs[.]?"
)
_UNIT = rf"[%\"']|{_CURRENCY}|sq[.]? ?ft[.]?|{_LETTER}{{1,8}}[.]?(?:/[A-Za-z0-9]{{1,6}})?[²³]?"
_GROUPS = {".": r"[, '’\x{a0}\x{202f}_]", ",": r"[. '’\x{a0}\x{202f}]"}


def _pattern(decimal: Decimal) -> str:
    """Return how numbers with one decimal sign may be written."""
    grouped = rf"[1-9][0-9]{{0,2}}(?:{_GROUPS[decimal]}[0-9]{{3}})+"
    if decimal == ".":  # in India, groups of two digits come before the last
        grouped = rf"{grouped}|[1-9][0-9]?(?:,[0-9]{{2}})+,[0-9]{{3}}"
    point = "[.]" if decimal == "." else ","
    digits = rf"(?:(?:{grouped}|[0-9]+)(?:{point}[0-9]*)?|{point}[0-9]+)"
    sign = "[+\u2212-]?"
    return (
        rf"^(?P<debit>\(?)(?P<sign>{sign}) ?(?P<before>(?:{_CURRENCY})?) ?(?P<inner>{sign})"
        rf"(?P<digits>{digits})(?P<power>(?:[eE][+-]?[0-9]+)?) ?(?P<after>(?:{_UNIT})?)"
        r"(?P<last>-?)\)?$"
    )


_PATTERNS = {decimal: _pattern(decimal) for decimal in DECIMALS}
# Arrow compiles a pattern every time it is used, which takes far longer than a look at few texts.
_COMPILED = {decimal: python_pattern(pattern) for decimal, pattern in _PATTERNS.items()}


_COMPILED_CURRENCY = python_pattern(rf"^(?:{_CURRENCY})$")


def is_currency(unit: str) -> bool:
    """Return whether a unit is one of money."""
    return _COMPILED_CURRENCY.match(unit) is not None


def may_be_number(text: str) -> bool:
    """Return whether a text is a number as people write it."""
    return any(pattern.match(text) for pattern in _COMPILED.values())


def as_number(text: str, decimal: Decimal) -> re.Match[str] | None:
    """Return the parts of a number as people write it; None where a text is none."""
    return _COMPILED[decimal].match(text)


def fits_comma(texts: Any) -> bool:
    """Return whether numbers as programs write them may be of a column with decimal commas.

    Examples
    --------
    >>> fits_comma(pa.array(["12", "1.200"])), fits_comma(pa.array(["12", "1.20"]))
    (True, False)
    """
    pointed = texts.filter(compute.match_substring(texts, "."))
    few = all(_COMPILED[","].match(text) for text in pointed[:LOOKED_AT].to_pylist())
    return few and bool(matches(pointed, _PATTERNS[","]).all())


class NumberTexts(NamedTuple):
    """What texts are as numbers: NaN where they are none, and the units that were beside them."""

    numbers: NDArray[np.float64]
    units: frozenset[str]
    bare: bool  # whether a number has no unit


def read_plain(texts: Any) -> NDArray[np.float64] | None:
    """Return the numbers of texts as programs write them; None where one is not such."""
    floats = cast(texts, pa.float64())
    return None if floats is None else floats.to_numpy(zero_copy_only=False)


def read_numbers(texts: Any, decimal: Decimal, scaled: bool = False) -> NumberTexts:
    """Return the numbers of texts as people write them; `scaled` by `MAGNITUDES` or as they stand.

    Examples
    --------
    >>> read_numbers(pa.array(["$1,200", "(3.5)", "x"]), ".").numbers.tolist()
    [1200.0, -3.5, nan]
    >>> read_numbers(pa.array(["1.200,5 %"]), ",")
    NumberTexts(numbers=array([1200.5]), units=frozenset({'%'}), bare=False)
    >>> read_numbers(pa.array(["$1.2M", "$900k"]), ".", scaled=True).numbers.tolist()
    [1200000.0, 900000.0]
    """
    found = groups(trimmed(texts), _PATTERNS[decimal])
    digits = compute.replace_substring_regex(found["digits"], _GROUPS[decimal], "")
    if decimal == ",":
        digits = compute.replace_substring(digits, ",", ".")
    power = found["power"]
    for magnitude, its_power in MAGNITUDES.items() if scaled else ():
        power = compute.if_else(compute.equal(found["after"], magnitude), its_power, power)
    written = compute.binary_join_element_wise(digits, power, "")
    numbers = written.cast(pa.float64()).to_numpy(zero_copy_only=False)
    negative = np.zeros(len(numbers), np.bool_)
    for name, sign in (("debit", "[(]"), ("sign", MINUS), ("inner", MINUS), ("last", "-")):
        matched = compute.match_substring_regex(found[name], sign)
        negative |= compute.fill_null(matched, False).to_numpy(zero_copy_only=False)
    beside = compute.binary_join_element_wise(found["before"], found["after"], "")
    units = {*found["before"].unique().to_pylist(), *found["after"].unique().to_pylist()}
    bare = bool(compute.any(compute.equal(beside, "")).as_py())
    return NumberTexts(np.where(negative, -numbers, numbers), frozenset(filter(None, units)), bare)
