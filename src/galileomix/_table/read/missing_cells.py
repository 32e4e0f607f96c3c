"""Which cells mean missing: text, and numbers and truth values by how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from galileomix._table.read.text_meaning import LEADING_ZEROS, SPELLINGS, WHOLE, trimmed

WHOLE_UP_TO = 2**53
"""Whole floats beyond this are written with a power."""
# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute


@dataclass(frozen=True)
class Holes:
    """What a user's ``missing_values`` stand for.

    Parameters
    ----------
    texts : frozenset of str
    numbers : frozenset of int and float
        Those of the texts that are numbers: "-999" is -999 and -999.0.
    truths : frozenset of bool
        Those that are truth values.

    Examples
    --------
    >>> holes = Holes.of(["?", "-999", "true"])
    >>> [holes.hides(cell) for cell in ("?", -999, -999.0, "-999.0", True, 1, "0999")]
    [True, True, True, False, True, False, False]
    """

    texts: frozenset[str]
    numbers: frozenset[int | float]
    truths: frozenset[bool]

    @classmethod
    def of(cls, missing_values: Sequence[str]) -> Holes:
        """Return what texts stand for."""
        numbers = (_number(text) for text in missing_values)
        truths = ((text == pair[0], text) for pair in SPELLINGS for text in pair)
        return cls(
            frozenset(missing_values),
            frozenset(each for each in numbers if each is not None),
            frozenset(truth for truth, text in truths if text in missing_values),
        )

    def __bool__(self) -> bool:
        """Return whether anything is named."""
        return bool(self.texts)

    def hides(self, cell: object) -> bool:
        """Return whether a cell means missing."""
        if isinstance(cell, str):
            return cell in self.texts
        if isinstance(cell, bool | np.bool_):
            return bool(cell) in self.truths
        return isinstance(cell, int | float | np.number) and cell in self.numbers

    def written(self, texts: Any) -> NDArray[np.bool_]:
        """Return which cells of a file mean missing, where ``-999.0`` is -999 too.

        Spaces around them do not count, and zeros at the end of a fraction do not.
        """
        bare, named = trimmed(texts), pa.array(sorted(self.texts), texts.type)
        hidden = compute.or_(compute.is_in(texts, named), compute.is_in(bare, named))
        numbers = "|".join(sorted(filter(None, map(_pattern, self.numbers))))
        if numbers:
            hidden = compute.or_(hidden, compute.match_substring_regex(bare, f"^({numbers})$"))
        return hidden.to_numpy(zero_copy_only=False)

    def without(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return floats with NaN where they mean missing."""
        # In their own precision: a float32 that is written 0.1 is no float64 of 0.1.
        hidden = [values == values.dtype.type(number) for number in self.numbers]
        return np.where(np.any(hidden, axis=0), np.nan, values) if hidden else values


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
