"""A table in memory with the types of its columns decided once, for all who read it afterwards."""

from __future__ import annotations

from galileomix._table.column import Column, Columns, TextColumn
from galileomix._table.infer.scan import scan
from galileomix._table.read.chunk import Source
from galileomix._table.read.convert import as_categories, as_numbers
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.sources import whole
from galileomix._table.schema import ColumnType
from galileomix._table.values import Value

NUMBERS = ("number", "date")


def typed(source: Source) -> Columns:
    """Return the columns that are modelled, categories as such and numbers as numbers.

    Examples
    --------
    >>> from galileomix._table import open_table
    >>> given = {"id": range(40), "size": ["S", "L"] * 20, "pay": [n * n for n in range(40)]}
    >>> table = typed(open_table(given))
    >>> [(column.name, type(column).__name__) for column in table.columns]
    [('size', 'CategoryColumn'), ('pay', 'NumberColumn')]
    """
    schema = scan(source).schema()
    columns = whole(source).select(schema.names)
    pairs = list(zip(columns.columns, schema.modelled, strict=True))
    orders = {a.name: tuple(v for v in a.values if v is not None) for a in schema.categorical}
    declared = tuple(_declared(found, orders.get(found.name, ())) for found in schema.modelled)
    read = tuple(_read(column, found) for column, found in pairs)
    return Columns(read, columns.n_rows, columns.named, declared)


def _declared(found: ColumnType, values: tuple[Value, ...]) -> Declared:
    if found.type in NUMBERS:
        return Declared("numeric")
    return Declared("ordered", values) if found.type == "ordered" else Declared("categorical")


def _read(column: Column, found: ColumnType) -> Column:
    if found.type in NUMBERS:
        return as_numbers(column, found.format)
    return as_categories(found.format.read(column) if isinstance(column, TextColumn) else column)
