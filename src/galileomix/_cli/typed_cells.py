"""The cells of a CSV file with the types of their texts, for formats that have types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa

from galileomix._table import (
    CsvFile,
    MissingValues,
    NumberColumn,
    TextEvidence,
    TextFormat,
    cells,
    text_column,
)


@dataclass(frozen=True)
class TextTypes:
    """Which columns of a table are text that stands for numbers or booleans.

    These are columns in which every cell is a number as programs write it, or every one is true
    or false, but for those that are missing.
    """

    formats: Mapping[str, TextFormat]
    whole: frozenset[str]  # the numbers without fractions
    missing: MissingValues

    @classmethod
    def of(cls, source: Any) -> Self:
        """Look at all rows of an opened table; what is not CSV has types of its own."""
        evidence = defaultdict[str, TextEvidence](TextEvidence)
        chunks = source.chunks() if isinstance(source.files[0], CsvFile) else ()
        for column in (column for chunk in chunks for column in chunk.columns.columns):
            counts = np.bincount(column.codes + 1, minlength=len(column.texts) + 1)[1:]
            evidence[column.name] += TextEvidence.of(column.texts, counts)
        found = {name: seen.format() for name, seen in evidence.items() if seen.cells}
        plain = {name for name in found if evidence[name].plain and found[name].type == "number"}
        typed = {n: how for n, how in found.items() if n in plain or how.type == "boolean"}
        whole = frozenset(name for name in plain if evidence[name].whole)
        return cls(typed, whole, source.missing)

    def typed(self, name: str, column: Any) -> Any:
        """Return an Arrow column of text with its type; any other as it is."""
        if name not in self.formats:
            return column
        read = self.formats[name].read(self.missing.in_text(text_column(name, column)))
        if isinstance(read, NumberColumn):
            numbers = pa.array(np.asarray(read.values, dtype=np.float64), from_pandas=True)
            return numbers.cast(pa.int64()) if name in self.whole else numbers
        return pa.array(cells(read).tolist(), pa.bool_())
