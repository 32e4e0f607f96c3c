"""The code of each value of a column in an attribute's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from galileomix.table.schema import Categorical
from galileomix.table.values import Value
from galileomix.table.written import SPELLINGS


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
        if float in self._exact:
            for position in np.flatnonzero(codes == unknown).tolist():
                codes[position] = self._float(texts[position])
        return codes

    @cached_property
    def _written(self) -> dict[str, int]:
        written = {
            spelling[not value]: code
            for value, code in self._exact.get(bool, {}).items()
            for spelling in SPELLINGS
        }
        for kind in (int, str):  # where two are written alike, text comes first
            written |= {str(value): code for value, code in self._exact.get(kind, {}).items()}
        return written

    def _float(self, text: str) -> int:
        try:
            return self._exact[float].get(float(text), self.unknown)
        except ValueError:
            return self.unknown
