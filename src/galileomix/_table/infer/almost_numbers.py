"""Columns of a CSV file that would be numbers but for a word or two, such as ``NA``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow.compute
from numpy.typing import NDArray

from galileomix._table.read.text_meaning import Evidence, trimmed

# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute

NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
MOST_WORDS = 3
"""Numbers with more different words among them than this are taken for codes."""


@dataclass(frozen=True)
class Almost:
    """How many cells are numbers, and which words are not. Parts add up.

    Parameters
    ----------
    numbers, words : int
        Rows that hold a number, and rows that hold anything else.
    shown : tuple of str
        The first different words in the order of the alphabet, one more than `MOST_WORDS`.
    evidence : Evidence
        What the numbers alone could be.
    """

    numbers: int = 0
    words: int = 0
    shown: tuple[str, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)

    @classmethod
    def of(cls, texts: Any, counts: NDArray[np.int64]) -> Almost:
        """Look at an Arrow array of different texts, each held by so many rows."""
        bare = trimmed(texts)
        known = compute.match_substring_regex(bare, NUMBER)
        flags = known.to_numpy(zero_copy_only=False)
        odd = ~flags & compute.not_equal(bare, "").to_numpy(zero_copy_only=False)
        shown = sorted(bare.filter(compute.invert(known)).unique().to_pylist())
        return cls(
            int(counts[flags].sum()),
            int(counts[odd].sum()),
            tuple(filter(None, shown))[: MOST_WORDS + 1],
            Evidence.of(texts.filter(known)),
        )

    def __add__(self, other: Almost) -> Almost:
        """Join what both have seen."""
        shown = sorted({*self.shown, *other.shown})
        return Almost(
            self.numbers + other.numbers,
            self.words + other.words,
            tuple(shown[: MOST_WORDS + 1]),
            self.evidence + other.evidence,
        )

    def note(self, distinct: int) -> str | None:
        """Return what to say of a column of so many different texts; None where nothing is odd."""
        few = 0 < len(self.shown) <= MOST_WORDS and distinct > 2 * len(self.shown)
        if not few or not self.evidence.measured:
            return None
        words = ", ".join(map(repr, self.shown))
        return (
            f"all but {self.words} of {self.numbers + self.words} cells are numbers ({words}): it "
            f"is read as categories; name them in missing_values to read numbers"
        )
