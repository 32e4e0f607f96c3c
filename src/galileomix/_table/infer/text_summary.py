"""A summary of a column of text, whose type is open until all parts have been seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.infer.digest import Digest
from galileomix._table.infer.moments import Moments
from galileomix._table.infer.vocabulary import Vocabulary
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.text_types import (
    NUMBER_PATTERN,
    TextEvidence,
    TextType,
    compute,
    parse_cell,
    trimmed,
)

MOST_WORDS = 3
"""Numbers with more different words among them than this are taken for codes."""


@dataclass(frozen=True)
class WordsAmongNumbers:
    """How many cells are numbers, and which words, such as ``NA``, are not. Parts add up.

    `numbers` and `words` count rows. `first_words` are the first different words in the order of
    the alphabet, one more than `MOST_WORDS`; `evidence` is that of the numbers alone.
    """

    numbers: int = 0
    words: int = 0
    first_words: tuple[str, ...] = ()
    evidence: TextEvidence = field(default_factory=TextEvidence)

    @classmethod
    def of(cls, texts: Any, counts: NDArray[np.int64]) -> WordsAmongNumbers:
        """Look at an Arrow array of different texts, each held by so many rows."""
        bare = trimmed(texts)
        numbers = compute.match_substring_regex(bare, NUMBER_PATTERN)
        is_number = numbers.to_numpy(zero_copy_only=False)
        is_word = ~is_number & compute.not_equal(bare, "").to_numpy(zero_copy_only=False)
        words = sorted(bare.filter(compute.invert(numbers)).unique().to_pylist())
        return cls(
            int(counts[is_number].sum()),
            int(counts[is_word].sum()),
            tuple(filter(None, words))[: MOST_WORDS + 1],
            TextEvidence.of(texts.filter(numbers)),
        )

    def __add__(self, other: WordsAmongNumbers) -> WordsAmongNumbers:
        """Join the cells of both."""
        words = sorted({*self.first_words, *other.first_words})
        return WordsAmongNumbers(
            self.numbers + other.numbers,
            self.words + other.words,
            tuple(words[: MOST_WORDS + 1]),
            self.evidence + other.evidence,
        )

    def note(self, distinct: int) -> str | None:
        """Return a note on a column of so many distinct texts that are numbers but for few words.

        None where it is an ordinary column of text.
        """
        few = 0 < len(self.first_words) <= MOST_WORDS and distinct > 2 * len(self.first_words)
        if not few or not self.evidence.decimal:
            return None
        words = ", ".join(map(repr, self.first_words))
        return (
            f"all but {self.words} of {self.numbers + self.words} cells are numbers ({words}): it "
            f"is read as categories; name them in missing_values to read numbers"
        )


@dataclass(frozen=True)
class TextSummary:
    """A summary of a column of text in parts of a CSV file.

    `evidence` and what the user `declared` give the type of the column. The `summary` is that of
    the texts, or of the numbers where they are that. It is `mixed` where some part was taken for
    numbers and another for something else: the parts must be summarised again. `words` are those
    that make the column text, where it is almost numbers.
    """

    evidence: TextEvidence
    declared: Declared
    summary: Vocabulary | Moments | Digest
    mixed: bool = False
    words: WordsAmongNumbers = field(default_factory=WordsAmongNumbers)

    @property
    def text_type(self) -> TextType:
        """The type of the column, by what has been seen."""
        return self.evidence.text_type(self.declared)

    def __add__(self, other: TextSummary) -> TextSummary:
        """Join the rows of both."""
        evidence = self.evidence + other.evidence
        numbers = evidence.text_type(self.declared) == "number"
        parts = [part for part in (self, other) if part.evidence.cells or part.summary.rows]
        fit = all(numbers is not isinstance(part.summary, Vocabulary) for part in parts)
        if self.mixed or other.mixed or not fit:
            return TextSummary(evidence, self.declared, self.summary, mixed=True)
        joint = add_summaries(self.summary, other.summary)
        assert joint is not None
        return TextSummary(evidence, self.declared, joint, words=self.words + other.words)

    def parsed(self) -> Vocabulary | Moments | Digest:
        """Return the summary of the values that the texts stand for."""
        text_type, texts = self.text_type, self.summary
        if text_type in ("text", "number") or not isinstance(texts, Vocabulary):
            return texts
        values = (None if text is None else parse_cell(str(text), text_type) for text in texts)
        return Vocabulary.of(values, texts.rows)

    def note(self) -> str | None:
        """Return a note where the column is text because of few words among numbers."""
        if self.text_type != "text" or not isinstance(self.summary, Vocabulary):
            return None
        return self.words.note(len(self.summary) - self.summary.missing)


def add_summaries(left: Any, right: Any) -> Any:
    """Join the summaries of two parts; None where they are numbers and categories."""
    if type(left) is type(right):
        return left + right
    # A part whose cells are all missing cannot tell numbers from categories: the other part can.
    for part, other in ((left, right), (right, left)):
        if isinstance(part, Vocabulary) and part.rows == 0:
            return other
    return None
