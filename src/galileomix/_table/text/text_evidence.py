r"""What the texts of a column could stand for, found so that the parts of a table agree.

A column of text is booleans, numbers or dates where all its cells are, but for those that mean
missing, and text otherwise. Leading zeros, as in ``007``, and whole numbers of more digits than a
float holds make it text: these are codes. Few words among many numbers, such as ``unknown``, are
taken for missing, and the user is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.text.arrow import compute, matches, trimmed
from galileomix._table.text.date_text import LAYOUTS, Fit, possible
from galileomix._table.text.missing_text import SYMBOLS, has_signs
from galileomix._table.text.number_text import (
    DECIMALS,
    LEADING_ZEROS,
    MAGNITUDES,
    MOST_DIGITS,
    NUMBER_PATTERN,
    WHOLE_VALUED,
    Decimal,
    NumberTexts,
    fits_comma,
    is_currency,
    may_be_number,
    read_numbers,
    read_plain,
)
from galileomix._table.text.text_format import SPELLINGS_OF_BOOLEANS, TextFormat

MOST_WORDS = 3
"""Numbers with more different words among them than this are no numbers."""
SAMPLE = 64
"""Texts that are looked at first: where many of them are words, so are the others."""
_MANY_DIGITS = rf"^[+-]?[0-9]{{{MOST_DIGITS + 1},}}$"


@dataclass(frozen=True)
class TextEvidence:
    """What the cells of a column could be. ``TextEvidence()`` is that of no cell; parts add up.

    Examples
    --------
    >>> parts = [["1", "2"], ["$2.50"], ["x", "y", "z", "a", "b"]]
    >>> found = [TextEvidence.of(pa.array(part), np.ones(len(part), int)) for part in parts]
    >>> [sum(found[:n], TextEvidence()).format().type for n in (1, 2, 3)]
    ['number', 'number', 'text']
    """

    cells: int = 0  # how many rows hold something that is not, or may not be, missing
    # The spellings in which all cells are booleans; decimal signs of all numbers; layouts of dates.
    booleans: frozenset[int] = frozenset(range(len(SPELLINGS_OF_BOOLEANS)))
    decimals: frozenset[Decimal] = frozenset(DECIMALS)
    layouts: Mapping[str, Fit] = field(default_factory=lambda: dict.fromkeys(LAYOUTS, Fit()))
    numbers: int = 0  # how many rows hold a number
    words: tuple[str, ...] = ()  # the first cells that are no number, one more than `MOST_WORDS`
    plain: bool = True  # whether these are numbers as programs write them
    whole: bool = True  # whether these have digits only
    units: frozenset[str] = frozenset()  # what stood beside numbers
    bare: bool = False  # whether nothing stood beside one
    codes: bool = False  # whether one has leading zeros or too many digits
    symbols: frozenset[str] = frozenset()  # the symbols for missing that occur
    signs: bool = False  # whether another cell is made of signs
    blanks: int = 0  # the blanks in all cells: how many words they have

    @classmethod
    def of(cls, texts: Any, counts: NDArray[np.int64], symbols: bool = True) -> TextEvidence:
        """Look at an Arrow array of different texts, each held by so many rows.

        `symbols` says whether `SYMBOLS` may mean missing.
        """
        bare = trimmed(texts)
        is_symbol = compute.is_in(bare, pa.array(sorted(SYMBOLS), bare.type))
        is_symbol = is_symbol.to_numpy(zero_copy_only=False) & symbols
        kept = ~is_symbol & compute.not_equal(bare, "").to_numpy(zero_copy_only=False)
        found = frozenset(bare.filter(pa.array(is_symbol)).to_pylist())
        if not kept.all():
            bare, counts = bare.filter(pa.array(kept)), counts[kept]
        if not len(bare):
            return cls(symbols=found)
        spellings = enumerate(map(pa.array, SPELLINGS_OF_BOOLEANS))
        booleans = [s for s, pair in spellings if compute.all(compute.is_in(bare, pair)).as_py()]
        evidence = _of_numbers(bare, counts)
        blanks = compute.count_substring(bare, " ").to_numpy(zero_copy_only=False)
        return cls(
            cells=int(counts.sum()),
            booleans=frozenset(booleans),
            layouts=possible(bare, counts, MOST_WORDS),
            **evidence,
            symbols=found,
            signs=has_signs(bare),
            blanks=int(blanks @ counts),
        )

    def __add__(self, other: TextEvidence) -> TextEvidence:
        """Join the evidence of two parts."""
        return TextEvidence(
            self.cells + other.cells,
            self.booleans & other.booleans,
            self.decimals & other.decimals,
            _joint(self.layouts, other.layouts),
            self.numbers + other.numbers,
            tuple(sorted({*self.words, *other.words})[: MOST_WORDS + 1]),
            self.plain and other.plain,
            self.whole and other.whole,
            self.units | other.units,
            self.bare or other.bare,
            self.codes or other.codes,
            self.symbols | other.symbols,
            self.signs or other.signs,
            self.blanks + other.blanks,
        )

    @property
    def layout(self) -> str:
        """The layout of dates that most cells have; nothing where they are none."""
        held = [layout for layout, fit in self.layouts.items() if fit.rows]
        return min(held, key=lambda layout: len(self.layouts[layout].others), default="")

    def otherwise(self, layout: str) -> bool:
        """Return whether the dates, all of them, can be read in another layout too."""
        own, other = self.layouts.get(self.layout), self.layouts.get(layout)
        return own is not None and other is not None and set(other.others) <= set(own.others)

    @property
    def numeric(self) -> bool:
        """Whether the cells are numbers, but for few words among them."""
        alike = len(self.units) <= 1 or self.scaled
        return self._mostly_numbers and bool(self.decimals) and alike

    @property
    def scaled(self) -> bool:
        """Whether k, M and B are powers of ten: beside a currency or each other, k beside 950."""
        others = self.units - MAGNITUDES.keys()
        money = len(others) <= 1 and all(map(is_currency, others))
        several = len(self.units) > 1 or (self.bare and "k" in self.units)
        return money and several and len(others) < len(self.units)

    @property
    def unit(self) -> str:
        """The unit of all numbers; nothing where they have none."""
        units = self.units - MAGNITUDES.keys() if self.scaled else self.units
        return next(iter(units), "")

    @property
    def unlike(self) -> bool:
        """Whether the cells are numbers that are not written in one way."""
        return self._mostly_numbers and not self.numeric

    @property
    def _mostly_numbers(self) -> bool:
        return len(self.words) <= MOST_WORDS and self.numbers > self.cells - self.numbers

    @property
    def all_plain(self) -> bool:
        """Whether all cells are numbers as programs write them."""
        return self.plain and not self.words

    def format(self) -> TextFormat:
        """Return how the column is read, where nothing is said of it."""
        measured = self.layout or (self.numeric and not self.codes)
        return self.number_format() if measured else self.category_format()

    def number_format(self) -> TextFormat:
        """Return how the column is read as numbers, or as dates where it is these."""
        symbols = tuple(sorted(self.symbols))
        if self.layout:
            words = self.layouts[self.layout].others
            return TextFormat("date", layout=self.layout, missing=(*symbols, *words))
        words = self.words if self.numeric else ()
        decimal: Decimal = "." if "." in self.decimals or not self.decimals else ","
        return TextFormat("number", decimal, missing=(*symbols, *words), scaled=self.scaled)

    def category_format(self) -> TextFormat:
        """Return how the column is read as categories: what differs as text stays different."""
        symbols = tuple(sorted(self.symbols))
        if self.cells and self.booleans:
            return TextFormat("boolean", missing=symbols)
        if self.numbers and self.all_plain and self.whole and not self.codes:
            return TextFormat("number", missing=symbols)
        return TextFormat("text", missing=() if self.signs else symbols)


def _joint(left: Mapping[str, Fit], right: Mapping[str, Fit]) -> dict[str, Fit]:
    """Return the layouts of both parts, with the cells that do not have them."""
    joint: dict[str, Fit] = {}
    for layout in (layout for layout in LAYOUTS if layout in left and layout in right):
        one, two = left[layout], right[layout]
        others = tuple(sorted({*one.others, *two.others}))
        if len(others) <= MOST_WORDS:
            joint[layout] = Fit(one.rows + two.rows, others)
    return joint


def _of_numbers(texts: Any, counts: NDArray[np.int64]) -> dict[str, Any]:
    """Return the evidence on numbers of texts without spaces around them."""
    plain = read_plain(texts)
    if plain is not None and not np.isnan(plain).any():
        return {
            "numbers": int(counts.sum()),
            "bare": True,
            "decimals": frozenset(DECIMALS if fits_comma(texts) else "."),
            "whole": bool(matches(texts, WHOLE_VALUED).all()),
            "codes": _has_codes(texts),
        }
    words = sorted(text for text in texts[:SAMPLE].to_pylist() if not may_be_number(text))
    if len(words) > MOST_WORDS or len(words) == len(texts):
        return {"words": tuple(words[: MOST_WORDS + 1])}
    ways = _ways(texts)
    either = ~np.all([np.isnan(way.numbers) for way in ways.values()], axis=0)
    fits: frozenset[Decimal] = frozenset(
        decimal for decimal, way in ways.items() if not np.isnan(way.numbers[either]).any()
    )
    number_texts = texts.filter(pa.array(either))
    return {
        "numbers": int(counts[either].sum()),
        "decimals": fits,
        "words": tuple(_words(texts, ways)[: MOST_WORDS + 1]),
        "plain": bool(matches(number_texts, NUMBER_PATTERN).all()),
        "whole": bool(matches(number_texts, WHOLE_VALUED).all()),
        "units": _units(ways, fits),
        "bare": any(ways[decimal].bare for decimal in fits),
        "codes": _has_codes(number_texts),
    }


def _has_codes(texts: Any) -> bool:
    return bool((matches(texts, LEADING_ZEROS) | matches(texts, _MANY_DIGITS)).any())


def _ways(texts: Any) -> dict[Decimal, NumberTexts]:
    """Return texts as numbers, by decimal sign."""
    return {decimal: read_numbers(texts, decimal) for decimal in DECIMALS}


def _words(texts: Any, ways: dict[Decimal, NumberTexts]) -> list[str]:
    """Return the texts that are no numbers, sorted."""
    neither = np.all([np.isnan(way.numbers) for way in ways.values()], axis=0)
    return sorted(texts.filter(pa.array(neither)).to_pylist())


def _units(ways: dict[Decimal, NumberTexts], fits: frozenset[Decimal]) -> frozenset[str]:
    return frozenset().union(*(ways[decimal].units for decimal in fits))
