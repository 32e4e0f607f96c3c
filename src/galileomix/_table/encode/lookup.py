"""The code of each value of a column in an attribute's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from galileomix._table.attribute import Categorical
from galileomix._table.text.arrow import SPACES
from galileomix._table.text.text_format import SPELLINGS_OF_BOOLEANS
from galileomix._table.values import Value


class Lookup:
    """Finds values in an attribute; a value that it does not have gets the code `absent`.

    Examples
    --------
    >>> lookup = Lookup(Categorical("x", (True, 1, "01")))
    >>> lookup.codes([1, True, "1", "01"]).tolist(), lookup.text_codes(["1", "TRUE"]).tolist()
    ([1, 0, 3, 2], [1, 0])
    """

    def __init__(self, attribute: Categorical) -> None:
        self.attribute = attribute
        self.absent = len(attribute.values)
        self._by_type: dict[type, dict[Value, int]] = {}
        self._equal: dict[Value, int] = {}
        for code, value in enumerate(attribute.values):
            self._by_type.setdefault(type(value), {})[value] = code
            # pandas turns integers into floats beside a missing value: 1.0 is the value 1.
            self._equal.setdefault(value, code)

    @property
    def missing(self) -> int:
        """The code of a missing value."""
        return self._by_type.get(type(None), {}).get(None, self.absent)

    def codes(self, values: Sequence[Value]) -> NDArray[np.int64]:
        """Return the code of each value: of the same type, or else of one that is equal."""
        found = (
            self._by_type.get(type(value), {}).get(value, self._equal.get(value, self.absent))
            for value in values
        )
        return np.fromiter(found, np.int64, len(values))

    def text_codes(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return the code of the value that each text stands for; that without spaces, if none."""
        spellings, absent = self._spellings, self.absent
        codes = np.fromiter((spellings.get(text, absent) for text in texts), np.int64, len(texts))
        for position in np.flatnonzero(codes == absent).tolist():
            codes[position] = self._trimmed_code(texts[position].strip(SPACES))
        return codes

    def _trimmed_code(self, text: str) -> int:
        """Return the code of a value that may have spaces around it."""
        if not text:
            return self.absent if str in self._by_type else self.missing
        code = self._trimmed_spellings.get(text, self.absent)
        return self._float_code(text) if code == self.absent and float in self._by_type else code

    @cached_property
    def _spellings(self) -> dict[str, int]:
        # Where two values are written alike, text comes first.
        texts = {str(value): code for value, code in self._by_type.get(str, {}).items()}
        return self._plain_spellings | texts

    @cached_property
    def _trimmed_spellings(self) -> dict[str, int]:
        # Of two texts that differ in spaces, the first; files are read without, frames with them.
        texts = reversed(self._spellings.items())
        return {text.strip(SPACES): code for text, code in texts} | self._spellings

    @cached_property
    def _plain_spellings(self) -> dict[str, int]:
        booleans = {
            spelling[not value]: code
            for value, code in self._by_type.get(bool, {}).items()
            for spelling in SPELLINGS_OF_BOOLEANS
        }
        return booleans | {str(value): code for value, code in self._by_type.get(int, {}).items()}

    def _float_code(self, text: str) -> int:
        try:
            return self._by_type[float].get(float(text), self.absent)
        except ValueError:
            return self.absent
