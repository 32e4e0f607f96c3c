"""What a user should know of how the columns of a table were taken: few lines for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from galileomix._table.infer.column_summary import ColumnSummary
from galileomix._table.infer.decide import FEW
from galileomix._table.infer.digest import Digest
from galileomix._table.read.declared_types import some
from galileomix._table.schema import ColumnType, Schema
from galileomix._table.text.date_text import LAYOUTS, SWAPPED, as_date, in_words, mixed
from galileomix._table.text.text_evidence import MOST_WORDS
from galileomix._words import counted
from galileomix.errors import ConstantColumnWarning, GalileoWarning

MOST_NAMES = 4
OFTEN = 0.005
"""The share of the rows that hold a number which may stand for missing."""
_NINES = re.compile("99+|88+|77+")
LOOKED_AT = 1_000
"""Texts that are looked at for dates that are written in several ways."""


class Note(NamedTuple):
    """One line, and the category of the warning that it is."""

    text: str
    category: type[Warning] = GalileoWarning


def notes_of(schema: Schema, summaries: Sequence[ColumnSummary]) -> Iterator[Note]:
    """Yield what was odd, one line for all columns of which the same is to be said."""
    pairs = list(zip(schema.columns, summaries, strict=True))
    yield from _left_out(schema)
    yield from _doubtful(pairs)
    yield from _far_out(pairs)
    yield from _missing(pairs)
    yield from _written(pairs)
    yield from _constant(pairs)


def _left_out(schema: Schema) -> Iterator[Note]:
    words = {"identifier": ("an identifier", "identifiers"), "text": ("free text", "free text")}
    for type_, (one, many) in words.items():
        names = [column.name for column in schema.left_out if column.type == type_]
        if names:
            what, them = (one, "it") if len(names) == 1 else (many, "them")
            kept = f"name {them} in `categorical` to keep {them}"
            yield Note(f"{_named(names)}: {what}, left out ({kept})")


def _constant(pairs: Sequence[tuple[ColumnType, ColumnSummary]]) -> Iterator[Note]:
    modelled = [(column, summary) for column, summary in pairs if column.modelled]
    empty = [column.name for column, summary in modelled if summary.rows == 0]
    if empty:
        yield Note(f"{_named(empty)}: missing in every row, ignored", ConstantColumnWarning)
    constant = [column.name for column, summary in modelled if _is_constant(column, summary)]
    if constant:
        yield Note(f"{_named(constant)}: constant, ignored", ConstantColumnWarning)


def _is_constant(column: ColumnType, summary: ColumnSummary) -> bool:
    as_text = column.format.type == "text" and bool(summary.values.counts)
    if summary.numbers is not None and not as_text:
        return summary.rows > 0 and summary.numbers.low == summary.numbers.high
    return len(summary.values) == 1


def _missing(pairs: Sequence[tuple[ColumnType, ColumnSummary]]) -> Iterator[Note]:
    """Say which texts were taken for missing, in how many columns."""
    modelled = [(column, summary) for column, summary in pairs if column.modelled]
    spelled = sorted(_union(s.spelled for _, s in modelled))
    symbols = sorted(_union(set(c.format.missing) & _symbols(s) for c, s in modelled))
    texts = [*spelled, *symbols]
    if texts:
        where = [c.name for c, s in modelled if s.spelled or set(c.format.missing) & _symbols(s)]
        quoted = ", ".join([*map(repr, texts[:MOST_NAMES]), *["..."][: len(texts) > MOST_NAMES]])
        one, many = ("means", "it is a value"), ("mean", "they are values")
        mean, if_not = one if len(texts) == 1 else many
        yield Note(
            f"{quoted} in {counted(len(where), 'column')} {mean} missing "
            f"(`default_missing=False` if {if_not})"
        )
    for column, summary in modelled:
        words = set(column.format.missing) - _symbols(summary)
        if words:
            rows = summary.evidence.cells - summary.rows if summary.evidence else 0
            yield Note(
                f"column {column.name!r}: {counted(rows, 'cell')} among {column.format.type}s "
                f"({', '.join(map(repr, sorted(words)))}) taken for missing (name the column in "
                f"`categorical` if they are values)"
            )


def _symbols(summary: ColumnSummary) -> frozenset[str]:
    return summary.evidence.symbols if summary.evidence else frozenset()


def _union(sets: Iterable[Iterable[str]]) -> set[str]:
    return {text for texts in sets for text in texts}


def _written(pairs: Sequence[tuple[ColumnType, ColumnSummary]]) -> Iterator[Note]:
    """Say which numbers and dates were written so that they could be read otherwise."""
    commas, units = [], []
    for column, summary in pairs:
        evidence = summary.evidence
        if evidence is None or column.format.type not in ("number", "date"):
            continue
        if column.format.type == "number" and column.format.decimal == ",":
            commas.append(column.name)
        elif column.format.type == "number" and not evidence.plain:
            units.append(column.name)
    if commas:
        yield Note(f"{_named(commas)}: numbers with decimal commas")
    if units:
        yield Note(f"{_named(units)}: numbers written with a unit or thousands separators")


def _far_out(pairs: Sequence[tuple[ColumnType, ColumnSummary]]) -> Iterator[Note]:
    """Say which numbers seem to stand for missing: 999 or -99 in many rows, far from the others."""
    for column, summary in pairs:
        if column.type == "number" and summary.numbers is not None:
            for number, share in _sentinels(summary.numbers):
                rows = counted(round(share * summary.rows), "row")
                yield Note(
                    f"column {column.name!r}: {number:.10g} in {rows} is far from all other "
                    f"numbers (name it in `missing_values` if it means missing)"
                )


def _sentinels(numbers: Digest) -> Iterator[tuple[float, float]]:
    """Yield the least and the greatest number with its share, where it seems to be no number."""
    x, shares = numbers.numbers, numbers.shares
    if len(x) <= FEW:
        return
    for i, others in ((0, x[1:]), (-1, x[:-1])):
        away = float(np.abs(x[i] - others).min()) > float(np.ptp(others))
        if away and shares[i] >= OFTEN and _NINES.fullmatch(f"{abs(x[i]):.10g}"):
            yield float(x[i]), float(shares[i])


def _doubtful(pairs: Sequence[tuple[ColumnType, ColumnSummary]]) -> Iterator[Note]:
    """Say which dates could be others, and which texts would be numbers if written in one way."""
    for column, summary in pairs:
        evidence = summary.evidence
        if evidence is None:
            continue
        swapped = list(filter(evidence.otherwise, SWAPPED.get(column.format.layout, ())))
        if swapped:
            yield Note(
                f"column {column.name!r}: every date can be read as "
                f"{in_words(column.format.layout)} or {in_words(swapped[0])}; the first is taken "
                f"(write them as year-month-day if it is wrong)"
            )
        layouts = _layouts(column, summary)
        if layouts:
            ways = " and ".join(map(in_words, layouts[:2]))
            yield Note(
                f"column {column.name!r}: dates written in several ways ({ways}), not read as "
                f"dates (write all of them in one way)"
            )
        if evidence.unlike and column.format.type == "text" and len(summary.values) > FEW:
            ways = ", ".join(map(repr, sorted(evidence.units)[:MOST_NAMES]))
            how = f"in several units ({ways})" if ways else "with decimal points and commas"
            yield Note(
                f"column {column.name!r}: numbers {how}, not read as numbers (write all of them "
                f"in one way)"
            )


def _layouts(column: ColumnType, summary: ColumnSummary) -> list[str]:
    """Return the layouts of dates that are not all in one; none where the column has others."""
    texts = [value for value in summary.values.in_order() if isinstance(value, str)][:LOOKED_AT]
    if column.format.type != "text" or len(texts) <= FEW:
        return []
    return mixed(texts, MOST_WORDS) if any(as_date(texts[0], one) for one in LAYOUTS) else []


def _named(names: Sequence[str]) -> str:
    what = "column" if len(names) == 1 else f"{len(names)} columns"
    return f"{what} {some(names, MOST_NAMES)}"
