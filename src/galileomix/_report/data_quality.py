"""How each column was taken, and what a user should know of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.visible_text import shown
from galileomix._report.table_rows import Unseen
from galileomix._table import ColumnType
from galileomix._table.schema import TYPES_IN_WORDS
from galileomix._words import counted, either

MOST_COLUMNS = 250
MANY_MISSING = 0.2
"""The share of missing cells from which on a column is noteworthy."""
SHOWN_TEXTS = 3
WORDS = ("category", "ordered")
"""Types of columns in which any text is a value."""


@dataclass(frozen=True)
class ColumnQuality:
    """One column of the table."""

    name: str
    type: str
    why: str
    missing: float
    remarks: list[str]
    noteworthy: bool


def data_quality(model: FittedModel, unseen: Mapping[int, Unseen]) -> list[ColumnQuality]:
    """Return what is said of every column, the noteworthy ones first."""
    attributes = dict(zip(model.schema.names, range(model.schema.n_attributes), strict=True))
    columns = [
        _quality(model, column, unseen.get(attributes.get(column.name, -1)))
        for column in model.schema.columns
    ]
    return sorted(columns, key=lambda column: not column.noteworthy)[:MOST_COLUMNS]


def _quality(model: FittedModel, column: ColumnType, unseen: Unseen | None) -> ColumnQuality:
    odd = list(_oddities(model, column, unseen))
    attribute = next((a for a in model.schema.attributes if a.name == column.name), None)
    usual = [] if attribute is None else list(attribute.modelled_as)
    return ColumnQuality(
        shown(column.name),
        TYPES_IN_WORDS[column.type][0],
        shown(column.why) if column.why else "",
        column.missing,
        odd + usual,
        bool(odd) or not column.modelled or column.missing >= MANY_MISSING,
    )


def _oddities(model: FittedModel, column: ColumnType, unseen: Unseen | None) -> Iterator[str]:
    if column.name in model.never_known:
        yield "missing in every row, ignored"
    elif column.name in constant_columns(model):
        yield "constant, ignored"
    if not column.modelled:
        yield "left out of the model"
    if column.modelled and column.format.missing:
        texts = [f"“{shown(text)}”" for text in column.format.missing[:SHOWN_TEXTS]]
        mean = "means" if len(texts) == 1 else "mean"
        almost = "" if column.type in WORDS else f"almost {TYPES_IN_WORDS[column.type][1]}: "
        yield f"{almost}{either(texts)} {mean} missing"
    if unseen is not None:
        values = ", ".join(f"“{value}”" for value in unseen.values)
        word = column.type in WORDS
        what = "values that were not fitted" if word else "cannot be read, so taken for missing,"
        yield f"{what} in {counted(unseen.n_rows, 'row')}: {values}"


def constant_columns(model: FittedModel) -> set[str]:
    """Return the names of the columns that hold one value only."""
    numbers = (model.schema.numeric[q].name for q in model.mixture.layout.constant)
    values = (one.name for one in model.schema.categorical if len(one.values) == 1)
    return {*numbers, *values} - set(model.never_known)
