"""Which cells mean missing: text, and numbers and booleans by how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.read.text_types import LEADING_ZEROS, SPELLINGS, WHOLE, compute, trimmed

WHOLE_UP_TO = 2**53
"""Whole floats beyond this are written with a power."""


@dataclass(frozen=True)
class MissingValues:
    """What a user's ``missing_values`` stand for: texts, and those that are numbers or booleans.

    "-999" is the text, -999 and -999.0.

    Examples
    --------
    >>> missing = MissingValues.of(["?", "-999", "true"])
    >>> [cell in missing for cell in ("?", -999, -999.0, "-999.0", True, 1, "0999")]
    [True, True, True, False, True, False, False]
    """

    texts: frozenset[str]
    numbers: frozenset[int | float]
    booleans: frozenset[bool]

    @classmethod
    def of(cls, missing_values: Sequence[str]) -> MissingValues:
        """Return what texts stand for."""
        numbers = (_number(text) for text in missing_values)
        booleans = ((text == pair[0], text) for pair in SPELLINGS for text in pair)
        return cls(
            frozenset(missing_values),
            frozenset(number for number in numbers if number is not None),
            frozenset(boolean for boolean, text in booleans if text in missing_values),
        )

    def __bool__(self) -> bool:
        """Return whether anything is named."""
        return bool(self.texts)

    def __contains__(self, cell: object) -> bool:
        """Return whether a cell means missing."""
        if isinstance(cell, str):
            return cell in self.texts
        if isinstance(cell, bool | np.bool_):
            return bool(cell) in self.booleans
        return isinstance(cell, int | float | np.number) and cell in self.numbers

    def among_texts(self, texts: Any) -> NDArray[np.bool_]:
        """Return which texts of a CSV file mean missing; there ``-999.0`` is -999 too.

        Spaces around them do not count, and zeros at the end of a fraction do not.
        """
        bare, named = trimmed(texts), pa.array(sorted(self.texts), texts.type)
        missing = compute.or_(compute.is_in(texts, named), compute.is_in(bare, named))
        numbers = "|".join(sorted(filter(None, map(_pattern, self.numbers))))
        if numbers:
            missing = compute.or_(missing, compute.match_substring_regex(bare, f"^({numbers})$"))
        return missing.to_numpy(zero_copy_only=False)

    def as_nan(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return floats with NaN for those that mean missing."""
        # In their own precision: a float32 that is written 0.1 is no float64 of 0.1.
        missing = [values == values.dtype.type(number) for number in self.numbers]
        return np.where(np.any(missing, axis=0), np.nan, values) if missing else values


def _pattern(number: int | float) -> str:
    """Return how a number may be written, as a regular expression; nothing where in powers."""
    text = repr(int(number) if abs(number) <= WHOLE_UP_TO and number == int(number) else number)
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
        return ""
    return text.replace(".", "[.]") + "0*" if "." in text else f"{text}([.]0*)?"


def _number(text: str) -> int | float | None:
    if re.match(LEADING_ZEROS, text) or "_" in text:
        return None
    try:
        return int(text) if re.match(WHOLE, text) else float(text)
    except ValueError:
        return None
