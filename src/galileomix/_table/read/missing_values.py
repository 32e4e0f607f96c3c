"""Which cells mean missing: text, and numbers and booleans by how they are written."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.column import TextColumn, without_texts
from galileomix._table.text.arrow import compute, trimmed
from galileomix._table.text.missing_text import SPELLINGS
from galileomix._table.text.number_text import LEADING_ZEROS, WHOLE
from galileomix._table.text.text_format import SPELLINGS_OF_BOOLEANS
from galileomix._table.values import check_text
from galileomix.errors import ParameterError, TableError

WHOLE_UP_TO = 2**53
"""Whole floats beyond this are written with a power."""


@dataclass(frozen=True)
class MissingValues:
    """What a user's ``missing_values`` stand for: texts, and those that are numbers or booleans.

    "-999" is the text, -999 and -999.0. With `usual` the usual spellings, such as ``NA``, mean
    missing too, in text (see `missing_text`).

    Examples
    --------
    >>> missing = MissingValues.of(["?", "-999", "true"])
    >>> [cell in missing for cell in ("?", -999, -999.0, "-999.0", True, 1, "0999")]
    [True, True, True, False, True, False, False]
    """

    texts: frozenset[str] = frozenset()
    numbers: frozenset[int | float] = frozenset()
    booleans: frozenset[bool] = frozenset()
    usual: bool = True

    @classmethod
    def of(cls, missing_values: Sequence[str], usual: bool = True) -> MissingValues:
        """Return what texts stand for."""
        given: Any = missing_values
        listed = isinstance(given, Collection) and not isinstance(given, str | Mapping)
        if not listed or not all(isinstance(text, str) for text in cast("Any", given)):
            raise ParameterError(
                f"missing_values={missing_values!r}: give a list of texts, such as ['?']"
            )
        for text in missing_values:
            _check(text)
        numbers = (_number(text) for text in missing_values)
        booleans = ((text == pair[0], text) for pair in SPELLINGS_OF_BOOLEANS for text in pair)
        return cls(
            frozenset(missing_values),
            frozenset(number for number in numbers if number is not None),
            frozenset(boolean for boolean, text in booleans if text in missing_values),
            usual,
        )

    @property
    def named(self) -> bool:
        """Whether the user names anything."""
        return bool(self.texts)

    def in_text(self, column: TextColumn) -> TextColumn:
        """Return a column of text without the texts that mean missing."""
        if not len(column.texts):
            return column
        spelled: frozenset[str] = frozenset()
        if self.usual:
            bare = trimmed(column.texts)
            usual = compute.is_in(bare, pa.array(sorted(SPELLINGS), bare.type))
            gone = usual.to_numpy(zero_copy_only=False)
            spelled = frozenset(bare.filter(usual).to_pylist()) - {""}
            column = replace(without_texts(column, gone), spelled=spelled)
        return without_texts(column, self.among_texts(column.texts)) if self.named else column

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
        """Return numbers with NaN for those that mean missing."""
        # In their own precision: a float32 that is written 0.1 is no float64 of 0.1.
        wide = values if values.dtype.kind == "f" else values.astype(np.float64)
        missing = [wide == wide.dtype.type(number) for number in self.numbers]
        found = np.any(missing, axis=0) if missing else np.zeros(len(values), np.bool_)
        return np.where(found, np.nan, wide) if found.any() else values


def _pattern(number: int | float) -> str:
    """Return how a number may be written, as a regular expression; nothing where in powers."""
    text = repr(int(number) if abs(number) <= WHOLE_UP_TO and number == int(number) else number)
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
        return ""
    return text.replace(".", "[.]") + "0*" if "." in text else f"{text}([.]0*)?"


def _check(text: str) -> None:
    try:
        check_text(text)
    except TableError as error:
        raise ParameterError(f"missing_values: {error.problem}") from None


def _number(text: str) -> int | float | None:
    if re.match(LEADING_ZEROS, text) or "_" in text:
        return None
    try:
        return int(text) if re.match(WHOLE, text) else float(text)
    except ValueError:
        return None
