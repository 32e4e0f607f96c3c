"""Texts of another table that are not what their column held in fit: words among numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import CategoryColumn, TextColumn, cells
from galileomix._table.text.arrow import SPACES
from galileomix._table.text.missing_text import SYMBOLS
from galileomix._table.text.text_evidence import MOST_WORDS
from galileomix._words import counted
from galileomix.errors import TableError


class StrangeWords:
    """Takes texts of one column that cannot be read for missing, as fit does.

    `usual` says whether `SYMBOLS`, such as ``?``, mean missing. Few different words do too, and
    are counted; where there are more, or `strict`, the first of them is an error.

    Examples
    --------
    >>> import pyarrow as pa
    >>> words = StrangeWords()
    >>> column = TextColumn("rain", pa.array(["?", "none", "1"]), np.array([0, 1, 2, 1]))
    >>> words(column, np.array([True, True, False]), "a number")
    >>> words.note()
    "column 'rain': 2 cells that cannot be read as a number ('none'), taken for missing"
    """

    def __init__(self, usual: bool = True, strict: bool = False) -> None:
        self._missing = SYMBOLS if usual else frozenset[str]()
        self._most = 0 if strict else MOST_WORDS
        self._words: set[str] = set()
        self._name, self._what, self._n_cells = "", "", 0

    def __call__(
        self, column: TextColumn | CategoryColumn, wrong: NDArray[np.bool_], what: str
    ) -> None:
        """Count the cells whose text cannot be read as what the column holds."""
        rows = np.flatnonzero(np.append(wrong, False)[column.codes])
        self._name, self._what = column.name, what
        for row, text in zip(rows.tolist(), cells(column)[rows].tolist(), strict=True):
            if text.strip(SPACES) in self._missing:
                continue
            self._words.add(text)
            self._n_cells += 1
            if len(self._words) > self._most:
                raise self._error(text, row)

    def _error(self, text: str, row: int) -> TableError:
        more = f"; no more than {self._most} different words are taken for missing"
        problem = f"{text!r} cannot be read as {self._what}{more if self._most else ''}"
        return TableError(problem, column=self._name, row=row)

    def note(self) -> str:
        """Return a message on the words that were taken for missing; nothing where none were."""
        if not self._n_cells:
            return ""
        shown = ", ".join(map(repr, sorted(self._words)))
        held = counted(self._n_cells, "cell")
        return (
            f"column {self._name!r}: {held} that cannot be read as {self._what} ({shown}), "
            f"taken for missing"
        )
