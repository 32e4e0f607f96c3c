"""The code of each value of a column in an attribute's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from galileomix._table.read.text_meaning import SPACES, SPELLINGS
from galileomix._table.schema import Categorical
from galileomix._table.values import Value


class Lookup:
    """Finds values in an attribute; what it does not have gets the number of its values.

    Examples
    --------
    >>> lookup = Lookup(Categorical("x", (True, 1, "01")))
    >>> lookup.codes([1, True, "1", "01"]).tolist(), lookup.written(["1", "01", "TRUE"]).tolist()
    ([1, 0, 3, 2], [1, 2, 0])
    """

    def __init__(self, attribute: Categorical) -> None:
        self.attribute = attribute
        self.unknown = len(attribute.values)
        self._exact: dict[type, dict[Value, int]] = {}
        self._equal: dict[Value, int] = {}
        for code, value in enumerate(attribute.values):
            self._exact.setdefault(type(value), {})[value] = code
            # Integers turn into floats where a hole joins them (in pandas): 1.0 is the value 1.
            self._equal.setdefault(value, code)

    @property
    def missing(self) -> int:
        """The code of a missing cell."""
        return self._exact.get(type(None), {}).get(None, self.unknown)

    def codes(self, values: Sequence[Value]) -> NDArray[np.int64]:
        """Return the code of each value: of the same type, or else of one that is equal."""
        found = (
            self._exact.get(type(value), {}).get(value, self._equal.get(value, self.unknown))
            for value in values
        )
        return np.fromiter(found, np.int64, len(values))

    def written(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return the code of the value that is written so."""
        written, unknown = self._written, self.unknown
        codes = np.fromiter((written.get(text, unknown) for text in texts), np.int64, len(texts))
        if self._exact.keys() & {bool, int, float}:
            for position in np.flatnonzero(codes == unknown).tolist():
                codes[position] = self._spaced(texts[position].strip(SPACES))
        return codes

    def _spaced(self, text: str) -> int:
        """Return the code of what spaces may stand around: not of text, where they count."""
        if not text:
            return self.unknown if str in self._exact else self.missing
        spaced = self._written_plainly.get(text, self.unknown)
        return self._float(text) if spaced == self.unknown and float in self._exact else spaced

    @cached_property
    def _written(self) -> dict[str, int]:
        # Where two are written alike, text comes first.
        texts = {str(value): code for value, code in self._exact.get(str, {}).items()}
        return self._written_plainly | texts

    @cached_property
    def _written_plainly(self) -> dict[str, int]:
        truths = {
            spelling[not value]: code
            for value, code in self._exact.get(bool, {}).items()
            for spelling in SPELLINGS
        }
        return truths | {str(value): code for value, code in self._exact.get(int, {}).items()}

    def _float(self, text: str) -> int:
        try:
            return self._exact[float].get(float(text), self.unknown)
        except ValueError:
            return self.unknown
