"""Columns and a schema to blocks of codes and standardised numbers, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import Codes, Columns, Floats, narrowest, slices
from galileomix._table.encode.recode import Policy, Recoded, Recoder, Unseen
from galileomix._table.read.convert import as_numbers
from galileomix._table.schema import Categorical, Numeric, Schema
from galileomix._table.values import Value
from galileomix._warn import warn
from galileomix.errors import GalileoWarning, TableError

BLOCK_ROWS = 8192
"""Rows in a block. Results are folded block by block, so this number is part of their bits."""

_ONES = np.ones(BLOCK_ROWS)
"""The weights of every block of a table without weights: they take no room of their own."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a table as the kernels read them.

    Parameters
    ----------
    codes : ndarray of shape (n, M), unsigned
        The position of each value in its attribute's vocabulary. The number of values of the
        attribute itself, one past the last, means unknown: leave this attribute out.
    numbers : ndarray of shape (n, Q)
        The numeric attributes as ``(x - center) / scale``; NaN is unknown.
    weights : ndarray of shape (n,)
        How many rows each row stands for.

    Examples
    --------
    >>> from galileomix._table import read, infer_schema
    >>> table = read([["b", 1.0], ["a", 3.0]])
    >>> [block] = encode(table, infer_schema(table))
    >>> block.codes.tolist(), block.numbers.tolist(), len(block)
    ([[1], [0]], [[-1.0], [1.0]], 2)
    """

    codes: Codes
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.weights)

    def rows(self, which: slice | NDArray[Any]) -> Block:
        """Return some of the rows."""
        return Block(self.codes[which], self.numbers[which], self.weights[which])


class Encoder:
    """Encodes the parts of a table, one after the other, and remembers what it left out.

    Parameters
    ----------
    schema : Schema
        What the table to fit was found to be.
    unseen : {"ignore", "error", "mark"}
        What to do with a value that the schema does not have. When marked, its code is one more
        than that of what is unknown: no kernel knows it, `unmarked` takes it away.
    """

    def __init__(self, schema: Schema, unseen: Policy = "ignore") -> None:
        self.schema = schema
        self._recoders = [Recoder(each, schema.missing, unseen) for each in schema.categorical]
        largest = max(schema.cardinalities, default=0)
        self._kind = narrowest(largest + 1 if unseen == "mark" else largest)

    def parts(
        self, columns: Columns, weights: NDArray[np.float64] | None = None
    ) -> Iterator[Block]:
        """Yield the rows of one part of the table, in pieces of no fixed length."""
        found, expected = len(columns.columns), self.schema.n_attributes
        if found != expected:
            raise TableError(f"{found} columns for {expected} attributes")
        recoded, numbers = self._recoded(columns)
        for rows in slices(columns.n_rows):
            size = rows.stop - rows.start
            codes = np.empty((size, len(recoded)), self._kind)
            floats = np.empty((size, len(numbers)))
            for m, column in enumerate(recoded):
                codes[:, m] = column.rows(rows)
            for q, (values, each) in enumerate(numbers):
                wide = values[rows].astype(np.float64, copy=False)
                floats[:, q] = (wide - each.center) / each.scale
            yield Block(codes, floats, np.ones(size) if weights is None else weights[rows])

    def _recoded(self, columns: Columns) -> tuple[list[Recoded], list[tuple[Floats, Numeric]]]:
        """Return the columns of codes and those of numbers."""
        pairs = list(zip(columns.columns, self.schema.attributes, strict=True))
        categories = [column for column, each in pairs if isinstance(each, Categorical)]
        recoders = zip(self._recoders, categories, strict=True)
        return [recoder.recode(column) for recoder, column in recoders], [
            (as_numbers(column).values, each) for column, each in pairs if isinstance(each, Numeric)
        ]

    def left_out(self) -> str:
        """Return what to say of values that were left out so far; nothing where there are none."""
        return "; ".join(filter(None, (each.left_out() for each in self._recoders)))


def unmarked(block: Block, schema: Schema) -> tuple[Block, NDArray[np.bool_]]:
    """Return a block that the kernels can read, and which of its codes were never seen, (n, M)."""
    unknown = np.array(schema.cardinalities, dtype=block.codes.dtype)
    codes = np.minimum(block.codes, unknown)
    return Block(codes, block.numbers, block.weights), block.codes > unknown


def in_blocks(parts: Iterable[Block], *, weighted: bool = True) -> Iterator[Block]:
    """Cut pieces of any length into blocks of `BLOCK_ROWS` rows, the last one shorter.

    So blocks depend on the rows alone, not on the chunks or files they came in.

    Parameters
    ----------
    parts : iterable of Block
    weighted : bool
        Whether weights may differ from one.
    """
    held: list[Block] = []
    for part in parts:
        start = 0
        while start < len(part):
            stop = min(len(part), start + BLOCK_ROWS - sum(map(len, held)))
            held.append(part.rows(slice(start, stop)))
            start = stop
            if sum(map(len, held)) == BLOCK_ROWS:
                yield _joined(held, weighted)
                held = []
    if held:
        yield _joined(held, weighted)


def _joined(parts: list[Block], weighted: bool) -> Block:
    codes, numbers = ([getattr(each, name) for each in parts] for name in ("codes", "numbers"))
    n_rows = sum(map(len, parts))
    weights = np.concatenate([each.weights for each in parts]) if weighted else _ONES[:n_rows]
    return Block(np.concatenate(codes), np.concatenate(numbers), weights)


def encode(
    columns: Columns,
    schema: Schema,
    weights: NDArray[np.float64] | None = None,
    unseen: Unseen = "ignore",
    *,
    keep_zero_weight: bool = True,
) -> list[Block]:
    """Encode a table whose columns stand as those of the schema (see `align`).

    Parameters
    ----------
    columns : Columns
        The table; column m is read as attribute m of the schema, numbers or categories.
    schema : Schema
        What `infer_schema` found in the table to fit.
    weights : ndarray of shape (n_rows,), optional
        What `check_weights` returned; one for every row where left out.
    unseen : {"ignore", "error"}
        What to do with a value that the schema does not have.
    keep_zero_weight : bool
        Whether rows of no weight are encoded, as to predict, or dropped, as to fit.

    Returns
    -------
    list of Block
        Blocks of `BLOCK_ROWS` rows, the last one shorter, in the order of the rows.

    Examples
    --------
    >>> from galileomix._table import read, infer_schema
    >>> schema = infer_schema(read([["b"], ["a"]]))
    >>> encode(read([["c"]]), schema, unseen="error")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    galileomix.errors.TableError: column 'x0', row 0: 'c' was never seen in fit; ...
    """
    if not keep_zero_weight and weights is not None and not np.all(weights > 0):
        columns, weights = columns.rows(weights > 0), weights[weights > 0]
    encoder = Encoder(schema, unseen)
    blocks = list(in_blocks(encoder.parts(columns, weights), weighted=weights is not None))
    if left_out := encoder.left_out():
        warn(left_out, GalileoWarning)
    return blocks


def decode(
    codes: NDArray[Any], numbers: NDArray[np.float64], schema: Schema
) -> dict[str, list[Value] | NDArray[np.float64]]:
    """Return the columns that codes and standardised numbers stand for.

    Parameters
    ----------
    codes : ndarray of shape (n, M)
        Codes of the categorical attributes; one past the last is unknown and becomes None.
    numbers : ndarray of shape (n, Q)
        Standardised numbers of the numeric attributes.
    schema : Schema
        What they were encoded with.

    Returns
    -------
    dict
        Per attribute, in order: a list of values, or an array of numbers in the user's units.

    Examples
    --------
    >>> from galileomix._table import read, infer_schema
    >>> table = read({"odor": ["none", "foul"], "width": [1.0, 3.0]})
    >>> schema = infer_schema(table)
    >>> [block] = encode(table, schema)
    >>> decode(block.codes, block.numbers, schema)
    {'odor': ['none', 'foul'], 'width': array([1., 3.])}
    """
    result: dict[str, list[Value] | NDArray[np.float64]] = {}
    m = q = 0
    for attribute in schema.attributes:
        if isinstance(attribute, Categorical):
            values = np.empty(len(attribute.values) + 1, dtype=object)  # the last one stays None
            values[:-1] = attribute.values
            result[attribute.name] = values[codes[:, m]].tolist()
            m += 1
        else:
            result[attribute.name] = numbers[:, q] * attribute.scale + attribute.center
            q += 1
    return result
