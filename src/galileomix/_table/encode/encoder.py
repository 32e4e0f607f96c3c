"""Columns and a schema to blocks of codes and standardised numbers, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._progress import Report
from galileomix._table.attribute import Attribute, Categorical, Numeric
from galileomix._table.blocks.block import Block, in_blocks
from galileomix._table.column import (
    Column,
    Columns,
    Numbers,
    narrowest,
    slices,
    with_missing_last,
)
from galileomix._table.encode.column_encoder import (
    ColumnEncoder,
    EncodedColumn,
    Unseen,
    UnseenPolicy,
    spikes,
)
from galileomix._table.encode.moments import as_moments
from galileomix._table.encode.strange_words import StrangeWords
from galileomix._table.infer.scan import Weights, weights_of
from galileomix._table.read.chunk import Source
from galileomix._table.read.convert import as_numbers
from galileomix._table.read.reported_chunks import chunks_reported
from galileomix._table.schema import Place, Schema
from galileomix._table.text.text_format import TextFormat
from galileomix._table.values import Value
from galileomix._warn import warn
from galileomix.errors import GalileoWarning, TableError


class Encoder:
    """Encodes the parts of a table, one after the other, and counts the values left out.

    Parameters
    ----------
    schema : Schema
        That of the fitted table.
    unseen : {"ignore", "error", "mark"}
        What to do with a value that the schema does not have. When marked, its code is one more
        than that of a missing value: no kernel knows it, `unmarked` takes it away.
    usual : bool
        Whether the usual signs for missing, such as ``?``, mean that (see `missing_text`).
    """

    def __init__(self, schema: Schema, unseen: UnseenPolicy = "ignore", usual: bool = True) -> None:
        self.schema = schema
        self._words = [StrangeWords(usual, unseen == "error") for _ in schema.attributes]
        self._encoders = [
            ColumnEncoder(attribute, schema.missing, unseen, usual)
            for attribute in schema.categorical
        ]
        largest = max(schema.cardinalities, default=0)
        self._dtype = narrowest(largest + 1 if unseen == "mark" else largest)

    def parts(self, columns: Columns, weights: Weights = None) -> Iterator[Block]:
        """Yield the rows of one chunk of the table, in pieces of no fixed length."""
        found, expected = len(columns.columns), self.schema.n_attributes
        if found != expected:
            raise TableError(f"{found} columns for {expected} attributes")
        encoded, numbers = self._encoded(columns)
        for rows in slices(columns.n_rows):
            size = rows.stop - rows.start
            codes = np.empty((size, len(encoded)), self._dtype)
            floats = np.empty((size, len(numbers)))
            for m, column in enumerate(encoded):
                codes[:, m] = column.rows(rows)
            for q, (values, attribute) in enumerate(numbers):
                floats[:, q] = attribute.standardised(values[rows])
            yield Block(codes, floats, np.ones(size) if weights is None else weights[rows])

    def _encoded(
        self, columns: Columns
    ) -> tuple[list[EncodedColumn], list[tuple[Numbers, Numeric]]]:
        """Return the columns of codes and those of numbers."""
        codes: list[EncodedColumn] = []
        numbers: list[tuple[Numbers, Numeric]] = []
        encoders = iter(self._encoders)
        for column, attribute, reading in self._as_fitted(columns):
            if not isinstance(attribute, Numeric):
                codes.append(next(encoders).encode(column, *reading))
                continue
            column = as_numbers(column, *reading)
            numbers.append((column.values, attribute))
            if attribute.spike is not None:
                codes.append(spikes(column, attribute.spike))
                next(encoders)
        return codes, numbers

    def _as_fitted(
        self, columns: Columns
    ) -> Iterator[tuple[Column, Attribute, tuple[TextFormat, StrangeWords]]]:
        """Yield each column with its attribute, how its text is read, and what is not so read."""
        types, words = self.schema.modelled, self._words
        for column, attribute, found, strange in zip(
            columns.columns, self.schema.attributes, types, words, strict=True
        ):
            yield column, attribute, (found.format, strange)

    def parts_of(
        self, source: Source, weights: Weights = None, report: Report | None = None
    ) -> Iterator[Block]:
        """Yield the rows of a table, in pieces of no fixed length."""
        rows = 0
        for chunk in chunks_reported(source, "encoding", report):
            part = weights_of(chunk, weights, rows)
            with chunk.placed():
                yield from self.parts(chunk.columns, part)
            rows += chunk.columns.n_rows

    def warn_of_left_out(self) -> None:
        """Warn of values never seen in fit that are left out, and words taken for missing."""
        unseen = (encoder.left_out() for encoder in self._encoders)
        words = (strange.note() for strange in self._words)
        for notes in (unseen, words):
            if left_out := "; ".join(filter(None, notes)):
                warn(left_out, GalileoWarning)


def unmarked(block: Block, schema: Schema) -> tuple[Block, NDArray[np.bool_]]:
    """Return a block that the kernels can read, and which of its codes were never seen, (n, M)."""
    missing = np.array(schema.cardinalities, dtype=block.codes.dtype)
    codes = np.minimum(block.codes, missing)
    return Block(codes, block.numbers, block.weights), block.codes > missing


def encode(
    columns: Columns, schema: Schema, weights: Weights = None, unseen: Unseen = "ignore"
) -> list[Block]:
    """Encode a table in memory whose columns are those of the schema (see `align`).

    `weights` are those that `check_weights` returned, or one for every row.

    Examples
    --------
    >>> from galileomix._table import read, summarise
    >>> table = read([["b", 1.5], ["a", 3.5]])
    >>> schema = summarise(table).schema()
    >>> [block] = encode(table, schema)
    >>> block.codes.tolist(), block.numbers.tolist(), len(block)
    ([[1], [0]], [[-1.0], [1.0]], 2)
    >>> encode(read([["c", 1.5]]), schema, unseen="error")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    galileomix.errors.TableError: column 'x0', row 0: 'c' was never seen in fit; ...
    """
    encoder = Encoder(schema, unseen)
    blocks = list(in_blocks(encoder.parts(columns, weights), weighted=weights is not None))
    encoder.warn_of_left_out()
    return blocks


def decode(
    codes: NDArray[Any], numbers: NDArray[np.float64], schema: Schema
) -> dict[str, list[Value] | NDArray[Any]]:
    """Return the columns that codes (n, M) and standardised numbers (n, Q) stand for.

    Each is a list of values, None where missing, or an array of numbers in the user's units.

    Examples
    --------
    >>> from galileomix._table import read, summarise
    >>> table = read({"odor": ["none", "foul"], "width": [1.5, 3.5]})
    >>> schema = summarise(table).schema()
    >>> [block] = encode(table, schema)
    >>> decode(block.codes, block.numbers, schema)
    {'odor': ['none', 'foul'], 'width': array([1.5, 3.5])}
    """
    pairs = zip(schema.attributes, schema.places, strict=True)
    return {
        attribute.name: decode_column(attribute, *_parts(place, codes, numbers))
        for attribute, place in pairs
    }


def _parts(place: Place, codes: NDArray[Any], numbers: NDArray[np.float64]) -> tuple[Any, Any]:
    """Return the codes and the numbers of one attribute; None where it has none."""
    return (
        None if place.code is None else codes[:, place.code],
        None if place.number is None else numbers[:, place.number],
    )


def decode_column(
    attribute: Attribute, codes: NDArray[Any] | None, numbers: NDArray[np.float64] | None
) -> list[Value] | NDArray[Any]:
    """Return the values that codes stand for, or numbers and dates in the user's units."""
    if isinstance(attribute, Categorical):
        assert codes is not None
        return with_missing_last(attribute.values)[codes].tolist()
    assert numbers is not None
    found = attribute.original(numbers)
    if attribute.spike is not None and codes is not None:
        found = np.where(codes == 0, attribute.spike, found)
        found = np.where(codes >= len(attribute.indicator.values), np.nan, found)
    return as_moments(found, attribute.unit) if attribute.is_moment else found
