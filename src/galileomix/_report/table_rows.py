"""What the page shows of the rows of a table: examples of clusters, anomalies, unseen values."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import CodedRows, NewTable
from galileomix._model.params import Ints
from galileomix._report.anomalous_records import AnomalySearch, UnusualRecords
from galileomix._report.cell_texts import shown_cell
from galileomix._report.record_names import record_names
from galileomix._report.table_pass import TablePass, missing_codes, pass_over
from galileomix._report.unreadable_cells import unreadable
from galileomix._table import Block, Numeric, cells, decode_column
from galileomix.errors import GalileoWarning

SHOWN_UNSEEN = 3
"""The most values to name of an attribute that fit never saw."""


@dataclass(frozen=True)
class ExampleRecord:
    """A record that is typical of a cluster: its cells in the attributes that tell most of it."""

    row: int  # counted from 1
    cells: list[str]


@dataclass(frozen=True)
class Unseen:
    """Values of one attribute that the model never saw: in how many rows, and some of them.

    Of a number they are texts that cannot be read as one.
    """

    n_rows: int
    values: tuple[str, ...]


@dataclass(frozen=True)
class TableRows:
    """What was found among the rows of a table."""

    n_rows: int
    n_judged: int  # the rows that were judged in full
    fitted: bool  # whether these are the rows that were fitted
    digest: str  # of all cells, as the model reads them
    unusual: UnusualRecords
    examples: dict[int, list[ExampleRecord]]  # by cluster
    unseen: dict[int, Unseen]  # by attribute
    names: dict[int, str]  # of the rows above, where the table has identifiers


def table_rows(
    model: FittedModel, table: NewTable, telling: Mapping[int, Sequence[int]]
) -> TableRows:
    """Look for what the page shows; `telling` has the attributes to show of each cluster."""
    seen = pass_over(model, table)
    search, digest = AnomalySearch(model, seen.fitted), hashlib.sha256()
    examples: dict[int, list[ExampleRecord]] = {}
    unseen: dict[int, Unseen] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GalileoWarning)  # the first pass has warned
        for first, rows in _pieces(table):
            inside = slice(first, first + len(rows.block))
            chosen = _within(seen.improbable, inside)
            search.look_at(rows.take(chosen - first), chosen)
            search.learn_from(rows.take(_within(seen.spread_out, inside) - first))
            for label, some in _examples(model, rows, seen, telling, inside):
                examples.setdefault(label, []).extend(some)
            unseen = _more_unseen(model, rows, unseen)
            for part in _bytes(rows.block):
                digest.update(part)
    known = (len(seen), len(seen.improbable), seen.fitted, digest.hexdigest())
    unusual = search.found(seen.labels)
    shown_rows = (one.row for some in (unusual.least_usual, *examples.values()) for one in some)
    return TableRows(*known, unusual, examples, unseen, record_names(table, shown_rows))


def _pieces(table: NewTable) -> Iterator[tuple[int, CodedRows]]:
    """Yield parts of a table, and how many rows come before each."""
    first = 0
    for rows in table.coded_rows():
        yield first, rows
        first += len(rows.block)


def _within(positions: Ints, inside: slice) -> Ints:
    return positions[(positions >= inside.start) & (positions < inside.stop)]


def _examples(
    model: FittedModel,
    rows: CodedRows,
    seen: TablePass,
    telling: Mapping[int, Sequence[int]],
    inside: slice,
) -> Iterator[tuple[int, list[ExampleRecord]]]:
    for label, attributes in telling.items():
        chosen = _within(seen.examples[label], inside) if label < len(seen.examples) else ()
        if len(chosen):
            some = rows.take(np.asarray(chosen) - inside.start)
            columns = [_texts(model, some, a) for a in attributes]
            texts = zip(*columns, strict=True) if columns else ([] for _ in chosen)
            pairs = zip(np.asarray(chosen).tolist(), texts, strict=True)
            yield label, [ExampleRecord(row + 1, list(line)) for row, line in pairs]


def _texts(model: FittedModel, rows: CodedRows, a: int) -> list[str]:
    """Return the cells of one attribute as they are shown: categories as given, numbers as read."""
    attribute, (m, q) = model.schema.attributes[a], model.schema.places[a]
    codes = None if m is None else rows.block.codes[:, m]
    if isinstance(attribute, Numeric):
        found = np.asarray(decode_column(attribute, codes, rows.block.numbers[:, q]))
        return [shown_cell(attribute, value) for value in found.tolist()]
    assert m is not None and codes is not None
    absent = missing_codes(codes, model.schema.categorical[m]) & ~rows.unseen[:, m]
    given = zip(cells(rows.cells.columns[a]), absent, strict=True)
    return [shown_cell(attribute, None if gone else value) for value, gone in given]


def _more_unseen(
    model: FittedModel, rows: CodedRows, found: dict[int, Unseen]
) -> dict[int, Unseen]:
    """Return the values that fit never saw, with those of further rows."""
    for a, attribute in enumerate(model.schema.attributes):
        number = isinstance(attribute, Numeric)
        texts = unreadable(model.schema, rows, a) if number else _never_seen(model, rows, a)
        if texts:
            before = found.get(a, Unseen(0, ()))
            new = dict.fromkeys([*before.values, *texts])
            found[a] = Unseen(before.n_rows + len(texts), tuple(new)[:SHOWN_UNSEEN])
    return found


def _never_seen(model: FittedModel, rows: CodedRows, a: int) -> list[str]:
    code = model.schema.places[a].code
    assert code is not None, model.schema.attributes[a]
    where = np.flatnonzero(rows.unseen[:, code])
    return _texts(model, rows.take(where), a) if len(where) else []


def _bytes(block: Block) -> tuple[bytes, bytes]:
    """Return the cells of a block as bytes that are the same on every machine."""
    return block.codes.astype("<u4").tobytes(), block.numbers.astype("<f8").tobytes()
